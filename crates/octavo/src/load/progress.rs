//! Shows the progress of a load: a bar on a terminal, a line every few seconds elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use octavo_lab::clock::now;
use octavo_lab::table::group_thousands;

pub(crate) struct Progress {
    label: String,
    /// The amount of work: bytes of a file, or instances of a library.
    total: u64,
    first: u64,
    started: Instant,
    shown: Instant,
    terminal: bool,
}

const WIDTH: usize = 24;

impl Progress {
    pub(crate) fn new(label: impl Into<String>, first: u64, total: u64) -> Progress {
        let started = now();
        let terminal = std::io::stderr().is_terminal();
        Progress { label: label.into(), total, first, started, shown: started, terminal }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        now().duration_since(self.started)
    }

    pub(crate) fn show(&mut self, done: u64, records: u64) {
        let every = if self.terminal { Duration::from_millis(200) } else { Duration::from_secs(5) };
        let at = now();
        if at.duration_since(self.shown) < every {
            return;
        }
        self.shown = at;
        let line = self.line(done, records, self.elapsed());
        let mut err = std::io::stderr().lock();
        // A progress that nobody can read is no reason to stop.
        let _ = if self.terminal { write!(err, "\r\x1B[K{line}") } else { writeln!(err, "{line}") };
    }

    /// Erases the progress line, so that another line can be printed.
    pub(crate) fn clear(&self) {
        if self.terminal {
            let _ = write!(std::io::stderr().lock(), "\r\x1B[K");
        }
    }

    fn line(&self, done: u64, records: u64, elapsed: Duration) -> String {
        let share = if self.total == 0 { 1.0 } else { (done as f64 / self.total as f64).min(1.0) };
        let filled = (share * WIDTH as f64) as usize;
        let seconds = elapsed.as_secs_f64().max(0.001);
        let rate = records as f64 / seconds;
        let passed = done.saturating_sub(self.first) as f64;
        let left =
            if passed > 0.0 { seconds * (self.total.saturating_sub(done)) as f64 / passed } else { 0.0 };
        format!(
            "{} [{}{}] {:3.0}%  {}  {}/s  {} left",
            self.label,
            "#".repeat(filled),
            ".".repeat(WIDTH - filled),
            share * 100.0,
            group_thousands(records),
            group_thousands(rate as u64),
            clock_face(left as u64),
        )
    }
}

/// `1:02:03`, or `2:03` within an hour.
fn clock_face(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_how_fast_and_how_long() {
        let progress = Progress { terminal: false, ..Progress::new("a.mrc", 0, 4000) };
        let line = progress.line(1000, 2500, Duration::from_secs(2));
        assert_eq!(line, "a.mrc [######..................]  25%  2,500  1,250/s  0:06 left");
        assert!(progress.line(0, 0, Duration::ZERO).ends_with("0/s  0:00 left"));
    }

    #[test]
    fn numbers_and_times_are_written_for_people() {
        assert_eq!([0, 999, 1000, 7_183_552].map(group_thousands), ["0", "999", "1,000", "7,183,552"]);
        assert_eq!([0, 61, 3_725].map(clock_face), ["0:00", "1:01", "1:02:05"]);
    }
}
