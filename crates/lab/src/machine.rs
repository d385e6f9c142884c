//! Describes the machine on which the laboratory runs. A figure without its machine has no meaning.

use std::fs;
use std::path::Path;

/// `2 cores (AMD EPYC), 24 GB, Linux 6.1.0`
pub fn describe() -> String {
    let cores = cores();
    let memory = proc_field("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kilobytes: u64 = memory.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let model = proc_field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{cores} cores ({model}), {} GB, Linux {}",
        (kilobytes + 512 * 1024) / (1024 * 1024),
        kernel.trim()
    )
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(0, usize::from)
}

/// Clock ticks per second in `/proc`, independent of the kernel's own timer frequency.
pub(crate) const TICKS_A_SECOND: f64 = 100.0;

/// Seconds of processor time that all programs on the machine used since it started.
pub fn busy_seconds() -> Option<f64> {
    parse_busy_seconds(&fs::read_to_string("/proc/stat").ok()?)
}

/// `cpu  user nice system idle iowait irq softirq steal ...`
fn parse_busy_seconds(stat: &str) -> Option<f64> {
    let ticks = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Vec<f64> = ticks.filter_map(|one| one.parse().ok()).take(8).collect();
    let idle = ticks.get(3)? + ticks.get(4)?;
    Some((ticks.iter().sum::<f64>() - idle) / TICKS_A_SECOND)
}

/// The load average of the last minute: processes that ran or waited for a processor.
pub(crate) fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The type of the file system that contains a folder. On tmpfs, for example, a commit costs nothing.
pub fn file_system(folder: &Path) -> String {
    file_system_at(&fs::read_to_string("/proc/mounts").unwrap_or_default(), folder)
}

fn file_system_at(mounts: &str, folder: &Path) -> String {
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let holding = mounts.filter(|(point, _)| folder.starts_with(point));
    // If two file systems are mounted at one place, the later one is in use.
    holding.max_by_key(|(point, _)| point.len()).map_or("unknown", |(_, kind)| kind).to_owned()
}

fn proc_field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_that_wait_for_the_disk_or_for_nothing_do_not_work() {
        let stat = "cpu  100 20 30 5000 400 5 10 35 0 0\ncpu0 1 2 3 4\n";
        assert_eq!(parse_busy_seconds(stat), Some(2.0));
        assert!(cores() > 0 && busy_seconds().unwrap() > 0.0 && load_average().is_some());
    }

    #[test]
    fn idle_time_is_not_busy() {
        assert_eq!(parse_busy_seconds("cpu  10 1 20 5000 300 2 3 4 0 0\ncpu0 1"), Some(0.4));
    }

    #[test]
    fn the_innermost_mount_holds_the_folder() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\ntmpfs /t tmpfs rw 0 0";
        assert_eq!(file_system_at(mounts, Path::new("/tmp/a")), "tmpfs");
        assert_eq!(file_system_at(mounts, Path::new("/var/tmp")), "ext4");
    }
}
