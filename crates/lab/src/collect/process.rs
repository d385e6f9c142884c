//! Processes of this machine, from Linux's `/proc`: processor time, memory, threads, open files.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Result, bail};

use super::lines::Lines;
use super::thread::Found;
use super::wanted::Which;

/// Linux counts processor time in these, whatever the kernel's own clock.
const TICKS_A_SECOND: f64 = 100.0;

pub(super) struct Process {
    name: String,
    which: Which,
    lines: Lines,
    /// Processor time by process at the last reading, and when that was.
    before: BTreeMap<u32, f64>,
    at: f64,
}

impl Process {
    pub(super) fn begin(name: &str, which: &Which) -> Result<Process> {
        let mut process = Process {
            name: name.to_owned(),
            which: which.clone(),
            lines: Lines::new("process"),
            before: BTreeMap::new(),
            at: 0.0,
        };
        process.before = process.stats()?.iter().map(|(id, stat)| (*id, stat.cpu)).collect();
        Ok(process)
    }

    pub(super) fn sample(&mut self, seconds: f64) -> Result<()> {
        let stats = self.stats()?;
        let spent = stats.iter().map(|(id, stat)| {
            // One that is new has spent all its time since the last reading; what ended is lost from there on.
            (stat.cpu - self.before.get(id).copied().unwrap_or(0.0)).max(0.0)
        });
        let spent: f64 = spent.sum();
        let name = self.name.as_str();
        if seconds > self.at {
            self.lines.add(name, ("cpu", "cores"), seconds, spent / (seconds - self.at));
        }
        let memory = memory_mb(stats.keys().copied());
        self.lines.add(name, ("memory", "MB"), seconds, memory);
        let threads: u64 = stats.values().map(|stat| stat.threads).sum();
        self.lines.add(name, ("threads", ""), seconds, threads as f64);
        let files = stats.keys().filter_map(|id| fs::read_dir(format!("/proc/{id}/fd")).ok());
        let files: usize = files.map(Iterator::count).sum();
        if files > 0 {
            self.lines.add(name, ("files", ""), seconds, files as f64);
        }
        self.before = stats.into_iter().map(|(id, stat)| (id, stat.cpu)).collect();
        self.at = seconds;
        Ok(())
    }

    pub(super) fn found(self) -> Found {
        let (series, told) = self.lines.finish();
        Found { series, notes: told.into_iter().collect(), ..Found::default() }
    }

    fn stats(&self) -> Result<BTreeMap<u32, Stat>> {
        let ids = match &self.which {
            Which::Id(id) => vec![*id],
            Which::Family(id) => {
                others().filter(|other| other == id || parent(*other) == Some(*id)).collect()
            }
            Which::Named(name) => named(name),
        };
        let stats: BTreeMap<u32, Stat> = ids.into_iter().filter_map(|id| Some((id, Stat::of(id)?))).collect();
        if stats.is_empty() {
            match &self.which {
                Which::Id(id) | Which::Family(id) => bail!("there is no process {id} on this machine"),
                Which::Named(name) => bail!("there is no process {name} on this machine"),
            }
        }
        Ok(stats)
    }
}

/// Those of a name; if there is none, those with it in their command line. Never the laboratory itself.
fn named(name: &str) -> Vec<u32> {
    let all: Vec<u32> = others().collect();
    let is = |id: &u32| {
        fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|comm| comm.trim_end() == cut(name))
    };
    let of_name: Vec<u32> = all.iter().copied().filter(is).collect();
    if !of_name.is_empty() {
        return of_name;
    }
    let has = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(name)
    };
    all.into_iter().filter(has).collect()
}

/// As Linux keeps the names of processes.
fn cut(name: &str) -> &str {
    name.get(..15).unwrap_or(name)
}

/// Of several processes: what each has of its own, and what they share once, taken as what the largest has of it.
fn memory_mb(ids: impl Iterator<Item = u32>) -> f64 {
    let (mut own, mut shared) = (0.0, 0.0f64);
    for id in ids {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let kilobytes = |field: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0)
        };
        own += kilobytes("RssAnon:");
        shared = shared.max(kilobytes("RssFile:") + kilobytes("RssShmem:"));
    }
    (own + shared) / 1024.0
}

#[derive(Debug, PartialEq)]
struct Stat {
    cpu: f64,
    threads: u64,
}

impl Stat {
    /// None if there is no such process.
    fn of(id: u32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    /// The name in brackets may hold anything; fields are counted from behind it (proc(5)).
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Stat { cpu: (number(11)? + number(12)?) as f64 / TICKS_A_SECOND, threads: number(17)? })
    }
}

/// The process that started another, if both are PostgreSQL's: the server, where it runs on this machine.
pub(super) fn postmaster(child: u32) -> Option<u32> {
    let is_postgres = |id: u32| {
        fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|comm| comm.starts_with("postgres"))
    };
    parent(child).filter(|id| is_postgres(child) && is_postgres(*id))
}

fn parent(id: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// All processes of this machine but the laboratory itself.
fn others() -> impl Iterator<Item = u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| *id != std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_no_obstacle() {
        let text = "7 (a) b (c)) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 12 0 900 0 0";
        assert_eq!(Stat::parse(text), Some(Stat { cpu: 0.56, threads: 12 }));
    }

    #[test]
    fn a_process_is_watched_by_its_id() {
        let own = std::process::id();
        let mut process = Process::begin("tests", &Which::Id(own)).unwrap();
        process.sample(1.0).unwrap();
        let found = process.found();
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
        let told = |which: Which| Process::begin("x", &which).err().unwrap().to_string();
        assert_eq!(told(Which::Id(u32::MAX)), "there is no process 4294967295 on this machine");
        let name = "no-such-program".to_owned();
        assert_eq!(told(Which::Named(name)), "there is no process no-such-program on this machine");
    }
}
