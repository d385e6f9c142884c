//! Reads the records of a job that are not imported yet, in batches: from its file, or from the chunks that clients have sent.

use std::collections::VecDeque;

use octavo_engine::yield_to_others;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::decode;
use octavo_pg::{Session, Statement};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::file::Reader;
use super::interchange::Message;
use super::raw::{RawFormat, to_storable_text};
use super::record::{FoundRecord, ReadRecord};

/// The number of bytes after which no more records are added to a transaction.
const BATCH_BYTES: usize = 4 << 20;

pub(super) enum Source {
    File(FileSource),
    Chunks(ChunkSource),
}

pub(super) struct FileSource {
    pub reader: Reader,
    pub position: i64,
    pub records: i64,
}

#[derive(Default)]
pub(super) struct ChunkSource {
    pub job: Uuid,
    pub position: i64,
    pub current: Option<Chunk>,
}

/// A chunk, and its records that are not imported yet.
pub(super) struct Chunk {
    id: Uuid,
    format: RawFormat,
    keeps_ids: bool,
    records_left: VecDeque<InitialRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredChunk {
    format: String,
    #[serde(default)]
    accept_instance_id: bool,
    records: VecDeque<InitialRecord>,
}

#[derive(Debug, Deserialize)]
struct InitialRecord {
    record: String,
    order: i64,
}

/// The records of one transaction.
pub(super) struct FoundBatch {
    pub found: Vec<FoundRecord>,
    /// The position of the job before these records.
    pub from: i64,
    /// The chunk that the records are from.
    pub chunk: Option<Uuid>,
    /// Whether these are the last records of the chunk.
    pub is_last: bool,
    pub keeps_ids: bool,
}

impl Source {
    /// The next records, at most so many; `None` if there are none at present.
    pub(super) async fn next(&mut self, session: &mut Session, most: usize) -> Outcome<Option<FoundBatch>> {
        match self {
            Source::File(file) => file.next(most).await,
            Source::Chunks(chunks) => chunks.next(session, most).await,
        }
    }

    /// Whether the source is a file without anything like a record, such as an HTML page.
    pub(super) fn is_without_records(&self) -> bool {
        matches!(self, Source::File(file) if file.records == 0)
    }
}

impl FileSource {
    async fn next(&mut self, most: usize) -> Outcome<Option<FoundBatch>> {
        let (from, mut found, mut bytes) = (self.position, Vec::new(), 0);
        while found.len() < most && bytes < BATCH_BYTES {
            let Some(next) = self.next_record()? else { break };
            bytes += next.raw.len();
            self.position = next.position;
            found.push(next);
            self.records += 1;
            yield_to_others(found.len()).await;
        }
        Ok((!found.is_empty()).then_some(FoundBatch {
            found,
            from,
            chunk: None,
            is_last: false,
            keeps_ids: false,
        }))
    }
}

impl FileSource {
    /// The next record of the file.
    fn next_record(&mut self) -> Outcome<Option<FoundRecord>> {
        let place = self.records;
        let (splitter, format, encoding) = match &mut self.reader {
            Reader::Marc { splitter, format, encoding } => (splitter, *format, *encoding),
            Reader::Edifact(messages) => {
                return Ok(messages.next().map(|Message { raw, end, fault }| FoundRecord {
                    place,
                    raw,
                    format: RawFormat::Edifact,
                    read: fault.map_or(Ok(ReadRecord::Edifact), Err),
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
            None => decode(format, encoding, &frame.raw).map(ReadRecord::Marc),
        };
        Ok(Some(FoundRecord {
            place,
            raw: to_storable_text(frame.raw),
            format: RawFormat::from_format(format),
            read,
            position: i64::try_from(frame.end).unwrap_or(i64::MAX),
        }))
    }
}

impl ChunkSource {
    async fn next(&mut self, session: &mut Session, most: usize) -> Outcome<Option<FoundBatch>> {
        if self.current.is_none() {
            self.current = self.oldest_chunk(session).await?;
        }
        let Some(chunk) = &mut self.current else { return Ok(None) };
        let (from, mut found, mut bytes) = (self.position, Vec::new(), 0);
        while found.len() < most
            && bytes < BATCH_BYTES
            && let Some(InitialRecord { record, order }) = chunk.records_left.pop_front()
        {
            bytes += record.len();
            self.position += 1;
            found.push(FoundRecord {
                place: order,
                read: ReadRecord::from_raw(chunk.format, &record),
                raw: to_storable_text(record.into_bytes()),
                format: chunk.format,
                position: self.position,
            });
            yield_to_others(found.len()).await;
        }
        let is_last = chunk.records_left.is_empty();
        let mut gathered =
            FoundBatch { found, from, chunk: Some(chunk.id), is_last, keeps_ids: chunk.keeps_ids };
        if is_last {
            self.position = 0;
            self.current = None;
            if let Some(last) = gathered.found.last_mut() {
                last.position = 0;
            }
        }
        Ok(Some(gathered))
    }

    /// The oldest chunk that is not finished, without the records that are imported.
    async fn oldest_chunk(&self, session: &mut Session) -> Outcome<Option<Chunk>> {
        let found: Option<(Uuid, Value)> = session.read(Statement::new(WAITING).uuid(self.job)).await?;
        let Some((id, body)) = found else { return Ok(None) };
        let stored: StoredChunk = serde_json::from_value(body).map_err(Fault::internal)?;
        let mut left = stored.records;
        left.drain(..usize::try_from(self.position).unwrap_or(0).min(left.len()));
        let format = RawFormat::from_name(&stored.format).unwrap_or(RawFormat::Marc);
        Ok(Some(Chunk { id, format, keeps_ids: stored.accept_instance_id, records_left: left }))
    }
}

const WAITING: &str = "\
select id, body::text
from import_chunk
where job = $1 and body is not null
order by number
limit 1";

octavo_pg::statements!(other = [WAITING]);
