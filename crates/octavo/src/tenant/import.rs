//! Makes a tenant from files, in one transaction: others see all of it, or nothing. Uploaded files are copied before, beside those of
//! a tenant that is replaced, and are put in their place after it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use octavo_engine::{TenantDescriptor, migrations, notify_of_tenant};
use octavo_kernel::TenantId;
use octavo_modules::{MODULES, search};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use serde::Deserialize;

use super::alter::PutAway;
use super::lines::escape;
use super::manifest::{Files, Held, Manifest};
use super::tables::{self, COMMON, DESCRIPTORS, quoted};
use crate::backup::{Shown, copy_folder};
use crate::private_files::make_private;
use crate::serve::say;

pub(super) async fn import(
    database: &Database,
    files: &Files,
    tenant: &TenantId,
    replace: bool,
    uploads: &Path,
) -> Result<()> {
    is_of_this_form(&files.manifest)?;
    let nothing = "nothing was imported";
    let coming = Coming::copied(&files.folder.join("files"), tenant, uploads).context(nothing)?;
    let mut session = database.session(tenant, Arc::new(Usage::of(Work::Maintenance))).await?;
    session.script("begin").await?;
    let filled = fill(&mut session, files, tenant, replace).await;
    if let Err(why) = filled {
        // What went wrong may be the connection itself.
        let _ = session.rollback().await;
        let _ = coming.remove();
        return Err(why.context(nothing));
    }
    session.commit(Vec::new()).await?;
    coming.put_in_place(uploads, replace)?;
    for table in tables::of(&mut session, tenant).await? {
        session.script(&format!("analyze {}", quoted(tenant, &table.name))).await?;
    }
    let rows: u64 = files.manifest.tables.iter().map(|held| held.rows).sum();
    say(&format!(
        "Tenant {tenant} has the {rows} rows and {} uploaded files that {} had",
        files.manifest.files, files.manifest.tenant
    ));
    Ok(())
}

/// Uploaded files on their way, in a folder beside that of the tenant.
struct Coming(PathBuf);

impl Coming {
    fn copied(sent: &Path, tenant: &TenantId, uploads: &Path) -> Result<Coming> {
        let coming = Coming(uploads.with_file_name(format!("{tenant}.new")));
        // What an interrupted import has left.
        coming.remove()?;
        if sent.is_dir() {
            let copied = make_private(&coming.0).and_then(|()| copy_folder(sent, &coming.0));
            if copied.is_err() {
                let _ = coming.remove();
            }
            copied?;
        }
        Ok(coming)
    }

    fn remove(&self) -> Result<()> {
        let Coming(folder) = self;
        match folder.is_dir() {
            true => fs::remove_dir_all(folder)
                .with_context(|| format!("can't remove the folder {}", folder.display())),
            false => Ok(()),
        }
    }

    fn put_in_place(&self, uploads: &Path, replace: bool) -> Result<()> {
        let Coming(folder) = self;
        let put = || -> Result<()> {
            if replace && uploads.is_dir() {
                // Those of the tenant whose place this one takes.
                fs::remove_dir_all(uploads)?;
            }
            if !folder.is_dir() {
                return Ok(());
            }
            if uploads.is_dir() {
                // What an earlier tenant of this name has left stays beside them.
                copy_folder(folder, uploads)?;
                return self.remove();
            }
            Ok(fs::rename(folder, uploads)?)
        };
        put().with_context(|| {
            format!("the rows were imported, and the uploaded files are still in {}", folder.display())
        })
    }
}

/// The tables are made as this program declares them, so the rows have to be in that form.
fn is_of_this_form(manifest: &Manifest) -> Result<()> {
    let own: Vec<i64> =
        migrations::tenant_migrations(MODULES).iter().map(|migration| migration.number).collect();
    let lacks = |all: &[i64], some: &[i64]| some.iter().find(|number| !all.contains(number)).copied();
    if let Some(number) = lacks(&own, &manifest.migrations) {
        bail!("the files are of a newer Octavo ({}, migration {number}): use that one", manifest.release);
    }
    if let Some(number) = lacks(&manifest.migrations, &own) {
        bail!(
            "the files are of an older Octavo ({}, without migration {number}): import them with that one and upgrade it, or export them anew",
            manifest.release
        );
    }
    Ok(())
}

