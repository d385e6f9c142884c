//! Shows the progress of a measurement on a terminal, or to a program that started the run (`--attended`). A file or a log gets the report
//! only.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use super::record::Recorder;

#[derive(Clone, Copy)]
pub(crate) struct Progress {
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new(attended: bool) -> Progress {
        Progress { is_shown: attended || stderr().is_terminal() }
    }

    pub(crate) fn print_line(self, text: &str) {
        if self.is_shown {
            eprintln!("lab: {text}");
        }
    }

    /// How many rows of a feeder have been read from the server.
    pub(crate) fn print_rows(self, feeder: &str, rows: usize) {
        if self.is_shown {
            eprint!("\r  reading {feeder}: {rows} rows   ");
        }
    }

    /// Shows the progress in place of the line before it.
    pub(crate) fn print_step(self, recorder: &Recorder, elapsed: Duration, duration: Duration) {
        if self.is_shown {
            eprint!("\r  {}   ", step_text(recorder, elapsed, duration));
        }
    }

    pub(crate) fn end_line(self) {
        if self.is_shown {
            eprintln!();
        }
    }
}

fn step_text(recorder: &Recorder, elapsed: Duration, duration: Duration) -> String {
    let (mut count, mut errors, mut worst) = (0, 0, 0);
    for call in &recorder.calls {
        count += call.real.len();
        errors += call.errors.values().sum::<u64>();
        worst = worst.max(call.real.value_at_quantile(0.95));
    }
    let share = (elapsed.as_secs_f64() / duration.as_secs_f64().max(0.001)).min(1.0);
    let (done, rate) = ((share * BAR_WIDTH as f64) as usize, count as f64 / elapsed.as_secs_f64().max(0.001));
    format!(
        "[{}{}] {} of {} s  {count} calls, {rate:.0}/s, slowest 95th percentile {:.1} ms, {errors} errors",
        "=".repeat(done),
        " ".repeat(BAR_WIDTH - done),
        elapsed.as_secs(),
        duration.as_secs(),
        worst as f64 / 1000.0
    )
}

const BAR_WIDTH: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn a_bar_moves_with_the_time() {
        let recorder = Recorder::new(clock::now(), &["GET /x".to_owned()], &[]);
        let at = |seconds: u64| step_text(&recorder, Duration::from_secs(seconds), Duration::from_secs(20));
        assert!(at(5).starts_with("[=====               ] 5 of 20 s  0 calls"), "{}", at(5));
        assert!(at(25).starts_with("[====================] 25 of 20 s"), "{}", at(25));
    }
}
