//! Prints the progress of a long copy in bytes: one changing line on a terminal, otherwise a line every few seconds.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use octavo_lab::clock::now;

const MEGABYTE: u64 = 1 << 20;

pub(crate) struct ByteProgress {
    what: &'static str,
    bytes: u64,
    last: Instant,
    terminal: bool,
}

impl ByteProgress {
    pub(crate) fn new(what: &'static str) -> ByteProgress {
        ByteProgress { what, bytes: 0, last: now(), terminal: std::io::stderr().is_terminal() }
    }

    pub(crate) fn add(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.print(None);
    }

    pub(crate) fn set(&mut self, bytes: u64, total: u64) {
        self.bytes = bytes;
        self.print(Some(total));
    }

    fn print(&mut self, total: Option<u64>) {
        let every = Duration::from_millis(if self.terminal { 200 } else { 5_000 });
        let at = now();
        if at.duration_since(self.last) < every {
            return;
        }
        self.last = at;
        let of = total.filter(|total| *total > 0).map_or(String::new(), |total| {
            format!(" of {} MB, {} %", total / MEGABYTE, (100 * self.bytes / total).min(100))
        });
        let line = match total {
            Some(0) => "waiting for PostgreSQL's checkpoint".to_owned(),
            _ => format!("{} {} MB{of}", self.what, self.bytes / MEGABYTE),
        };
        let mut err = std::io::stderr().lock();
        // If the progress cannot be written, the copy goes on.
        let _ = if self.terminal { write!(err, "\r\x1B[K{line}") } else { writeln!(err, "{line}") };
    }
}

impl Drop for ByteProgress {
    fn drop(&mut self) {
        if self.terminal {
            let _ = write!(std::io::stderr().lock(), "\r\x1B[K");
        }
    }
}
