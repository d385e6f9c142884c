//! PostgreSQL through its own views. Counters are read before and after the load, sessions and sizes all the time; what large
//! tables were read from end to end for is looked up afterwards.
//!
//! It only reads: a plan is asked for with EXPLAIN, which runs nothing, in a transaction that cannot write.

mod ask;
mod changes;
mod condition;
mod missing;
mod views;

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use octavo_pg::Database;

use super::found::{DatabaseUse, Found};
use super::lines::{Lines, Rates};
use super::process::{Process, postmaster};
use super::wanted::Which;
use ask::{ask, connect, one};
use views::{Activity, Who};

pub(super) struct Postgres {
    name: String,
    database: Database,
    lines: Lines,
    rates: Rates,
    /// The processes of the server, if it runs on this machine.
    process: Option<Process>,
    who: Who,
    before: changes::Reading,
    /// Sessions at work, by what they waited for, added up over the samples.
    waits: BTreeMap<String, f64>,
    samples: f64,
    found: DatabaseUse,
}

impl Postgres {
    pub(super) async fn begin(name: &str, url: &str) -> Result<Postgres> {
        let database = connect(url)?;
        let mut session = ask::session(&database).await?;
        let who: Who = one(&mut session, views::WHO).await?;
        let before = changes::Reading::take(&mut session, &who).await?;
        drop(session);
        let process =
            postmaster(who.backend).map(|id| Process::begin(&format!("{name} server"), &Which::Family(id)));
        Ok(Postgres {
            name: name.to_owned(),
            database,
            lines: Lines::new("PostgreSQL"),
            rates: Rates::default(),
            process: process.transpose().unwrap_or(None),
            who,
            before,
            waits: BTreeMap::new(),
            samples: 0.0,
            found: DatabaseUse::default(),
        })
    }

    pub(super) async fn sample(&mut self, seconds: f64) -> Result<()> {
        if let Some(process) = &mut self.process {
            process.sample(seconds)?;
        }
        let mut session = ask::session(&self.database).await?;
        let totals = one(&mut session, views::TOTALS).await?;
        let sessions: Vec<Activity> = ask(&mut session, views::ACTIVITY).await?;
        drop(session);
        self.add_sessions(seconds, &sessions);
        self.add_totals(seconds, &totals);
        Ok(())
    }

    fn add_sessions(&mut self, seconds: f64, sessions: &[Activity]) {
        let count = |of: &dyn Fn(&&Activity) -> bool| -> f64 {
            sessions.iter().filter(of).map(|one| one.sessions).sum()
        };
        for (measure, value) in [
            ("active connections", count(&|one| one.state == "active")),
            ("idle connections", count(&|one| one.state == "idle")),
            ("connections idle in a transaction", count(&|one| one.state.starts_with("idle in transaction"))),
            ("waiting for a lock", count(&|one| one.waits_for.starts_with("Lock"))),
        ] {
            self.lines.add(&self.name, (measure, ""), seconds, value);
        }
        self.samples += 1.0;
        for one in sessions.iter().filter(|one| one.state == "active") {
            *self.waits.entry(one.waits_for.clone()).or_default() += one.sessions;
        }
    }

    fn add_totals(&mut self, seconds: f64, totals: &DatabaseUse) {
        self.rates.read_at(seconds);
        self.lines.add(&self.name, ("size", "MB"), seconds, totals.size_mb.1);
        let [transactions, hit, read, wal] = [
            ("transactions", totals.commits + totals.rollbacks),
            ("pages hit", totals.pages_hit),
            ("pages read", totals.pages_read),
            ("write-ahead log", totals.wal_mb),
        ]
        .map(|(name, value)| self.rates.per_second(name, value));
        for (measure, value) in [
            (("transactions", "1/s"), transactions),
            (("pages read", "1/s"), read),
            (("write-ahead log", "MB/s"), wal),
        ] {
            if let Some(value) = value {
                self.lines.add(&self.name, measure, seconds, value);
            }
        }
        if let (Some(hit), Some(read)) = (hit, read)
            && hit + read > 0.0
        {
            self.lines.add(&self.name, ("pages found in memory", "%"), seconds, 100.0 * hit / (hit + read));
        }
    }

    pub(super) async fn end(&mut self, seconds: f64) -> Result<()> {
        self.sample(seconds).await?;
        let mut session = ask::session(&self.database).await?;
        let after = changes::Reading::take(&mut session, &self.who).await?;
        let mut found = self.before.to(&after);
        let texts = changes::texts(&mut session, &self.who, &found.statements).await?;
        found.put(&texts);
        let mut uses = found.uses;
        uses.unused = ask(&mut session, views::UNUSED).await.context("unused indexes")?;
        if !self.who.has_statements() {
            uses.notes.push(NO_STATEMENTS.to_owned());
        }
        let missing = missing::find(&mut session, &self.who, &uses.tables, &texts).await;
        match missing.context("missing indexes were not looked for") {
            Ok(missing) => uses.missing = missing,
            Err(error) => uses.notes.push(format!("{error:#}")),
        }
        if !uses.missing.is_empty() && !self.who.hypopg {
            uses.notes.push(NO_PROOF.to_owned());
        }
        uses.name.clone_from(&self.name);
        uses.version.clone_from(&self.who.version);
        let mean = |(what, sum): (&String, &f64)| (what.clone(), sum / self.samples.max(1.0));
        uses.waits = self.waits.iter().map(mean).collect();
        uses.waits.sort_by(|one, other| other.1.total_cmp(&one.1));
        self.found = uses;
        Ok(())
    }

    pub(super) fn found(self) -> Found {
        let (mut series, told) = self.lines.finish();
        let mut notes: Vec<String> = told.into_iter().collect();
        if let Some(process) = self.process {
            let process = process.found();
            series.extend(process.series);
            notes.extend(process.notes);
        }
        Found { series, database: Some(self.found), notes, ..Found::default() }
    }
}

const NO_STATEMENTS: &str = "single statements are not known: the extension pg_stat_statements is not there, or is not loaded \
     (shared_preload_libraries)";
const NO_PROOF: &str = "whether an index would be used is not proved: the extension hypopg is not there";
