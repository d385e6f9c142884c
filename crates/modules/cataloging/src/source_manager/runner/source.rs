//! The records of a job that are not done yet, some at a time: from its file, or from the chunks that clients have sent.

use std::collections::VecDeque;

use octavo_engine::take_turns;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::decode;
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::file::Reader;
use super::interchange::Message;
use super::raw::{RawFormat, as_text};
use super::record::{Found, Read};

/// The records of one transaction: at most so many, and none more beyond so many bytes.
const RECORDS: usize = 200;
const BYTES: usize = 4 << 20;

pub(super) enum Source {
    File(OfFile),
    Chunks(OfChunks),
}

pub(super) struct OfFile {
    pub reader: Reader,
    pub position: i64,
    pub records: i64,
}

#[derive(Default)]
pub(super) struct OfChunks {
    pub job: Uuid,
    pub position: i64,
    pub current: Option<Chunk>,
}

/// A chunk, and what of it is not done yet.
pub(super) struct Chunk {
    id: Uuid,
    format: RawFormat,
    keeps_ids: bool,
    left: VecDeque<Initial>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    format: String,
    #[serde(default)]
    accept_instance_id: bool,
    records: VecDeque<Initial>,
}

#[derive(Debug, Deserialize)]
struct Initial {
    record: String,
    order: i64,
}

/// Records that are written together.
pub(super) struct Gathered {
    pub found: Vec<Found>,
    /// The job's position before them.
    pub from: i64,
    /// The chunk that they are from.
    pub chunk: Option<Uuid>,
    /// Whether the chunk is done with them.
    pub is_last: bool,
    pub keeps_ids: bool,
}

impl Source {
    /// The next records; nothing if there are none now.
    pub(super) async fn next(&mut self, session: &mut Session) -> Outcome<Option<Gathered>> {
        match self {
            Source::File(file) => file.next().await,
            Source::Chunks(chunks) => chunks.next(session).await,
        }
    }

    /// Whether it is a file in which nothing was found that could be a record, as in a page of HTML.
    pub(super) fn is_without_records(&self) -> bool {
        matches!(self, Source::File(file) if file.records == 0)
    }
}

impl OfFile {
    async fn next(&mut self) -> Outcome<Option<Gathered>> {
        let (from, mut found, mut bytes) = (self.position, Vec::new(), 0);
        while found.len() < RECORDS && bytes < BYTES {
            let Some(next) = self.record()? else { break };
            bytes += next.raw.len();
            self.position = next.position;
            found.push(next);
            self.records += 1;
            take_turns(found.len()).await;
        }
        Ok((!found.is_empty()).then_some(Gathered {
            found,
            from,
            chunk: None,
            is_last: false,
            keeps_ids: false,
        }))
    }
}

impl OfFile {
    /// The next record of the file.
    fn record(&mut self) -> Outcome<Option<Found>> {
        let place = self.records;
        let (splitter, format, encoding) = match &mut self.reader {
            Reader::Marc { splitter, format, encoding } => (splitter, *format, *encoding),
            Reader::Edifact(messages) => {
                return Ok(messages.next().map(|Message { raw, end, fault }| Found {
                    place,
                    raw,
                    format: RawFormat::Edifact,
                    read: fault.map_or(Ok(Read::Edifact), Err),
                    position: end,
                }));
            }
        };
        let frame = match splitter.next() {
            None => return Ok(None),
            Some(Err(error)) => return Err(Fault::internal(format!("the file cannot be read: {error}"))),
            Some(Ok(frame)) => frame,
        };
        let read = match frame.fault {
            Some(fault) => Err(fault),
            None => decode(format, encoding, &frame.raw).map(Read::Marc),
        };
        Ok(Some(Found {
            place,
            raw: as_text(frame.raw),
            format: RawFormat::of(format),
            read,
            position: i64::try_from(frame.end).unwrap_or(i64::MAX),
        }))
    }
}

impl OfChunks {
    async fn next(&mut self, session: &mut Session) -> Outcome<Option<Gathered>> {
        if self.current.is_none() {
            self.current = self.waiting(session).await?;
        }
        let Some(chunk) = &mut self.current else { return Ok(None) };
        let (from, mut found, mut bytes) = (self.position, Vec::new(), 0);
        while found.len() < RECORDS
            && bytes < BYTES
            && let Some(Initial { record, order }) = chunk.left.pop_front()
        {
            bytes += record.len();
            self.position += 1;
            found.push(Found {
                place: order,
                read: Read::of(chunk.format, &record),
                raw: as_text(record.into_bytes()),
                format: chunk.format,
                position: self.position,
            });
            take_turns(found.len()).await;
        }
        let is_last = chunk.left.is_empty();
        let mut gathered =
            Gathered { found, from, chunk: Some(chunk.id), is_last, keeps_ids: chunk.keeps_ids };
        if is_last {
            self.position = 0;
            self.current = None;
            if let Some(last) = gathered.found.last_mut() {
                last.position = 0;
            }
        }
        Ok(Some(gathered))
    }

    /// The chunk that has waited longest, without the records that are done.
    async fn waiting(&self, session: &mut Session) -> Outcome<Option<Chunk>> {
        let found: Option<(Uuid, Value)> = session.read(Statement::new(WAITING).uuid(self.job)).await?;
        let Some((id, body)) = found else { return Ok(None) };
        let stored: Stored = serde_json::from_value(body).map_err(Fault::internal)?;
        let mut left = stored.records;
        left.drain(..usize::try_from(self.position).unwrap_or(0).min(left.len()));
        let format = RawFormat::named(&stored.format).unwrap_or(RawFormat::Marc);
        Ok(Some(Chunk { id, format, keeps_ids: stored.accept_instance_id, left }))
    }
}

const WAITING: &str = "\
select id, body::text
from import_chunk
where job = $1 and body is not null
order by number
limit 1";

octavo_pg::statements!(other = [WAITING]);
