//! Processor time, memory, threads and files of the process, from Linux's `/proc`, under Prometheus' usual names. What cannot be read
//! is left out.

use std::fs;

use super::page::Page;

/// Linux counts processor time in these, whatever the kernel's own clock.
const TICKS_A_SECOND: f64 = 100.0;

pub(super) fn write_page(page: &mut Page) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    if let Some(Stat { cpu, threads, started }) = Stat::parse(&stat) {
        page.family("process_cpu_seconds_total", "counter", "Processor time of the process");
        page.value(&[], cpu);
        page.family("process_threads", "gauge", "Threads of the process");
        page.value(&[], threads);
        if let Some(boot) = boot_time() {
            page.family("process_start_time_seconds", "gauge", "When the process was started, since 1970");
            page.value(&[], boot + started);
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for (name, field, help) in [
        ("process_resident_memory_bytes", "VmRSS:", "Memory that the process holds"),
        ("process_resident_memory_max_bytes", "VmHWM:", "Memory that the process held at most"),
        ("process_virtual_memory_bytes", "VmSize:", "Address space of the process"),
    ] {
        if let Some(kilobytes) = number_after(&status, field) {
            page.family(name, "gauge", help);
            page.value(&[], kilobytes * 1024);
        }
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        page.family("process_open_fds", "gauge", "Open files and connections");
        page.value(&[], files.count());
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if let Some(most) = number_after(&limits, "Max open files") {
        page.family("process_max_fds", "gauge", "Files and connections that may be open");
        page.value(&[], most);
    }
}

/// The first number behind a name at the beginning of a line.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn boot_time() -> Option<f64> {
    number_after(&fs::read_to_string("/proc/stat").ok()?, "btime").map(|seconds| seconds as f64)
}

#[derive(Debug, PartialEq)]
struct Stat {
    cpu: f64,
    threads: u64,
    /// Seconds since the machine's start.
    started: f64,
}

impl Stat {
    /// The name in brackets may hold anything; fields are counted from behind it (proc(5)).
    fn parse(text: &str) -> Option<Stat> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at)?.parse::<u64>().ok();
        let seconds = |ticks: u64| ticks as f64 / TICKS_A_SECOND;
        Some(Stat {
            cpu: seconds(number(11)? + number(12)?),
            threads: number(17)?,
            started: seconds(number(19)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_is_no_obstacle() {
        let text = "7 (a) b (c)) S 3 7 7 0 -1 4194560 1 2 3 4 50 6 70 8 20 0 12 0 900 0 0";
        assert_eq!(Stat::parse(text), Some(Stat { cpu: 0.56, threads: 12, started: 9.0 }));
        assert_eq!(Stat::parse(""), None);
    }

    #[test]
    fn numbers_are_found_by_their_names() {
        assert_eq!(number_after("VmPeak:\t 9 kB\nVmRSS:\t  1234 kB\n", "VmRSS:"), Some(1234));
        assert_eq!(
            number_after("Max open files            1024                 4096   files\n", "Max open files"),
            Some(1024)
        );
        assert_eq!(number_after("Max open files   unlimited", "Max open files"), None);
    }
}
