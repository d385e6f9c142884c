//! Makes a tenant from files, in one transaction: others see all of it, or nothing. Uploaded files are copied before, beside those of
//! a tenant that is replaced, and are put in their place after it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use octavo_engine::{TenantDescriptor, migrations, notify_tenant_statement};
use octavo_kernel::TenantId;
use octavo_modules::{MODULES, search};
use octavo_pg::{Database, Session, Statement, Usage, Work};
use serde::Deserialize;

use super::alter::DroppedObjects;
use super::lines::escape;
use super::manifest::{ExportFolder, Manifest, TableFile};
use super::tables::{self, COMMON, DESCRIPTORS, quoted_table};
use crate::backup::{ByteProgress, copy_folder};
use crate::private_files::make_private;
use crate::serve::print_line;

pub(super) async fn import(
    database: &Database,
    files: &ExportFolder,
    tenant: &TenantId,
    replace: bool,
    uploads: &Path,
) -> Result<()> {
    check_migrations(&files.manifest)?;
    let nothing = "nothing was imported";
    let staged = StagedUploads::stage(&files.folder.join("files"), tenant, uploads).context(nothing)?;
    let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Maintenance))).await?;
    session.script("begin").await?;
    let filled = fill_tenant(&mut session, files, tenant, replace).await;
    if let Err(why) = filled {
        // The error may be that the connection is lost.
        let _ = session.rollback().await;
        let _ = staged.remove();
        return Err(why.context(nothing));
    }
    session.commit(Vec::new()).await?;
    staged.put_in_place(uploads, replace)?;
    for table in tables::load_tables(&mut session, tenant).await? {
        session.script(&format!("analyze {}", quoted_table(tenant, &table.name))).await?;
    }
    let rows: u64 = files.manifest.tables.iter().map(|held| held.rows).sum();
    print_line(&format!(
        "Tenant {tenant} has the {rows} rows and {} uploaded files that {} had",
        files.manifest.files, files.manifest.tenant
    ));
    Ok(())
}

/// Uploaded files that were copied into a folder beside that of the tenant, until the rows are committed.
struct StagedUploads(PathBuf);

impl StagedUploads {
    fn stage(sent: &Path, tenant: &TenantId, uploads: &Path) -> Result<StagedUploads> {
        let staged = StagedUploads(uploads.with_file_name(format!("{tenant}.new")));
        // What an interrupted import has left.
        staged.remove()?;
        if sent.is_dir() {
            let copied = make_private(&staged.0).and_then(|()| copy_folder(sent, &staged.0));
            if copied.is_err() {
                let _ = staged.remove();
            }
            copied?;
        }
        Ok(staged)
    }

    fn remove(&self) -> Result<()> {
        let StagedUploads(folder) = self;
        match folder.is_dir() {
            true => fs::remove_dir_all(folder)
                .with_context(|| format!("can't remove the folder {}", folder.display())),
            false => Ok(()),
        }
    }

