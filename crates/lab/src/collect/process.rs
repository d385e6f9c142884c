//! Processes of this machine, from Linux's `/proc`: processor time, memory, threads, open files.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Result, bail};

use crate::process::{Stat, memory_kb, process_ids, process_name};

use super::found::Findings;
use super::lines::CollectorSeries;
use super::wanted::ProcessSelector;

pub(super) struct Process {
    name: String,
    which: ProcessSelector,
    series: CollectorSeries,
    /// Processor time in seconds of each process at the last reading, and (next field) the time of that reading in seconds of the run.
    cpu_before: BTreeMap<u32, f64>,
    last_reading_seconds: f64,
}

impl Process {
    pub(super) fn begin(name: &str, which: &ProcessSelector) -> Result<Process> {
        let mut process = Process {
            name: name.to_owned(),
            which: which.clone(),
            series: CollectorSeries::new("process"),
            cpu_before: BTreeMap::new(),
            last_reading_seconds: 0.0,
        };
        process.cpu_before = process.stats()?.iter().map(|(id, stat)| (*id, stat.own_cpu_seconds)).collect();
        Ok(process)
    }

    pub(super) fn sample(&mut self, seconds: f64) -> Result<()> {
        let stats = self.stats()?;
        let spent = stats.iter().map(|(id, stat)| {
            // A new process has spent all its time since the last reading; the rest of an ended one is lost.
            (stat.own_cpu_seconds - self.cpu_before.get(id).copied().unwrap_or(0.0)).max(0.0)
        });
        let spent: f64 = spent.sum();
        let name = self.name.as_str();
        if seconds > self.last_reading_seconds {
            self.series.add(name, ("cpu", "cores"), seconds, spent / (seconds - self.last_reading_seconds));
        }
        let memory = memory_mb(stats.keys().copied());
        self.series.add(name, ("memory", "MB"), seconds, memory);
        let threads: u64 = stats.values().map(|stat| stat.threads).sum();
        self.series.add(name, ("threads", ""), seconds, threads as f64);
        let files = stats.keys().filter_map(|id| fs::read_dir(format!("/proc/{id}/fd")).ok());
        let files: usize = files.map(Iterator::count).sum();
        if files > 0 {
            self.series.add(name, ("files", ""), seconds, files as f64);
        }
        self.cpu_before = stats.into_iter().map(|(id, stat)| (id, stat.own_cpu_seconds)).collect();
        self.last_reading_seconds = seconds;
        Ok(())
    }

    pub(super) fn into_findings(self) -> Findings {
        let (series, told) = self.series.finish();
        Findings { series, notes: told.into_iter().collect(), ..Findings::default() }
    }

    fn stats(&self) -> Result<BTreeMap<u32, Stat>> {
        let ids = match &self.which {
            ProcessSelector::Id(id) => vec![*id],
            ProcessSelector::Family(id) => {
                other_process_ids().filter(|other| other == id || parent_id(*other) == Some(*id)).collect()
            }
            ProcessSelector::Named(name) => ids_by_name(name),
        };
        let stats: BTreeMap<u32, Stat> =
            ids.into_iter().filter_map(|id| Some((id, Stat::read(id)?))).collect();
        if stats.is_empty() {
            match &self.which {
                ProcessSelector::Id(id) | ProcessSelector::Family(id) => {
                    bail!("there is no process {id} on this machine")
                }
                ProcessSelector::Named(name) => bail!("there is no process {name} on this machine"),
            }
        }
        Ok(stats)
    }
}

/// The ids of the processes of a name; if there is none, of those with it in their command line. Never the laboratory itself.
fn ids_by_name(wanted: &str) -> Vec<u32> {
    let all: Vec<u32> = other_process_ids().collect();
    let is = |id: &u32| self::process_name(*id).is_some_and(|known| known == truncate_name(wanted));
    let of_name: Vec<u32> = all.iter().copied().filter(is).collect();
    if !of_name.is_empty() {
        return of_name;
    }
    let has = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(wanted)
    };
    all.into_iter().filter(has).collect()
}

/// A name as long as Linux keeps the names of processes.
fn truncate_name(name: &str) -> &str {
    name.get(..15).unwrap_or(name)
}

/// The memory of several processes in MB: the sum of their private memory, and once the shared memory, as large as in the process that maps
/// most of it.
fn memory_mb(ids: impl Iterator<Item = u32>) -> f64 {
    let (mut own, mut shared) = (0.0, 0.0f64);
    for id in ids {
        let kilobytes = |field: &str| memory_kb(id, field).unwrap_or(0) as f64;
        own += kilobytes("RssAnon");
        shared = shared.max(kilobytes("RssFile") + kilobytes("RssShmem"));
    }
    (own + shared) / 1024.0
}

/// The process that started another, if both are PostgreSQL's: the server, where it runs on this machine.
pub(super) fn postmaster(child: u32) -> Option<u32> {
    let is_postgres = |id: u32| process_name(id).is_some_and(|name| name.starts_with("postgres"));
    parent_id(child).filter(|id| is_postgres(child) && is_postgres(*id))
}

fn parent_id(id: u32) -> Option<u32> {
    Some(Stat::read(id)?.parent_id)
}

/// All processes of this machine but the laboratory itself.
fn other_process_ids() -> impl Iterator<Item = u32> {
    process_ids().filter(|id| *id != std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_watched_by_its_id() {
        let own = std::process::id();
        let mut process = Process::begin("tests", &ProcessSelector::Id(own)).unwrap();
        process.sample(1.0).unwrap();
        let found = process.into_findings();
        let value = |measure: &str| {
            let series = found.series.iter().find(|series| series.measure == measure).unwrap();
            (series.subject.as_str(), series.points[0].1)
        };
        assert_eq!(value("memory").0, "tests");
        assert!(value("memory").1 > 1.0 && value("threads").1 >= 1.0 && value("files").1 >= 3.0);
        assert!(found.series.iter().all(|series| series.source == "process"));
    }

    #[test]
    fn a_process_that_is_not_there_is_named() {
        let told = |which: ProcessSelector| Process::begin("x", &which).err().unwrap().to_string();
        assert_eq!(told(ProcessSelector::Id(u32::MAX)), "there is no process 4294967295 on this machine");
        let name = "no-such-program".to_owned();
        assert_eq!(told(ProcessSelector::Named(name)), "there is no process no-such-program on this machine");
    }
}
