//! What was measured on, without which no figure means anything.

use std::fs;
use std::path::Path;

use octavo_pg::embedded::Embedded;

pub(crate) fn described(folder: &Path, database: &Embedded) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{cores} cores ({}), {} GB, Linux {}; PostgreSQL {} on {}, fsync and synchronous_commit on",
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned()),
        memory_gb(),
        text("/proc/sys/kernel/osrelease"),
        database.version(),
        file_system(&text("/proc/mounts"), folder),
    )
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = text(path);
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn memory_gb() -> u64 {
    let total = field("/proc/meminfo", "MemTotal").unwrap_or_default();
    let kilobytes: u64 = total.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0);
    (kilobytes + 512 * 1024) / (1024 * 1024)
}

/// The kind of file system: on tmpfs, for one, a commit costs nothing.
fn file_system(mounts: &str, folder: &Path) -> String {
    let mounts = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let holding = mounts.filter(|(point, _)| folder.starts_with(point));
    // Of two mounts at one place the later one is seen.
    holding.max_by_key(|(point, _)| point.len()).map_or("unknown", |(_, kind)| kind).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_mount_holds_the_folder() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\ntmpfs /t tmpfs rw 0 0";
        assert_eq!(file_system(mounts, Path::new("/tmp/a")), "tmpfs");
        assert_eq!(file_system(mounts, Path::new("/var/tmp")), "ext4");
    }
}