    fn put_in_place(&self, uploads: &Path, replace: bool) -> Result<()> {
        let StagedUploads(folder) = self;
        let put = || -> Result<()> {
            if replace && uploads.is_dir() {
                // The uploaded files of the replaced tenant are removed.
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

/// Fails unless the files have exactly the migrations of this program, because the tables are made as this program declares them.
fn check_migrations(manifest: &Manifest) -> Result<()> {
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

async fn fill_tenant(
    session: &mut Session,
    files: &ExportFolder,
    tenant: &TenantId,
    replace: bool,
) -> Result<()> {
    let manifest = &files.manifest;
    if replace {
        session.rows(Statement::new(DELETE_TENANT).text(tenant.as_str())).await?;
        session.script(&format!("drop schema if exists {:?} cascade", tenant.schema())).await?;
    }
    let descriptor = TenantDescriptor {
        id: Some(tenant.as_str().to_owned()),
        name: manifest.name.clone(),
        description: manifest.description.clone(),
    };
    if let Err(error) = session.script(&migrations::create_tenant_sql(tenant, &descriptor, MODULES)).await {
        let why = migrations::creation_fault(tenant, error);
        bail!("{why}; --tenant gives it another name, and --replace deletes the one that is there");
    }
    let there = tables::load_tables(session, tenant).await?;
    let put_away = DroppedObjects::drop_objects(session, tenant).await?;
    let all: Vec<String> = there.iter().map(|table| quoted_table(tenant, &table.name)).collect();
    // A new tenant has some rows from the beginning.
    session.script(&format!("truncate {}", all.join(", "))).await?;
    let mut shown = ByteProgress::new("read");
    for held in &manifest.tables {
        if !there.iter().any(|table| table.name == held.table) {
            bail!("there is no table {}", held.table);
        }
        let rows = import_file(session, files, tenant, held, &mut shown).await;
        let rows = rows.with_context(|| format!("{} cannot be taken in", held.file_name()))?;
        if rows != held.rows {
            bail!("{} has {rows} rows instead of {}", held.file_name(), held.rows);
        }
    }
    drop(shown);
    print_line("Making indexes, and checking references");
    put_away.restore(session).await?;
    for sequence in &manifest.sequences {
        let name = quoted_table(tenant, &sequence.name);
        let (last, called) = (sequence.last.to_string(), sequence.called.to_string());
        session.rows(Statement::new(SET_SEQUENCE).text(name).text(last).text(called)).await?;
    }
    insert_common_rows(session, manifest, tenant).await?;
    search::rebuild(session, tenant).await.map_err(|fault| anyhow!("{fault}"))?;
    session.rows(notify_tenant_statement(tenant)).await?;
    Ok(())
}

#[derive(Deserialize)]
struct RecordId<'a> {
    #[serde(borrow)]
    id: std::borrow::Cow<'a, str>,
}

/// Imports a file into its table; returns the number of its rows.
async fn import_file(
    session: &mut Session,
    files: &ExportFolder,
    tenant: &TenantId,
    held: &TableFile,
    shown: &mut ByteProgress,
) -> Result<u64> {
    let as_documents = held.columns.is_empty();
    let columns: Vec<String> = match as_documents {
        true => vec!["id".to_owned(), "doc".to_owned()],
        false => held.columns.iter().map(|column| format!("{column:?}")).collect(),
    };
    let copy = format!("copy {} ({}) from stdin", quoted_table(tenant, &held.table), columns.join(", "));
    let mut lines = BufReader::with_capacity(1 << 18, File::open(files.folder.join(held.file_name()))?);
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
            let named: RecordId<'_> = serde_json::from_slice(document)?;
            row.clear();
            escape(named.id.as_bytes(), &mut row);
            row.push(b'\t');
            escape(document, &mut row);
            row.push(b'\n');
            copy.write_line(&row).await?;
        } else {
            copy.write_line(&line).await?;
        }
    }
    Ok(copy.finish().await?)
}

/// Inserts the tenant's rows into the tables of the schema `octavo`.
async fn insert_common_rows(session: &mut Session, manifest: &Manifest, tenant: &TenantId) -> Result<()> {
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
    let told = Statement::new(SET_KNOWN_PERMISSIONS)
        .text(tenant.as_str())
        .maybe_text(manifest.permissions.as_deref());
    session.rows(told).await?;
    for consumer in &manifest.consumers {
        session.rows(Statement::new(FOLLOW_EVENTS).text(tenant.schema()).text(consumer.as_str())).await?;
    }
    session.rows(Statement::new(ATTEND_CONSUMERS).text(tenant.as_str())).await?;
    Ok(())
}

const DELETE_TENANT: &str = "delete from octavo.tenants where id = $1";
const SET_SEQUENCE: &str = "select setval($1::text::regclass, $2::text::int8, $3::text::bool)";
const SET_KNOWN_PERMISSIONS: &str = "update octavo.tenants set permissions = $2 where id = $1";
/// A server looks after these consumers at once, although there are no events yet: it makes the triggers by which changes of records become
/// events.
const ATTEND_CONSUMERS: &str =
    "update octavo.event_consumers set claimed_until = '-infinity', due = now() where tenant = $1";
const FOLLOW_EVENTS: &str = "select octavo.follow_events($1, $2)::text";
