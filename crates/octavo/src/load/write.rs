//! Writes batches: each is checked as a whole and copied in one transaction with the ledger. Where the database refuses
//! a batch, its halves are tried, down to the one record that it is about.

use anyhow::{Result, anyhow};
use octavo_engine::Context;
use octavo_engine::load::{PreparedRecord, copy, prepare};
use octavo_kernel::{Fault, Outcome};
use octavo_modules::inventory_storage::PRECEDING_SUCCEEDING_TITLE;
use octavo_pg::Session;
use octavo_record::RecordType;

use super::failures::{Failures, ReportedRecord};
use super::ledger::{Entry, Key};
use super::source::{Bodies, IncomingRecord};
use super::{fault_message, fault_to_error};

pub(super) struct Writer<'a> {
    pub(super) context: &'a Context,
    pub(super) session: Session,
    pub(super) record: &'static RecordType,
    pub(super) key: Key,
    pub(super) entry: Entry,
    pub(super) failures: Failures,
}

/// A record of a batch after its check.
struct CheckedRecord {
    number: i64,
    start: u64,
    end: u64,
    raw: Vec<u8>,
    outcome: Result<(PreparedRecord, Vec<PreparedRecord>), String>,
    /// Descriptions of data that reading had to leave out.
    losses: Vec<String>,
}

impl Writer<'_> {
    pub(super) async fn write(&mut self, batch: Vec<IncomingRecord>) -> Result<()> {
        let mut checked = self.check(batch).await?;
        let mut parts = vec![(0, checked.len())];
        while let Some((from, to)) = parts.pop() {
            match self.store(&checked[from..to]).await {
                Ok(()) => {}
                Err(fault) if fault.status >= 500 => return Err(fault_to_error(fault)),
                Err(fault) if to - from == 1 => {
                    checked[from].outcome = Err(fault_message(&fault));
                    parts.push((from, to));
                }
                Err(_) => {
                    let half = from + (to - from) / 2;
                    parts.push((half, to));
                    parts.push((from, half));
                }
            }
        }
        Ok(())
    }

    async fn check(&mut self, batch: Vec<IncomingRecord>) -> Result<Vec<CheckedRecord>> {
        let (mut checked, mut mains, mut titles) = (Vec::new(), Vec::new(), Vec::new());
        for (number, incoming) in (self.entry.seen + 1..).zip(batch) {
            let IncomingRecord { start, end, raw, outcome, remarks } = incoming;
            let losses = remarks.iter().filter(|remark| remark.is_loss()).map(ToString::to_string).collect();
            let at = checked.len();
            let outcome =
                outcome.and_then(|Bodies { record: main, preceding_and_succeeding_titles: more }| {
                    mains.push((at, main));
                    titles.extend(more.into_iter().map(|title| (at, title)));
                    Err(String::new())
                });
            checked.push(CheckedRecord { number, start, end, raw, outcome, losses });
        }
        for (at, outcome) in self.prepare(self.record, mains).await? {
            checked[at].outcome =
                outcome.map(|ready| (ready, Vec::new())).map_err(|fault| fault_message(&fault));
        }
        for (at, title) in self.prepare(&PRECEDING_SUCCEEDING_TITLE, titles).await? {
            match (title, &mut checked[at].outcome) {
                (Ok(title), Ok((_, titles))) => titles.push(title),
                (Err(fault), outcome @ Ok(_)) => *outcome = Err(fault_message(&fault)),
                _ => {}
            }
        }
        Ok(checked)
    }

    async fn prepare(
        &mut self,
        record: &'static RecordType,
        bodies: Vec<(usize, serde_json::Value)>,
    ) -> Result<Vec<(usize, Outcome<PreparedRecord>)>> {
        if bodies.is_empty() {
            return Ok(Vec::new());
        }
        let (places, bodies): (Vec<usize>, Vec<serde_json::Value>) = bodies.into_iter().unzip();
        let ready = prepare(self.context, &mut self.session, record, bodies).await.map_err(fault_to_error)?;
        Ok(places.into_iter().zip(ready).collect())
    }

    /// Stores all records of a part or none, and with them the ledger and the file of failures.
    async fn store(&mut self, part: &[CheckedRecord]) -> Outcome<()> {
        let before = self.failures.length();
        let mut entry = self.entry;
        let fault = |error: anyhow::Error| Fault::internal(std::io::Error::other(error.to_string()));
        self.report_failures(part, &mut entry).map_err(fault)?;
        let written = part.iter().filter_map(|record| record.outcome.as_ref().ok());
        let mains = written.clone().map(|(main, _)| main).collect();
        let titles = written.flat_map(|(_, titles)| titles).collect();
        let batches = [(self.record, mains), (&PRECEDING_SUCCEEDING_TITLE, titles)];
        let stored =
            copy(self.context, &mut self.session, &batches, vec![self.key.write_statement(entry)]).await;
        match stored {
            Ok(()) => self.entry = entry,
            Err(_) => self.failures.truncate(before).map_err(fault)?,
        }
        stored
    }

    fn report_failures(&mut self, part: &[CheckedRecord], entry: &mut Entry) -> Result<()> {
        for record in part {
            entry.seen += 1;
            entry.position = i64::try_from(record.end)?;
            let (loaded, reason) = match &record.outcome {
                Ok(_) if record.losses.is_empty() => {
                    entry.loaded += 1;
                    continue;
                }
                Ok(_) => {
                    entry.loaded += 1;
                    entry.partly += 1;
                    (true, record.losses.join("; "))
                }
                Err(reason) => {
                    entry.failed += 1;
                    (false, reason.clone())
                }
            };
            let (number, start) = (record.number, Some(record.start));
            self.failures.append(&ReportedRecord {
                number,
                first_byte: start,
                reason: &reason,
                loaded,
                raw: &record.raw,
            })?;
        }
        entry.told = i64::try_from(self.failures.length()).map_err(|error| anyhow!(error))?;
        Ok(())
    }
}
