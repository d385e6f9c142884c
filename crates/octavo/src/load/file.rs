//! Loads one file: finds out the type of its records and how much of it was loaded before, and continues from there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use octavo_engine::Context;
use octavo_kernel::hex;
use octavo_lab::table::group_thousands;
use octavo_marc::{Encoding, Format, Sniffed, Splitter, is_marc_json, sniff};
use octavo_modules::inventory_storage::INSTANCE;
use octavo_modules::mapping;
use octavo_modules::okapi::seed;
use octavo_pg::Session;
use octavo_record::RecordType;
use sha1::{Digest, Sha1};

use super::failures::Failures;
use super::fault_to_error;
use super::ledger::{self, Entry, Key};
use super::progress::Progress;
use super::source::{self, Conversion};
use super::write::Writer;

/// The load that the command line asks for.
pub(super) struct LoadArguments {
    pub(super) record: Option<String>,
    pub(super) encoding: Encoding,
    pub(super) failures: Option<PathBuf>,
    pub(super) starts_over: bool,
}

pub(super) async fn load_file(context: &Context, path: &Path, wanted: &LoadArguments) -> Result<()> {
    let mut head = Vec::new();
    let file = File::open(path).context("can't read it")?;
    let size = file.metadata()?.len();
    file.take(FINGERPRINT_BYTES).read_to_end(&mut head).context("can't read it")?;
    let sniffed = sniff(&head).map_err(|reason| anyhow!(reason))?;
    let mut session = context.session().await.map_err(fault_to_error)?;
    let key = |record: &RecordType| Key {
        tenant: context.tenant.id.to_string(),
        file: fingerprint(&head, size),
        record: record.path.to_owned(),
    };
    let (record, making) = match record_type(context, wanted, sniffed, &head)? {
        Some(record) => (record, Conversion::Records),
        None => {
            (&INSTANCE, instance_conversion(context, &mut session, &key(&INSTANCE), wanted, sniffed).await?)
        }
    };
    let key = key(record);
    let entry = ledger::read_entry(context, &key, wanted.starts_over).await?;
    let offset = u64::try_from(entry.position)?.max(sniffed.skip);
    let failures = Failures::open(path, wanted.failures.as_deref(), entry.told)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if entry.position > 0 && offset >= size {
        eprintln!("{name}: loaded before ({}); --again loads it once more", summary(entry, record));
        return Ok(());
    }
    if entry.position > 0 {
        eprintln!("{name}: the load goes on after record {}", group_thousands(u64::try_from(entry.seen)?));
    }
    let before = entry;
    let mut progress = Progress::new(&name, offset, size);
    let mut batches = source::read_batches(path, sniffed.format, offset, making)?;
    let mut writer = Writer { context, session, record, key, entry, failures };
    while let Some(batch) = batches.recv().await {
        writer.write(batch.context("can't read on")?).await?;
        progress.show(u64::try_from(writer.entry.position)?, u64::try_from(writer.entry.seen - before.seen)?);
    }
    progress.clear();
    finish_load(&mut writer, &name, &progress, before).await
}

async fn finish_load(writer: &mut Writer<'_>, name: &str, progress: &Progress, before: Entry) -> Result<()> {
    let entry = writer.entry;
    if entry.seen == 0 {
        bail!("there is no record in it");
    }
    writer.session.script(&format!("analyze {:?}", writer.record.table)).await?;
    let seconds = progress.elapsed().as_secs_f64().max(0.001);
    let rate = (entry.seen - before.seen) as f64 / seconds;
    eprintln!(
        "{name}: {} in {seconds:.1} s, {}/s",
        summary(entry, writer.record),
        group_thousands(rate as u64)
    );
    if entry.failed + entry.partly > 0 {
        eprintln!(
            "{name}: the records that failed or were not wholly readable are, each with the reason, in {}",
            writer.failures.path().display()
        );
    }
    Ok(())
}

fn summary(entry: Entry, record: &RecordType) -> String {
    let number = |count: i64| group_thousands(count.unsigned_abs());
    let mut summary =
        format!("{} of {} records loaded as {}", number(entry.loaded), number(entry.seen), record.collection);
    if entry.failed > 0 {
        summary += &format!(", {} failed", number(entry.failed));
    }
    if entry.partly > 0 {
        summary += &format!(", {} not wholly readable", number(entry.partly));
    }
    summary
}

const FINGERPRINT_BYTES: u64 = 64 << 10;

/// A fingerprint by which a file is recognised, wherever it lies.
fn fingerprint(head: &[u8], size: u64) -> String {
    let mut hash = Sha1::new();
    hash.update(size.to_be_bytes());
    hash.update(head);
    hex(&hash.finalize())
}

/// The type of FOLIO's records in the file; none where it is MARC.
fn record_type(
    context: &Context,
    wanted: &LoadArguments,
    sniffed: Sniffed,
    head: &[u8],
) -> Result<Option<&'static RecordType>> {
    let json = matches!(sniffed.format, Format::JsonArray | Format::JsonLines | Format::JsonValues);
    match (&wanted.record, json) {
        (None, false) => Ok(None),
        (Some(_), false) => bail!("it is MARC; --type is for FOLIO's records as JSON"),
        (None, true) => {
            let first = Splitter::new(sniffed.format, head, 0).next();
            let first = first.and_then(|frame| serde_json::from_slice(&frame.ok()?.raw).ok());
            match first {
                Some(first) if is_marc_json(&first) => Ok(None),
                _ => bail!(
                    "it is JSON but not MARC; say what its records are, as in --type /item-storage/items"
                ),
            }
        }
        (Some(path), true) => {
            let path = format!("/{}", path.trim_matches('/'));
            let record = seed::record_at(context, &path);
            record.map(Some).ok_or_else(|| anyhow!("no records of a type {path} are known"))
        }
    }
}

/// Mapping rules with the tenant's own types.
async fn instance_conversion(
    context: &Context,
    session: &mut Session,
    key: &Key,
    wanted: &LoadArguments,
    sniffed: Sniffed,
) -> Result<Conversion> {
    let mappers = mapping::mappers(context, session).await.map_err(fault_to_error)?;
    let encoding = match (sniffed.format, wanted.encoding) {
        (Format::Iso2709, wanted) => wanted,
        (_, Encoding::Declared) => sniffed.encoding,
        (_, wanted) => wanted,
    };
    Ok(Conversion::Instances { encoding, mappers, tenant: key.tenant.clone(), file: key.file.clone() })
}
