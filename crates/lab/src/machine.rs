//! What the laboratory ran on, without which no figure means anything.

use std::fs;

/// `2 cores (AMD EPYC), 24 GB, Linux 6.1.0`
pub(crate) fn described() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let memory = field("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kilobytes: u64 = memory.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0);
    let model = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned());
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{cores} cores ({model}), {} GB, Linux {}",
        (kilobytes + 512 * 1024) / (1024 * 1024),
        kernel.trim()
    )
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
