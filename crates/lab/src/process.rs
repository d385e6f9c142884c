//! Reads the figures of processes of this machine from Linux's `/proc` (proc(5)).

use std::fs;

use crate::machine::TICKS_A_SECOND;

/// The figures of a process in `/proc/ID/stat`. Processor time is in seconds.
#[derive(Debug, PartialEq)]
pub struct Stat {
    pub parent_id: u32,
    /// The processor time of its own threads.
    pub own_cpu_seconds: f64,
    /// The processor time of children that have ended and were waited for.
    pub children_cpu_seconds: f64,
    pub threads: u64,
}

impl Stat {
    /// None if there is no such process.
    pub fn read(id: u32) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    /// The name in brackets may hold anything; fields are counted from behind it.
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        let seconds = |user: usize| Some((number(user)? + number(user + 1)?) as f64 / TICKS_A_SECOND);
        Some(Stat {
            parent_id: u32::try_from(number(1)?).ok()?,
            own_cpu_seconds: seconds(11)?,
            children_cpu_seconds: seconds(13)?,
            threads: number(17)?,
        })
    }
}

/// Processor time in seconds of a process, its children, and the ended children for which they have waited. The time of a child that ends
/// during this reading is missed once.
pub fn family_cpu_seconds(id: u32) -> Option<f64> {
    let all = |stat: &Stat| stat.own_cpu_seconds + stat.children_cpu_seconds;
    let children = process_ids().filter_map(Stat::read).filter(|stat| stat.parent_id == id);
    Some(all(&Stat::read(id)?) + children.map(|stat| all(&stat)).sum::<f64>())
}

/// A field of `/proc/ID/status` in kB: `VmRSS` is the present memory of the process, `VmHWM` the most that it had.
pub fn memory_kb(id: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The name of its program, of which Linux keeps 15 letters.
pub(crate) fn process_name(id: u32) -> Option<String> {
    Some(fs::read_to_string(format!("/proc/{id}/comm")).ok()?.trim_end().to_owned())
}

pub(crate) fn process_ids() -> impl Iterator<Item = u32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_no_obstacle() {
        let text = "7 (a) b (c)) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 12 0 900 0 0";
        let stat = Stat { parent_id: 3, own_cpu_seconds: 0.56, children_cpu_seconds: 0.78, threads: 12 };
        assert_eq!(Stat::parse(text), Some(stat));
    }

    #[test]
    fn a_process_has_taken_processor_time_and_memory() {
        let own = std::process::id();
        assert!(Stat::read(own).unwrap().threads >= 1);
        assert!(family_cpu_seconds(own).unwrap() >= 0.0);
        assert!(memory_kb(own, "VmHWM").unwrap() >= memory_kb(own, "VmRSS").unwrap() / 2);
        assert_eq!((Stat::read(u32::MAX), memory_kb(own, "VmNone")), (None, None));
    }
}
