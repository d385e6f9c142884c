//! Ends PostgreSQL client programs that a killed Octavo left running on a folder. Works on Linux only.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use rustix::process::{Pid, Signal, kill_process};

const POLL: Duration = Duration::from_millis(50);
/// The most times that the processes are killed and looked for again.
const POLLS: u32 = 100;

/// Ends the processes of a program that name the folder, or something in it, as an argument, and waits until they are
/// gone. It is an error if they stay.
pub(crate) fn end_processes(program: &str, folder: &Path) -> Result<()> {
    for _ in 0..POLLS {
        let left = running_processes(program, folder);
        if left.is_empty() {
            return Ok(());
        }
        for process in left {
            let _ = kill_process(process, Signal::KILL);
        }
        std::thread::sleep(POLL);
    }
    bail!("a {program} that an earlier Octavo has left at work on {} cannot be ended", folder.display())
}

fn running_processes(program: &str, folder: &Path) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let named = processes.filter_map(|entry| {
        let pid = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        works_on_folder(&line, program, folder).then_some(pid)
    });
    named.collect()
}

/// `line` is a command line with a zero byte behind each word.
fn works_on_folder(line: &[u8], program: &str, folder: &Path) -> bool {
    let mut words = line.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let is_program = words.next().is_some_and(|first| Path::new(&first).ends_with(program));
    is_program && words.any(|word| Path::new(&word).starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_program_on_the_folder_is_meant() {
        let line = b"/usr/lib/postgresql/15/bin/pg_basebackup\0-D\0/srv/b/base/x.part/postgres\0";
        let is = |program: &str, folder: &str| works_on_folder(line, program, Path::new(folder));
        assert!(is("pg_basebackup", "/srv/b/base/x.part"));
        assert!(!is("pg_basebackup", "/srv/b/base/y.part") && !is("pg_receivewal", "/srv/b/base/x.part"));
    }
}
