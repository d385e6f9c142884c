//! The collector that reads PostgreSQL's statistics views. It reads counters before and after the load, sessions and sizes during it.
//! Afterwards it looks for the reasons of sequential scans of large tables.
//!
//! The collector changes nothing: it asks for plans with EXPLAIN, which runs no statement, in a read-only transaction.

mod ask;
mod changes;
mod condition;
mod missing;
mod views;

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use octavo_pg::Database;

use super::found::{DatabaseUse, Findings};
use super::lines::{CollectorSeries, Rates};
use super::process::{Process, postmaster};
use super::wanted::ProcessSelector;
use ask::{connect, query_json, query_one_json};
use views::{ServerInfo, SessionCount};

pub(super) struct Postgres {
    name: String,
    database: Database,
    series: CollectorSeries,
    rates: Rates,
    /// The processes of the server, if it runs on this machine.
    process: Option<Process>,
    server_info: ServerInfo,
    before: changes::CounterReading,
    /// The number of active sessions by the event that they waited for, summed over all samples.
    waits: BTreeMap<String, f64>,
    samples: f64,
    database_use: DatabaseUse,
}

impl Postgres {
    pub(super) async fn begin(name: &str, url: &str) -> Result<Postgres> {
        let database = connect(url)?;
        let mut session = ask::open_session(&database).await?;
        let who: ServerInfo = query_one_json(&mut session, views::SERVER_INFO_SQL).await?;
        let before = changes::CounterReading::take(&mut session, &who).await?;
        drop(session);
        let process = postmaster(who.backend)
            .map(|id| Process::begin(&format!("{name} server"), &ProcessSelector::Family(id)));
        Ok(Postgres {
            name: name.to_owned(),
            database,
            series: CollectorSeries::new("PostgreSQL"),
            rates: Rates::default(),
            process: process.transpose().unwrap_or(None),
            server_info: who,
            before,
            waits: BTreeMap::new(),
            samples: 0.0,
            database_use: DatabaseUse::default(),
        })
    }

    pub(super) async fn sample(&mut self, seconds: f64) -> Result<()> {
        if let Some(process) = &mut self.process {
            process.sample(seconds)?;
        }
        let mut session = ask::open_session(&self.database).await?;
        let totals = query_one_json(&mut session, views::TOTALS_SQL).await?;
        let sessions: Vec<SessionCount> = query_json(&mut session, views::ACTIVITY_SQL).await?;
        drop(session);
        self.add_sessions(seconds, &sessions);
        self.add_totals(seconds, &totals);
        Ok(())
    }

    fn add_sessions(&mut self, seconds: f64, sessions: &[SessionCount]) {
        let count = |of: &dyn Fn(&&SessionCount) -> bool| -> f64 {
            sessions.iter().filter(of).map(|one| one.sessions).sum()
        };
        for (measure, value) in [
            ("active connections", count(&|one| one.state == "active")),
            ("idle connections", count(&|one| one.state == "idle")),
            ("connections idle in a transaction", count(&|one| one.state.starts_with("idle in transaction"))),
            ("waiting for a lock", count(&|one| one.waits_for.starts_with("Lock"))),
        ] {
            self.series.add(&self.name, (measure, ""), seconds, value);
        }
        self.samples += 1.0;
        for one in sessions.iter().filter(|one| one.state == "active") {
            *self.waits.entry(one.waits_for.clone()).or_default() += one.sessions;
        }
    }

    fn add_totals(&mut self, seconds: f64, totals: &DatabaseUse) {
        self.rates.start_reading(seconds);
        self.series.add(&self.name, ("size", "MB"), seconds, totals.size_mb.1);
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
                self.series.add(&self.name, measure, seconds, value);
            }
        }
        if let (Some(hit), Some(read)) = (hit, read)
            && hit + read > 0.0
        {
            self.series.add(&self.name, ("pages found in memory", "%"), seconds, 100.0 * hit / (hit + read));
        }
    }

    pub(super) async fn end(&mut self, seconds: f64) -> Result<()> {
        self.sample(seconds).await?;
        let mut session = ask::open_session(&self.database).await?;
        let after = changes::CounterReading::take(&mut session, &self.server_info).await?;
        let mut found = self.before.changes_until(&after);
        let texts = changes::load_statement_texts(&mut session, &self.server_info, &found.statements).await?;
        found.set_statements(&texts);
        let mut uses = found.database_use;
        uses.unused = query_json(&mut session, views::UNUSED_INDEXES_SQL).await.context("unused indexes")?;
        if !self.server_info.has_statements() {
            uses.notes.push(NO_STATEMENTS.to_owned());
        }
        let missing =
            missing::find_missing_indexes(&mut session, &self.server_info, &uses.tables, &texts).await;
        match missing.context("missing indexes were not looked for") {
            Ok(missing) => uses.missing = missing,
            Err(error) => uses.notes.push(format!("{error:#}")),
        }
        if !uses.missing.is_empty() && !self.server_info.hypopg {
            uses.notes.push(NO_PROOF.to_owned());
        }
        uses.name.clone_from(&self.name);
        uses.version.clone_from(&self.server_info.version);
        let mean = |(what, sum): (&String, &f64)| (what.clone(), sum / self.samples.max(1.0));
        uses.waits = self.waits.iter().map(mean).collect();
        uses.waits.sort_by(|one, other| other.1.total_cmp(&one.1));
        self.database_use = uses;
        Ok(())
    }

    pub(super) fn into_findings(self) -> Findings {
        let (mut series, told) = self.series.finish();
        let mut notes: Vec<String> = told.into_iter().collect();
        if let Some(process) = self.process {
            let process = process.into_findings();
            series.extend(process.series);
            notes.extend(process.notes);
        }
        Findings { series, database: Some(self.database_use), notes, ..Findings::default() }
    }
}

const NO_STATEMENTS: &str = "single statements are not known: the extension pg_stat_statements is not there, or is not loaded \
     (shared_preload_libraries)";
const NO_PROOF: &str = "whether an index would be used is not proved: the extension hypopg is not there";
