//! Brings over one type of records, batch by batch: each batch is checked as a whole and copied in one transaction with the ledger. Where the
//! database refuses a batch, its halves are tried, down to the one record that it is about.

use std::path::Path;

use anyhow::Result;
use octavo_engine::Context;
use octavo_engine::load::{Ready, copy, prepare_kept};
use octavo_kernel::Fault;
use octavo_pg::{Session, Statement};
use octavo_record::table_name;
use serde_json::Value;
use uuid::Uuid;

use super::forms;
use super::ledger::{Entry, Ledger};
use super::page::Read;
use super::plan::Kind;
use super::source::Source;
use crate::load::failures::{Failures, Told};
use crate::load::progress::Progress;
use crate::load::{in_words, reason};

/// One type on its way.
pub(super) struct Taking<'a> {
    pub(super) context: &'a Context,
    pub(super) ledger: &'a Ledger,
    pub(super) kind: Kind,
    session: Session,
    entry: Entry,
    failures: Failures,
}

struct Checked {
    number: i64,
    raw: String,
    outcome: Result<Ready, String>,
}

/// Where the type stands once a part is stored.
struct Stand<'a> {
    place: Option<&'a str>,
    part: i64,
    last: bool,
}

impl<'a> Taking<'a> {
    pub(super) async fn begin(
        context: &'a Context,
        ledger: &'a Ledger,
        kind: Kind,
        folder: &Path,
    ) -> Result<Taking<'a>> {
        let mut session = context.session().await.map_err(in_words)?;
        let entry = ledger.read(&mut session, kind.table()).await?.unwrap_or_default();
        let failures = Failures::open(Path::new(kind.table()), Some(folder), entry.told)?;
        Ok(Taking { context, ledger, kind, session, entry, failures })
    }

    /// Goes on from where it stands to the end of the source.
    pub(super) async fn carry_out(mut self, source: &mut Source) -> Result<Entry> {
        let total = if self.entry.done { None } else { source.count(&self.kind).await? };
        let first = self.entry.read.unsigned_abs();
        let mut progress = Progress::new(self.kind.table(), first, total.unwrap_or(0));
        while !self.entry.done {
            match source.page(&self.kind, &self.entry.place, &mut self.session).await? {
                Read::Absent(why) => {
                    let entry = Entry { done: true, absent: Some(why), ..self.entry.clone() };
                    self.ledger.note(self.context, self.kind.table(), &entry).await?;
                    self.entry = entry;
                }
                Read::Page { records, place, last } => {
                    if self.entry.place.is_empty() && self.entry.part == 0 {
                        self.make_room().await?;
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

    /// Removes what the new tenant has of itself: defaults, and what triggers wrote beside records that were brought over before. What other
    /// records refer to stays.
    async fn make_room(&mut self) -> Result<()> {
        let table = table_name(self.kind.record);
        let sql = format!("delete from {table} where {}", self.kind.condition());
        match self.session.transaction(vec![Statement::new(sql)]).await {
            Ok(_) => Ok(()),
            Err(error) if error.is(octavo_pg::DbError::FOREIGN_KEY) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn write(&mut self, records: Vec<Value>, place: String, last: bool) -> Result<()> {
        let before = self.entry.part;
        let mut checked = self.check(records).await?;
        let mut parts = vec![(0, checked.len())];
        while let Some((from, to)) = parts.pop() {
            // The place moves on with the last part.
            let stand = match parts.is_empty() {
                true => Stand { place: Some(&place), part: 0, last },
                false => Stand { place: None, part: before + i64::try_from(to)?, last: false },
            };
            match self.store(&checked[from..to], &stand).await {
                Ok(()) => {}
                // The database is away, busy or full: that is about no record.
                Err(fault) if fault.status > 500 => return Err(in_words(fault)),
                Err(fault) if to - from <= 1 => {
                    let record = checked.get_mut(from).filter(|record| record.outcome.is_ok());
                    let Some(record) = record else { return Err(in_words(fault)) };
                    record.outcome = Err(reason(&fault));
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

    async fn check(&mut self, records: Vec<Value>) -> Result<Vec<Checked>> {
        let done = usize::try_from(self.entry.part)?;
        let wanted = records.into_iter().filter(|record| self.kind.is_wanted(record)).skip(done);
        let wanted: Vec<Value> = wanted.collect();
        let raw: Vec<String> = wanted.iter().map(Value::to_string).collect();
        let key = self.kind.key();
        let ids: Vec<Option<Uuid>> =
            wanted.iter().map(|record| Uuid::parse_str(record[key].as_str()?).ok()).collect();
        let mut ready = match self.kind.form() {
            Some(form) => wanted.iter().map(form.ready).collect(),
            None => {
                let ready = prepare_kept(self.context, &mut self.session, self.kind.record, wanted).await;
                ready.map_err(in_words)?
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
        let checked = numbered.map(|((number, raw), outcome)| Checked {
            number,
            raw,
            outcome: outcome.map_err(|fault| reason(&fault)),
        });
        Ok(checked.collect())
    }

    /// Stores all records of a part or none, and with them the ledger and the file of refused records.
    async fn store(&mut self, part: &[Checked], stand: &Stand<'_>) -> Result<(), Fault> {
        let before = self.failures.length();
        let mut entry = self.entry.clone();
        let fault = |error: anyhow::Error| Fault::internal(std::io::Error::other(error.to_string()));
        self.tell(part, &mut entry).map_err(fault)?;
        if let Some(place) = stand.place {
            place.clone_into(&mut entry.place);
        }
        (entry.part, entry.done) = (stand.part, stand.last);
        let mut rows: Vec<&Ready> = part.iter().filter_map(|record| record.outcome.as_ref().ok()).collect();
        let mut also = vec![self.ledger.write(self.kind.table(), &entry)];
        if let Some(form) = self.kind.form() {
            also.push(forms::append(form, &rows));
            rows.clear();
        }
        let stored = copy(self.context, &mut self.session, &[(self.kind.record, rows)], also).await;
        match stored {
            Ok(()) => self.entry = entry,
            Err(_) => self.failures.keep(before).map_err(fault)?,
        }
        stored
    }

    fn tell(&mut self, part: &[Checked], entry: &mut Entry) -> Result<()> {
        for record in part {
            entry.read += 1;
            match &record.outcome {
                Ok(_) => entry.taken += 1,
                Err(reason) => {
                    entry.refused += 1;
                    let raw = if self.kind.is_secret() { "" } else { &record.raw };
                    let raw = raw.as_bytes();
                    let told = Told { number: record.number, start: None, reason, loaded: false, raw };
                    self.failures.tell(&told)?;
                }
            }
        }
        entry.told = i64::try_from(self.failures.length())?;
        Ok(())
    }
}
