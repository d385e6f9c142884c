//! Reads a file in a thread of its own and makes bodies of what it finds; hands them on in batches, and waits while the
//! batches before are being written.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use octavo_marc::{Encoding, Format, Kind, Parsed, Remark, Splitter, decode, derived_id};
use octavo_modules::mapping::Mappers;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// How the records of a file are converted to Octavo's records.
pub(super) enum Conversion {
    /// MARC records become instances with their preceding and succeeding titles.
    Instances { encoding: Encoding, mappers: Arc<Mappers>, tenant: String, file: String },
    /// FOLIO's JSON records are taken as they are.
    Records,
}

/// A record as it came out of the file.
pub(super) struct IncomingRecord {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) raw: Vec<u8>,
    pub(super) outcome: Result<Bodies, String>,
    pub(super) remarks: Vec<Remark>,
}

pub(super) struct Bodies {
    pub(super) record: Value,
    /// Preceding and succeeding titles.
    pub(super) preceding_and_succeeding_titles: Vec<Value>,
}

/// The most records and the most bytes of a batch.
const BATCH: (usize, usize) = (1_000, 8 << 20);

pub(super) fn read_batches(
    path: &Path,
    format: Format,
    offset: u64,
    making: Conversion,
) -> Result<mpsc::Receiver<std::io::Result<Vec<IncomingRecord>>>> {
    let mut file = File::open(path).context("can't read it")?;
    file.seek(SeekFrom::Start(offset))?;
    let splitter = Splitter::new(format, BufReader::with_capacity(1 << 20, file), offset);
    let (sender, receiver) = mpsc::channel(2);
    std::thread::spawn(move || {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for frame in splitter {
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => {
                    // If the batch cannot be sent, the load has ended already.
                    let _ = sender.blocking_send(Err(error));
                    return;
                }
            };
            bytes += frame.raw.len();
            let (outcome, remarks) = match frame.fault {
                Some(fault) => (Err(fault), Vec::new()),
                None => making.convert(format, &frame.raw, frame.start),
            };
            batch.push(IncomingRecord {
                start: frame.start,
                end: frame.end,
                raw: frame.raw,
                outcome,
                remarks,
            });
            if batch.len() >= BATCH.0 || bytes >= BATCH.1 {
                bytes = 0;
                if sender.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
                    return;
                }
            }
        }
        if !batch.is_empty() {
            let _ = sender.blocking_send(Ok(batch));
        }
    });
    Ok(receiver)
}

impl Conversion {
    fn convert(&self, format: Format, raw: &[u8], start: u64) -> (Result<Bodies, String>, Vec<Remark>) {
        match self {
            Conversion::Records => {
                let main = serde_json::from_slice(raw).map_err(|error| format!("it is not JSON: {error}"));
                (
                    main.map(|main| Bodies { record: main, preceding_and_succeeding_titles: Vec::new() }),
                    Vec::new(),
                )
            }
            Conversion::Instances { encoding, mappers, tenant, file } => match decode(format, *encoding, raw)
            {
                Err(reason) => (Err(reason), Vec::new()),
                Ok(Parsed { record, remarks }) => {
                    if let Some(what) = record.leader.not_bibliographic() {
                        let reason =
                            format!("it is {what}; bibliographic records become instances, others do not");
                        return (Err(reason), remarks);
                    }
                    // The id follows from the record, so that loading it again gives the same id.
                    let name = record.control_number().unwrap_or_else(|| format!("{file} {start}"));
                    let mapped = mappers.for_kind(Kind::Bibliographic).map(&record);
                    (mapped.map(|mapped| instance_bodies(tenant, &name, mapped)), remarks)
                }
            },
        }
    }
}

fn instance_bodies(tenant: &str, name: &str, mapped: octavo_marc::Mapped) -> Bodies {
    let id = derived_id(tenant, name);
    let mut main = mapped.record;
    main["id"] = json!(id);
    let before = mapped.preceding.into_iter().map(|title| (title, "succeedingInstanceId"));
    let after = mapped.succeeding.into_iter().map(|title| (title, "precedingInstanceId"));
    let titles = before.chain(after).enumerate().map(|(at, (mut title, side))| {
        title["id"] = json!(derived_id(tenant, &format!("{name} title {at}")));
        title[side] = json!(id);
        title
    });
    Bodies { preceding_and_succeeding_titles: titles.collect(), record: main }
}