async fn fill(session: &mut Session, files: &Files, tenant: &TenantId, replace: bool) -> Result<()> {
    let manifest = &files.manifest;
    if replace {
        session.rows(Statement::new(DELETE).text(tenant.as_str())).await?;
        session.script(&format!("drop schema if exists {:?} cascade", tenant.schema())).await?;
    }
    let descriptor = TenantDescriptor {
        id: Some(tenant.as_str().to_owned()),
        name: manifest.name.clone(),
        description: manifest.description.clone(),
    };
    if let Err(error) = session.script(&migrations::creation(tenant, &descriptor, MODULES)).await {
        let why = migrations::not_made(tenant, error);
        bail!("{why}; --tenant gives it another name, and --replace deletes the one that is there");
    }
    let there = tables::of(session, tenant).await?;
    let put_away = PutAway::of(session, tenant).await?;
    let all: Vec<String> = there.iter().map(|table| quoted(tenant, &table.name)).collect();
    // A new tenant has some rows from the beginning.
    session.script(&format!("truncate {}", all.join(", "))).await?;
    let mut shown = Shown::new("read");
    for held in &manifest.tables {
        if !there.iter().any(|table| table.name == held.table) {
            bail!("there is no table {}", held.table);
        }
        let rows = copied(session, files, tenant, held, &mut shown).await;
        let rows = rows.with_context(|| format!("{} cannot be taken in", held.file()))?;
        if rows != held.rows {
            bail!("{} has {rows} rows instead of {}", held.file(), held.rows);
        }
    }
    drop(shown);
    say("Making indexes, and checking references");
    put_away.bring_back(session).await?;
    for sequence in &manifest.sequences {
        let name = quoted(tenant, &sequence.name);
        let (last, called) = (sequence.last.to_string(), sequence.called.to_string());
        session.rows(Statement::new(SET).text(name).text(last).text(called)).await?;
    }
    common(session, manifest, tenant).await?;
    search::rebuild(session, tenant).await.map_err(|fault| anyhow!("{fault}"))?;
    session.rows(notify_of_tenant(tenant)).await?;
    Ok(())
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    id: std::borrow::Cow<'a, str>,
}

/// Takes in a file; returns how many rows it had.
async fn copied(
    session: &mut Session,
    files: &Files,
    tenant: &TenantId,
    held: &Held,
    shown: &mut Shown,
) -> Result<u64> {
    let as_documents = held.columns.is_empty();
    let columns: Vec<String> = match as_documents {
        true => vec!["id".to_owned(), "doc".to_owned()],
        false => held.columns.iter().map(|column| format!("{column:?}")).collect(),
    };
    let copy = format!("copy {} ({}) from stdin", quoted(tenant, &held.table), columns.join(", "));
    let mut lines = BufReader::with_capacity(1 << 18, File::open(files.folder.join(held.file()))?);
    let mut copy = session.copy_text_in(&copy).await?;
    let (mut line, mut row) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        shown.add(line.len() as u64);
        if as_documents {
            let document = line.strip_suffix(b"\n").unwrap_or(&line);
            let named: Named<'_> = serde_json::from_slice(document)?;
            row.clear();
            escape(named.id.as_bytes(), &mut row);
            row.push(b'\t');
            escape(document, &mut row);
            row.push(b'\n');
            copy.line(&row).await?;
        } else {
            copy.line(&line).await?;
        }
    }
    Ok(copy.finish().await?)
}

/// What the schema `octavo` has of the tenant.
async fn common(session: &mut Session, manifest: &Manifest, tenant: &TenantId) -> Result<()> {
    let rows =
        |table: &str| manifest.common.get(table).map(ToString::to_string).unwrap_or_else(|| "[]".to_owned());
    for (table, _) in DESCRIPTORS {
        let insert = format!(
            "insert into octavo.{table} (id, descriptor)
            select id, descriptor from json_populate_recordset(null::octavo.{table}, $1::text::json)
            on conflict (id) do nothing"
        );
        session.rows(Statement::new(insert).text(rows(table))).await?;
    }
    for (table, columns) in COMMON {
        let insert = format!(
            "insert into octavo.{table} (tenant, {columns})
            select $1, {columns} from json_populate_recordset(null::octavo.{table}, $2::text::json)"
        );
        session.rows(Statement::new(insert).text(tenant.as_str()).text(rows(table))).await?;
    }
    let told = Statement::new(TOLD).text(tenant.as_str()).maybe_text(manifest.permissions.as_deref());
    session.rows(told).await?;
    for consumer in &manifest.consumers {
        session.rows(Statement::new(FOLLOW).text(tenant.schema()).text(consumer.as_str())).await?;
    }
    Ok(())
}

const DELETE: &str = "delete from octavo.tenants where id = $1";
const SET: &str = "select setval($1::text::regclass, $2::text::int8, $3::text::bool)";
const TOLD: &str = "update octavo.tenants set permissions = $2 where id = $1";
const FOLLOW: &str = "select octavo.follow_events($1, $2)::text";
