//! Files of records: begins their import, detects their format, counts their records.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Encoding, Format, Splitter, sniff};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use super::FileToImport;
use super::claim::{self, Claim};
use super::edifact::is_edifact;
use super::interchange::{MAX_FILE_BYTES, Messages};
use crate::source_manager::{change, snapshots};

/// How many bytes of a file are read to detect its format.
const HEAD_BYTES: u64 = 64 << 10;
const BUFFER_BYTES: usize = 256 << 10;

const FORMATS: [(Format, &str); 5] = [
    (Format::Iso2709, "iso2709"),
    (Format::Xml, "xml"),
    (Format::JsonArray, "json-array"),
    (Format::JsonLines, "json-lines"),
    (Format::JsonValues, "json-values"),
];
const ENCODINGS: [(Encoding, &str); 4] = [
    (Encoding::Declared, "declared"),
    (Encoding::Utf8, "utf-8"),
    (Encoding::Marc8, "marc-8"),
    (Encoding::Latin1, "latin-1"),
];

/// The format of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum FileFormat {
    Marc(Format, Encoding),
    Edifact,
}

/// The stored name of the format EDIFACT.
const EDIFACT: &str = "edifact";

impl FileFormat {
    pub(super) fn from_names(format: &str, encoding: &str) -> Option<FileFormat> {
        if format == EDIFACT {
            return Some(FileFormat::Edifact);
        }
        let format = FORMATS.iter().find(|(_, name)| *name == format)?.0;
        let encoding = ENCODINGS.iter().find(|(_, name)| *name == encoding)?.0;
        Some(FileFormat::Marc(format, encoding))
    }

    fn names(self) -> (&'static str, &'static str) {
        let FileFormat::Marc(format, encoding) = self else { return (EDIFACT, "declared") };
        let format = FORMATS.iter().find(|(known, _)| *known == format);
        let encoding = ENCODINGS.iter().find(|(known, _)| *known == encoding);
        (format.map_or("", |(_, name)| name), encoding.map_or("", |(_, name)| name))
    }
}

/// See [`super::start_file_statements`].
pub(super) fn start_statements(context: &Context, job: Uuid, file: FileToImport<'_>) -> Vec<Statement> {
    let FileToImport { path, total } = file;
    let is_counted = total.is_some().to_string();
    vec![
        Statement::new(START).uuid(job).text(path).text(is_counted),
        Statement::new(TOTAL).uuid(job).long(total.unwrap_or(0)),
        change::set_status_statement(job, "PARSING_IN_PROGRESS", None),
        snapshots::set_status_statement(job, "PARSING_IN_PROGRESS", &context.now_text()),
        claim::enqueue_statement(context.tenant.id.as_str(), job),
    ]
}

fn cannot_be_read(path: &str, error: &std::io::Error) -> Fault {
    Fault::internal(format!("the file {path} cannot be read: {error}"))
}

/// Detects the format of a file, and the position of its first record. The inner error says what the file is instead; its job then fails.
pub(super) fn detect_format(path: &str) -> Outcome<Result<(FileFormat, i64), String>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.map_err(|error| cannot_be_read(path, &error))?;
    if is_edifact(&head) {
        let length = std::fs::metadata(path).map_err(|error| cannot_be_read(path, &error))?.len();
        return Ok(match length > MAX_FILE_BYTES {
            true => Err(format!("it is EDIFACT and longer than {} bytes", MAX_FILE_BYTES)),
            false => Ok((FileFormat::Edifact, 0)),
        });
    }
    Ok(sniff(&head).map(|found| {
        let written = FileFormat::Marc(found.format, found.encoding);
        (written, i64::try_from(found.skip).unwrap_or(0))
    }))
}

/// The records of a file, one after the other.
pub(super) enum Reader {
    Marc { splitter: Splitter<BufReader<File>>, format: Format, encoding: Encoding },
    Edifact(Messages),
}

/// Reads a file from a position on.
pub(super) fn open_reader(path: &str, written: FileFormat, position: i64) -> Outcome<Reader> {
    let FileFormat::Marc(format, encoding) = written else {
        let file = std::fs::read(path).map_err(|error| cannot_be_read(path, &error))?;
        return Ok(Reader::Edifact(Messages::new(file, position)));
    };
    let at = u64::try_from(position).unwrap_or(0);
    let open = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at))?;
        Ok(BufReader::with_capacity(BUFFER_BYTES, file))
    };
    let reader = open().map_err(|error| cannot_be_read(path, &error))?;
    Ok(Reader::Marc { splitter: Splitter::new(format, reader, at), format, encoding })
}

/// Stores the format of a file and the position of its first record.
pub(super) fn store_format_statement(job: Uuid, written: FileFormat, position: i64) -> Statement {
    let (format, encoding) = written.names();
    Statement::new(KEEP).uuid(job).text(format).text(encoding).long(position)
}

/// Counts the records of a file and stores the number. Meanwhile the claim is renewed.
pub(super) async fn count_records(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    path: &str,
    (written, first): (FileFormat, i64),
) -> Outcome<()> {
    let owned = path.to_owned();
    let count = move || {
        let mut count = 0_i64;
        match open_reader(&owned, written, first)? {
            Reader::Edifact(messages) => count = messages.count() as i64,
            Reader::Marc { splitter, .. } => {
                for frame in splitter {
                    frame.map_err(|error| cannot_be_read(&owned, &error))?;
                    count += 1;
                }
            }
        }
        Ok::<i64, Fault>(count)
    };
    let counting = context.platform.settings.bulk_runtime.spawn_blocking(count);
    let counted = claim.while_renewing(&context.platform, counting).await?;
    let total = counted.map_err(|error| Fault::internal(error.to_string()))??;
    let counted = Statement::new(COUNTED).uuid(claim.job);
    session.transaction(vec![counted, Statement::new(TOTAL).uuid(claim.job).long(total)]).await?;
    Ok(())
}

const START: &str = "\
insert into import_source (job, path, counted, ended)
values ($1, $2, $3::text::boolean, true)
on conflict (job) do update
set path = excluded.path, counted = excluded.counted, ended = true";

const TOTAL: &str = "update job_execution set progress_total = $2::int8 where id = $1";

const COUNTED: &str = "update import_source set counted = true where job = $1";

const KEEP: &str = "update import_source set format = $2, encoding = $3, position = $4::int8 where job = $1";

octavo_pg::statements!(other = [START, TOTAL, COUNTED, KEEP]);
