//! What processes took of processor and memory, from Linux's /proc.

use std::fs;

use anyhow::{Context, Result, anyhow};

/// Linux counts processor time in these, whatever the kernel's own clock.
const TICKS_A_SECOND: f64 = 100.0;

/// Processor time in seconds, up to now.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Spent {
    pub(crate) server: f64,
    pub(crate) postgres: f64,
    pub(crate) client: f64,
    /// Of the whole machine.
    pub(crate) all: f64,
}

/// Whose time is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watched {
    pub(crate) server: u32,
    pub(crate) postmaster: u32,
}

impl Watched {
    /// Of pgbench's turns too: what ended and was waited for counts with its parent.
    pub(crate) fn spent(self) -> Result<Spent> {
        let ticks = |ticks: u64| ticks as f64 / TICKS_A_SECOND;
        Ok(Spent {
            server: ticks(Stat::of(self.server)?.own),
            postgres: ticks(family(self.postmaster)?),
            client: ticks(Stat::of(std::process::id())?.all()),
            all: ticks(machine()?),
        })
    }
}

impl Spent {
    pub(crate) fn since(self, before: Spent) -> Spent {
        Spent {
            server: self.server - before.server,
            postgres: self.postgres - before.postgres,
            client: self.client - before.client,
            all: self.all - before.all,
        }
    }

    /// What neither side took.
    pub(crate) fn others(self) -> f64 {
        (self.all - self.server - self.postgres - self.client).max(0.0)
    }
}

/// Memory in kB: `VmRSS` is held now, `VmHWM` was held at most.
pub(crate) fn memory(pid: u32, field: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.with_context(|| format!("/proc/{pid}/status has no {field}"))
}

struct Stat {
    parent: u32,
    own: u64,
    children: u64,
}

impl Stat {
    fn of(pid: u32) -> Result<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
        Stat::parse(&text).ok_or_else(|| anyhow!("/proc/{pid}/stat can't be read: {text}"))
    }

    /// The name in brackets may hold anything; fields are counted from behind it (proc(5)).
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Stat {
            parent: u32::try_from(number(1)?).ok()?,
            own: number(11)? + number(12)?,
            children: number(13)? + number(14)?,
        })
    }

    fn all(&self) -> u64 {
        self.own + self.children
    }
}

/// A process, its children, and those that it has waited for.
fn family(pid: u32) -> Result<u64> {
    let mut ticks = Stat::of(pid)?.all();
    for entry in fs::read_dir("/proc")?.flatten() {
        let child = entry.file_name().to_str().and_then(|name| name.parse().ok());
        // One that ended meanwhile is its parent's by now, and missed once.
        if let Some(Ok(stat)) = child.map(Stat::of)
            && stat.parent == pid
        {
            ticks += stat.all();
        }
    }
    Ok(ticks)
}

/// What every processor did that was not idling or waiting for a disk.
fn machine() -> Result<u64> {
    let text = fs::read_to_string("/proc/stat")?;
    busy(&text).ok_or_else(|| anyhow!("/proc/stat can't be read"))
}

fn busy(stat: &str) -> Option<u64> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let fields: Vec<u64> = line.split_whitespace().map_while(|field| field.parse().ok()).collect();
    // user, nice, system, idle, iowait, irq, softirq, steal
    let counted = [0, 1, 2, 5, 6, 7];
    counted.iter().map(|at| fields.get(*at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_no_obstacle() {
        let text = "7 (a) b (c)) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 1 0 9 0 0";
        let stat = Stat::parse(text).unwrap();
        assert_eq!((stat.parent, stat.own, stat.children), (3, 56, 78));
    }

    #[test]
    fn idle_time_is_not_busy() {
        assert_eq!(busy("cpu  10 1 20 5000 300 2 3 4 0 0\ncpu0 1"), Some(40));
    }
}
