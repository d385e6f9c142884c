//! The generator of load measures its own processor time and lateness. If it is late or lacks processor time, the figures describe the
//! generator and not the server.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant as Tick, sleep_until};

use crate::clock;
use crate::machine;
use crate::process::{Stat, memory_kb};
use crate::series::{Series, SeriesBuilder};

const LATENESS_INTERVAL: Duration = Duration::from_millis(20);
/// The share of one core above which the generator itself is too slow.
const MOST_CPU: f64 = 0.9;
const MOST_LATENESS_MS: f64 = 20.0;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Generator {
    /// The processor time as a share of one core, 0 to 1.
    pub(crate) cpu: f64,
    pub(crate) lateness_p50_ms: f64,
    pub(crate) lateness_p99_ms: f64,
    pub(crate) memory_mb: f64,
    /// Why its figures are not to be trusted; empty when they are.
    pub(crate) spoilt: Vec<String>,
}

pub(crate) struct GeneratorWatch {
    began: Instant,
    cpu_seconds: f64,
    pub(crate) lateness: Histogram<u64>,
    /// When the last sample was taken, in seconds of the run, and the processor time until then.
    last_sample: (f64, f64),
    /// The processor time of the whole machine, in seconds.
    machine_seconds: f64,
    series: [SeriesBuilder; 5],
}

impl GeneratorWatch {
    pub(crate) fn new() -> GeneratorWatch {
        let lateness =
            Histogram::new_with_bounds(1, 60_000_000, 2).expect("bounds that are none of a client's");
        let cpu_seconds = cpu_seconds();
        GeneratorWatch {
            began: clock::now(),
            cpu_seconds,
            lateness,
            last_sample: (0.0, cpu_seconds),
            machine_seconds: machine::busy_seconds().unwrap_or(0.0),
            series: sampled_series(),
        }
    }

    /// Takes a sample, with the number of users at work.
    pub(super) fn sample(&mut self, users: u32) {
        let (elapsed, cpu_seconds) = (self.began.elapsed().as_secs_f64(), cpu_seconds());
        let (before, cpu_before) = self.last_sample;
        let passed = elapsed - before;
        if passed <= 0.0 {
            return;
        }
        let machine_before = self.machine_seconds;
        let machine = machine::busy_seconds().map(|seconds| {
            self.machine_seconds = seconds;
            (seconds - machine_before) / passed
        });
        let values = [
            Some((cpu_seconds - cpu_before) / passed),
            Some(memory_mb()),
            Some(f64::from(users)),
            machine,
            machine::load_average(),
        ];
        for (series, value) in self.series.iter_mut().zip(values) {
            if let Some(value) = value {
                series.add(elapsed, value);
            }
        }
        self.last_sample = (elapsed, cpu_seconds);
    }

    pub(super) fn take_series(&mut self) -> Vec<Series> {
        std::mem::replace(&mut self.series, sampled_series()).map(SeriesBuilder::finish).into()
    }

    pub(crate) fn to_generator(&self) -> Generator {
        let elapsed = self.began.elapsed().as_secs_f64().max(0.001);
        let millis = |share: f64| self.lateness.value_at_quantile(share) as f64 / 1000.0;
        let mut generator = Generator {
            cpu: (cpu_seconds() - self.cpu_seconds) / elapsed,
            lateness_p50_ms: millis(0.5),
            lateness_p99_ms: millis(0.99),
            memory_mb: memory_mb(),
            spoilt: Vec::new(),
        };
        generator.spoilt = find_problems(&generator);
        generator
    }
}

/// The series that are sampled each second, in the order of the samples.
fn sampled_series() -> [SeriesBuilder; 5] {
    let generator = |measure: &str, unit: &str| SeriesBuilder::new("laboratory", "generator", measure, unit);
    let machine =
        |measure: &str, unit: &str| SeriesBuilder::new("machine", "the whole machine", measure, unit);
    [
        generator("cpu", "cores"),
        generator("memory", "MB"),
        generator("users", ""),
        machine("cpu", "cores"),
        machine("load", ""),
    ]
}

fn find_problems(generator: &Generator) -> Vec<String> {
    let mut spoilt = Vec::new();
    if generator.cpu > MOST_CPU {
        let percent = generator.cpu * 100.0;
        spoilt.push(format!(
            "the generator took {percent:.0} % of a core: it may have been slower than the server"
        ));
    }
    if generator.lateness_p99_ms > MOST_LATENESS_MS {
        let late = generator.lateness_p99_ms;
        spoilt.push(format!("the generator was late by {late:.0} ms or more in one case of a hundred"));
    }
    spoilt
}

/// Measures again and again how late a sleeping task wakes up, and passes the lateness to `note`. Runs until it is dropped.
pub(super) async fn measure_lateness(mut note: impl FnMut(Duration)) {
    loop {
        // The runtime's timer rounds up to a millisecond: that is not lateness.
        let due = clock::now() + LATENESS_INTERVAL;
        sleep_until(Tick::from_std(due)).await;
        note(clock::now().saturating_duration_since(due + Duration::from_millis(1)));
    }
}

fn cpu_seconds() -> f64 {
    Stat::read(std::process::id()).map_or(0.0, |stat| stat.own_cpu_seconds)
}

fn memory_mb() -> f64 {
    memory_kb(std::process::id(), "VmRSS").unwrap_or(0) as f64 / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_the_generator_spoilt_is_marked() {
        let told = |cpu: f64, late: f64| {
            find_problems(&Generator { cpu, lateness_p99_ms: late, ..Generator::default() }).len()
        };
        assert_eq!([told(0.5, 3.0), told(0.95, 3.0), told(0.5, 30.0), told(0.95, 30.0)], [0, 1, 1, 2]);
    }
}
