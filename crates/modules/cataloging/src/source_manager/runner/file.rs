//! Files of records: how the work on one begins, how it is written, how many records it has.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::{Encoding, Format, Splitter, sniff};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use super::Start;
use super::claim::{self, Claim};
use super::edifact::is_edifact;
use super::interchange::{LONGEST, Messages};
use crate::source_manager::{change, snapshots};

/// How much of a file shows how it is written.
const HEAD: u64 = 64 << 10;
const BUFFER: usize = 256 << 10;

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

/// How a file is written.
#[derive(Debug, Clone, Copy)]
pub(super) enum Written {
    Marc(Format, Encoding),
    Edifact,
}

/// The name of EDIFACT beside those of formats.
const EDIFACT: &str = "edifact";

impl Written {
    pub(super) fn stored(format: &str, encoding: &str) -> Option<Written> {
        if format == EDIFACT {
            return Some(Written::Edifact);
        }
        let format = FORMATS.iter().find(|(_, name)| *name == format)?.0;
        let encoding = ENCODINGS.iter().find(|(_, name)| *name == encoding)?.0;
        Some(Written::Marc(format, encoding))
    }

    fn names(self) -> (&'static str, &'static str) {
        let Written::Marc(format, encoding) = self else { return (EDIFACT, "declared") };
        let format = FORMATS.iter().find(|(known, _)| *known == format);
        let encoding = ENCODINGS.iter().find(|(known, _)| *known == encoding);
        (format.map_or("", |(_, name)| name), encoding.map_or("", |(_, name)| name))
    }
}

/// See [`super::start_file`].
pub(super) fn start(context: &Context, job: Uuid, file: Start<'_>) -> Vec<Statement> {
    let Start { path, total } = file;
    let is_counted = total.is_some().to_string();
    vec![
        Statement::new(START).uuid(job).text(path).text(is_counted),
        Statement::new(TOTAL).uuid(job).long(total.unwrap_or(0)),
        change::set(job, "PARSING_IN_PROGRESS", None),
        snapshots::follow(job, "PARSING_IN_PROGRESS", &context.now_text()),
        claim::enqueue(context.tenant.id.as_str(), job),
    ]
}

fn cannot_be_read(path: &str, error: &std::io::Error) -> Fault {
    Fault::internal(format!("the file {path} cannot be read: {error}"))
}

/// Looks how a file is written. The inner error says what it is instead; with it the file is given up.
pub(super) fn look(path: &str) -> Outcome<Result<(Written, i64), String>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.map_err(|error| cannot_be_read(path, &error))?;
    if is_edifact(&head) {
        let length = std::fs::metadata(path).map_err(|error| cannot_be_read(path, &error))?.len();
        return Ok(match length > LONGEST {
            true => Err(format!("it is EDIFACT and longer than {} bytes", LONGEST)),
            false => Ok((Written::Edifact, 0)),
        });
    }
    Ok(sniff(&head).map(|found| {
        let written = Written::Marc(found.format, found.encoding);
        (written, i64::try_from(found.skip).unwrap_or(0))
    }))
}

/// The records of a file, one after the other.
pub(super) enum Reader {
    Marc { splitter: Splitter<BufReader<File>>, format: Format, encoding: Encoding },
    Edifact(Messages),
}

/// Reads a file from a position on.
pub(super) fn open(path: &str, written: Written, position: i64) -> Outcome<Reader> {
    let Written::Marc(format, encoding) = written else {
        let file = std::fs::read(path).map_err(|error| cannot_be_read(path, &error))?;
        return Ok(Reader::Edifact(Messages::new(file, position)));
    };
    let at = u64::try_from(position).unwrap_or(0);
    let open = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at))?;
        Ok(BufReader::with_capacity(BUFFER, file))
    };
    let reader = open().map_err(|error| cannot_be_read(path, &error))?;
    Ok(Reader::Marc { splitter: Splitter::new(format, reader, at), format, encoding })
}

/// Keeps how a file is written and where its first record begins.
pub(super) fn keep(job: Uuid, written: Written, position: i64) -> Statement {
    let (format, encoding) = written.names();
    Statement::new(KEEP).uuid(job).text(format).text(encoding).long(position)
}

/// Counts the records of a file from its first one on, and keeps the number. Meanwhile the claim is renewed.
pub(super) async fn count(
    context: &Context,
    session: &mut Session,
    claim: &Claim,
    path: &str,
    (written, first): (Written, i64),
) -> Outcome<()> {
    let owned = path.to_owned();
    let count = move || {
        let mut count = 0_i64;
        match open(&owned, written, first)? {
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
    let counting = context.platform.settings.in_bulk.spawn_blocking(count);
    let counted = claim.kept(&context.platform, counting).await?;
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
