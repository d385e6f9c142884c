//! Brings over one type of records, batch by batch: each batch is checked as a whole and copied in one transaction with the ledger. Where the
//! database refuses a batch, its halves are tried, down to the one record that it is about.

use std::path::Path;

use anyhow::Result;
use octavo_engine::Context;
use octavo_engine::load::{PreparedRecord, copy, prepare_imported};
use octavo_kernel::Fault;
use octavo_pg::Session;
use serde_json::Value;
use uuid::Uuid;

use super::defaults::delete_default_records;
use super::forms;
use super::ledger::{Entry, Ledger};
use super::page::ReadOutcome;
use super::plan::Kind;
use super::source::Source;
use crate::load::failures::{Failures, ReportedRecord};
use crate::load::progress::Progress;
use crate::load::{fault_message, fault_to_error};

/// Brings over the records of one type.
pub(super) struct Transfer<'a> {
    pub(super) context: &'a Context,
    pub(super) ledger: &'a Ledger,
    pub(super) kind: Kind,
    /// The folder of the report.
    folder: &'a Path,
    session: Session,
    entry: Entry,
    failures: Failures,
}

struct CheckedRecord {
    number: i64,
    raw: String,
    outcome: Result<PreparedRecord, String>,
}

/// The position that is written into the ledger with a stored part.
struct TransferState<'a> {
    place: Option<&'a str>,
    part: i64,
    last: bool,
}

impl<'a> Transfer<'a> {
    pub(super) async fn begin(
        context: &'a Context,
        ledger: &'a Ledger,
        kind: Kind,
        folder: &'a Path,
    ) -> Result<Transfer<'a>> {
        let mut session = context.session().await.map_err(fault_to_error)?;
        let entry = ledger.read(&mut session, kind.table()).await?.unwrap_or_default();
        let failures = Failures::open(Path::new(kind.table()), Some(folder), entry.told)?;
        Ok(Transfer { context, ledger, kind, folder, session, entry, failures })
    }

    /// Brings over all records from the stored position to the end of the source.
    pub(super) async fn transfer_all(mut self, source: &mut Source) -> Result<Entry> {
        let total = if self.entry.done { None } else { source.count_records(&self.kind).await? };
        let first = self.entry.read.unsigned_abs();
        let mut progress = Progress::new(self.kind.table(), first, total.unwrap_or(0));
        while !self.entry.done {
            match source.read_page(&self.kind, &self.entry.place, &mut self.session).await? {
                ReadOutcome::Absent(why) => {
                    let entry = Entry { done: true, absent: Some(why), ..self.entry.clone() };
                    self.ledger.save(self.context, self.kind.table(), &entry).await?;
                    self.entry = entry;
                }
                ReadOutcome::Page { records, place, last } => {
                    if self.entry.place.is_empty() && self.entry.part == 0 {
                        delete_default_records(&mut self.session, &self.kind, self.folder).await?;
                    }
                    self.write(records, place, last).await?;
                    let read = self.entry.read.unsigned_abs();
                    progress.show(read, read - first);
                }
            }
        }
        progress.clear();
        Ok(self.entry)
    }

    async fn write(&mut self, records: Vec<Value>, place: String, last: bool) -> Result<()> {
        let before = self.entry.part;
        let mut checked = self.check(records).await?;
        let mut parts = vec![(0, checked.len())];
        while let Some((from, to)) = parts.pop() {
            // The position is advanced only with the last part of a page.
            let state = match parts.is_empty() {
                true => TransferState { place: Some(&place), part: 0, last },
                false => TransferState { place: None, part: before + i64::try_from(to)?, last: false },
            };
            match self.store(&checked[from..to], &state).await {
                Ok(()) => {}
                // The database cannot be reached, is busy or is full: that is no fault of a record.
                Err(fault) if fault.status > 500 => return Err(fault_to_error(fault)),
                Err(fault) if to - from <= 1 => {
                    let record = checked.get_mut(from).filter(|record| record.outcome.is_ok());
                    let Some(record) = record else { return Err(fault_to_error(fault)) };
                    record.outcome = Err(fault_message(&fault));
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

    async fn check(&mut self, records: Vec<Value>) -> Result<Vec<CheckedRecord>> {
        let done = usize::try_from(self.entry.part)?;
        let wanted = records.into_iter().filter(|record| self.kind.is_wanted(record)).skip(done);
        let wanted: Vec<Value> = wanted.collect();
        let raw: Vec<String> = wanted.iter().map(Value::to_string).collect();
        let key = self.kind.id_member();
        let ids: Vec<Option<Uuid>> =
            wanted.iter().map(|record| Uuid::parse_str(record[key].as_str()?).ok()).collect();
        let mut ready = match self.kind.form() {
            Some(form) => wanted.iter().map(form.to_row).collect(),
            None => {
                let ready = prepare_imported(self.context, &mut self.session, self.kind.record, wanted).await;
                ready.map_err(fault_to_error)?
            }
        };
        for (ready, id) in ready.iter_mut().zip(ids) {
            // A type whose id has another name has no member `id`: it came out with a fresh one.
            if let (Ok(ready), Some(id)) = (ready, id)
                && ready.id != id
            {
                ready.id = id;
                ready.document.as_object_mut().map(|members| members.remove("id"));
            }
        }
        let numbered = (self.entry.read + 1..).zip(raw).zip(ready);
        let checked = numbered.map(|((number, raw), outcome)| CheckedRecord {
            number,
            raw,
            outcome: outcome.map_err(|fault| fault_message(&fault)),
        });
        Ok(checked.collect())
    }

    /// Stores all records of a part or none, and with them the ledger and the file of refused records.
    async fn store(&mut self, part: &[CheckedRecord], state: &TransferState<'_>) -> Result<(), Fault> {
        let before = self.failures.length();
        let mut entry = self.entry.clone();
        let fault = |error: anyhow::Error| Fault::internal(std::io::Error::other(error.to_string()));
        self.report_refused(part, &mut entry).map_err(fault)?;
        if let Some(place) = state.place {
            place.clone_into(&mut entry.place);
        }
        (entry.part, entry.done) = (state.part, state.last);
        let mut rows: Vec<&PreparedRecord> =
            part.iter().filter_map(|record| record.outcome.as_ref().ok()).collect();
        let mut also = vec![self.ledger.write_statement(self.kind.table(), &entry)];
        if let Some(form) = self.kind.form() {
            also.push(forms::append_statement(form, &rows));
            rows.clear();
        }
        let stored = copy(self.context, &mut self.session, &[(self.kind.record, rows)], also).await;
        match stored {
            Ok(()) => self.entry = entry,
            Err(_) => self.failures.truncate(before).map_err(fault)?,
        }
        stored
    }

    fn report_refused(&mut self, part: &[CheckedRecord], entry: &mut Entry) -> Result<()> {
        for record in part {
            entry.read += 1;
            match &record.outcome {
                Ok(_) => entry.taken += 1,
                Err(reason) => {
                    entry.refused += 1;
                    let raw = if self.kind.is_secret() { "" } else { &record.raw };
                    let raw = raw.as_bytes();
                    let told = ReportedRecord {
                        number: record.number,
                        first_byte: None,
                        reason,
                        loaded: false,
                        raw,
                    };
                    self.failures.append(&told)?;
                }
            }
        }
        entry.told = i64::try_from(self.failures.length())?;
        Ok(())
    }
}
