//! Writes a tenant into files as it is at one moment, while others go on working.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use octavo_kernel::{TenantId, hex};
use octavo_pg::{Database, Session, Sql, Statement, Usage, Work};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::lines::unescape;
use super::manifest::{FILE, FORMAT, Manifest, Sequence, TableFile};
use super::tables::{self, COMMON, DESCRIPTORS, Table, quoted_table};
use crate::backup::{ByteProgress, check_is_empty, copy_folder};
use crate::private_files::{make_private, sync_folder, write_private};
use crate::serve::print_line;
use crate::start::clock;

/// Writes everything of a tenant into a new folder. Its uploaded files are in `uploads`.
pub(crate) async fn export(
    database: &Database,
    tenant: &TenantId,
    folder: &Path,
    uploads: &Path,
) -> Result<()> {
    check_is_empty(folder)?;
    for part in ["documents", "rows"] {
        make_private(&folder.join(part))?;
    }
    let mut session = database.session(tenant, Arc::new(Usage::for_work(Work::Maintenance))).await?;
    session.script("begin isolation level repeatable read read only").await?;
    let at = clock();
    let described: Option<[Option<String>; 3]> =
        session.read(Statement::new(DESCRIPTOR).text(tenant.as_str())).await?;
    let [name, description, permissions] =
        described.with_context(|| format!("there is no tenant {tenant}"))?;
    let mut shown = ByteProgress::new("written");
    let mut tables = Vec::new();
    for table in tables::load_tables(&mut session, tenant).await? {
        tables.push(export_table(&mut session, tenant, &table, folder, &mut shown).await?);
    }
    drop(shown);
    let manifest = Manifest {
        format: FORMAT,
        release: env!("CARGO_PKG_VERSION").to_owned(),
        at,
        tenant: tenant.as_str().to_owned(),
        name,
        description,
        permissions,
        migrations: session.read(Statement::new(MIGRATIONS)).await?,
        tables,
        sequences: read_sequences(&mut session, tenant).await?,
        common: read_common_rows(&mut session, tenant).await?,
        consumers: session.read(Statement::new(CONSUMERS).text(tenant.as_str())).await?,
        files: copy_uploads(uploads, &folder.join("files"))?,
    };
    session.rollback().await?;
    // The manifest is written last: a folder without it is no complete export.
    write_private(&folder.join(FILE), &serde_json::to_vec_pretty(&manifest)?)?;
    sync_folder(folder)?;
    let rows: u64 = manifest.tables.iter().map(|held| held.rows).sum();
    print_line(&format!(
        "Tenant {tenant} of {at} is in {}: {rows} rows and {} uploaded files",
        folder.display(),
        manifest.files
    ));
    print_line("The files hold personal data and hashes of passwords: keep them as you keep the database");
    Ok(())
}

/// Writes a table into its file.
async fn export_table(
    session: &mut Session,
    tenant: &TenantId,
    table: &Table,
    folder: &Path,
    shown: &mut ByteProgress,
) -> Result<TableFile> {
    let as_documents =
        table.is_record && tables::fits_in_document_lines(session, tenant, &table.name).await?;
    let columns = if as_documents { Vec::new() } else { table.columns_to_write() };
    let mut held = TableFile { table: table.name.clone(), columns, rows: 0, sha256: String::new() };
    let what = match as_documents {
        true => format!("(select doc from {} order by id)", quoted_table(tenant, &table.name)),
        false => {
            let columns: Vec<String> = held.columns.iter().map(|column| format!("{column:?}")).collect();
            format!("{} ({})", quoted_table(tenant, &table.name), columns.join(", "))
        }
    };
    let path = folder.join(held.file_name());
    let mut file =
        ChecksummedFile::create(&path).with_context(|| format!("can't write {}", path.display()))?;
    let mut plain = Vec::new();
    let (mut rows, mut kept) = (0, Ok(()));
    let take = |line: &[u8]| {
        rows += 1;
        shown.add(line.len() as u64);
        let done = match as_documents {
            true => {
                unescape(line.strip_suffix(b"\n").unwrap_or(line), &mut plain);
                plain.push(b'\n');
                file.write_all(&plain)
            }
            false => file.write_all(line),
        };
        // If writing the file fails, this error is hidden by the error that PostgreSQL reports afterwards.
        done.map_err(|error| {
            let told = io::Error::new(error.kind(), error.to_string());
            kept = Err(error);
            told
        })
    };
    let copied = session.copy_text_out(&format!("copy {what} to stdout"), take).await;
    kept.with_context(|| format!("can't write {}", path.display()))?;
    copied?;
    held.rows = rows;
    held.sha256 = file.finish().with_context(|| format!("can't save {}", path.display()))?;
    Ok(held)
}

async fn read_sequences(session: &mut Session, tenant: &TenantId) -> Result<Vec<Sequence>> {
    let names: Vec<String> = session.read(Statement::new(SEQUENCES).text(tenant.schema())).await?;
    let mut sequences = Vec::new();
    for name in names {
        let text = format!("select last_value, is_called from {}", quoted_table(tenant, &name));
        let found: Option<(i64, bool)> = session.read_once(&Sql { text, params: Vec::new() }).await?;
        let (last, called) = found.with_context(|| format!("the counter {name} says nothing"))?;
        sequences.push(Sequence { name, last, called });
    }
    Ok(sequences)
}

async fn read_common_rows(session: &mut Session, tenant: &TenantId) -> Result<BTreeMap<String, Value>> {
    let own = COMMON.iter().map(|(table, columns)| {
        (*table, format!("select {columns} from octavo.{table} where tenant = $1 order by 1"))
    });
    let descriptors = DESCRIPTORS.iter().map(|(table, enabled)| {
        (
            *table,
            format!(
                "select id, descriptor from octavo.{table} where id in (select id from octavo.{enabled} where tenant = $1) order by id"
            ),
        )
    });
    let mut common = BTreeMap::new();
    for (table, rows) in own.chain(descriptors) {
        let text = format!("select coalesce(json_agg(r), '[]')::text from ({rows}) r");
        let found: Option<String> = session.read(Statement::new(text).text(tenant.as_str())).await?;
        common.insert(table.to_owned(), serde_json::from_str(found.as_deref().unwrap_or("[]"))?);
    }
    Ok(common)
}

/// Copies the uploaded files, if there are any; returns how many there are.
fn copy_uploads(uploads: &Path, into: &Path) -> Result<usize> {
    match uploads.is_dir() {
        true => make_private(into).and_then(|()| copy_folder(uploads, into)),
        false => Ok(0),
    }
}

/// A private file and the checksum of what is written into it.
struct ChecksummedFile {
    file: BufWriter<File>,
    sum: Sha256,
}

impl ChecksummedFile {
    fn create(path: &Path) -> io::Result<ChecksummedFile> {
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
        Ok(ChecksummedFile { file: BufWriter::with_capacity(1 << 18, file), sum: Sha256::new() })
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.file.write_all(bytes)
    }

    fn finish(self) -> Result<String> {
        let file = self.file.into_inner().map_err(|error| anyhow!("{error}"))?;
        file.sync_all()?;
        Ok(hex(&self.sum.finalize()))
    }
}

const DESCRIPTOR: &str = "select name, description, permissions from octavo.tenants where id = $1";
const MIGRATIONS: &str = "select number from migration order by number";
const SEQUENCES: &str = "select sequencename::text from pg_sequences where schemaname = $1 order by 1";
const CONSUMERS: &str = "\
select name from octavo.event_consumers where tenant = $1 and (name like 'webhook:%' or name like 'module:%') order by name";
