//! Damaged inputs for tests of what reads texts from outside: kept seeds, and mutations of them without end.
//!
//! The same number gives the same inputs in the same order. Mutations whose outcome is new are mutated further, which
//! takes the place of measured coverage. Knows nothing of what is read, and belongs to no program: only tests depend
//! on it. `docs/testing.md` says how to run it for long.

mod chance;
mod mutate;
mod seeds;
mod shrink;

use std::collections::HashSet;
use std::time::{Duration, Instant};

pub use seeds::parse_seeds;

use chance::Random;
use mutate::Mutator;

/// A reader to be tried.
pub struct Fuzzer {
    /// Lines of escaped bytes, as findings are printed; a line that begins with `#` says what the next are.
    pub seeds: &'static str,
    /// What means something to the reader.
    pub words: &'static [&'static [u8]],
    /// Panics if the reader does not do what it should; returns what the outcome was in a few words.
    pub check: fn(&[u8]) -> String,
}

/// Time to read anything, and for every byte of it, in a debug build.
const BASE_TIME: Duration = Duration::from_millis(200);
const TIME_PER_BYTE: Duration = Duration::from_micros(20);

impl Fuzzer {
    /// The kept seeds as they are, then so many mutations, the same in every run.
    pub fn run_briefly(&self, rounds: usize) {
        let seeds = parse_seeds(self.seeds);
        for seed in &seeds {
            self.check_and_shrink(seed);
        }
        let run = self.run(1, seeds, |round| round < rounds);
        assert!(run.outcomes > 10, "mutations end in different ways: {}", run.outcomes);
    }

    /// Mutations for `OCTAVO_FUZZ_SECONDS`, a minute if it is not set, from the number `OCTAVO_FUZZ_SEED`, 1 if it is
    /// not set; `OCTAVO_FUZZ_SEEDS` names a file of further seeds.
    #[expect(clippy::disallowed_methods, reason = "settings of a test, and the time that it may take")]
    pub fn run_at_length(&self) {
        let set = |name: &str| std::env::var(name).ok();
        let number = |name: &str, otherwise: u64| {
            set(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
        };
        let seconds = Duration::from_secs(number("OCTAVO_FUZZ_SECONDS", 60));
        let seed = number("OCTAVO_FUZZ_SEED", 1);
        let mut seeds = parse_seeds(self.seeds);
        if let Some(path) = set("OCTAVO_FUZZ_SEEDS") {
            let more = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            seeds.extend(parse_seeds(&more));
        }
        eprintln!("OCTAVO_FUZZ_SEED={seed}: {} seeds, {} s", seeds.len(), seconds.as_secs());
        let (begun, mut told) = (Instant::now(), Instant::now());
        let run = self.run(seed, seeds, |round| {
            if told.elapsed() > Duration::from_secs(30) {
                told = Instant::now();
                eprintln!("{} s: {round} inputs", begun.elapsed().as_secs());
            }
            begun.elapsed() < seconds
        });
        let took = begun.elapsed().as_secs();
        eprintln!("OCTAVO_FUZZ_SEED={seed}: {} inputs in {took} s, {} outcomes", run.inputs, run.outcomes);
    }

    fn run(&self, seed: u64, seeds: Vec<Vec<u8>>, mut goes_on: impl FnMut(usize) -> bool) -> Run {
        let mut mutator = Mutator::new(Random(seed), seeds, self.words);
        let (mut outcomes, mut inputs) = (HashSet::new(), 0);
        while goes_on(inputs) {
            let input = mutator.next_input();
            let outcome = self.check_and_shrink(&input);
            if outcomes.len() < 20_000 && outcomes.insert(outcome) {
                mutator.add_to_pool(input);
            }
            inputs += 1;
        }
        Run { inputs, outcomes: outcomes.len() }
    }

    /// Fails with the smallest input found that goes wrong, to be kept as a seed.
    fn check_and_shrink(&self, input: &[u8]) -> String {
        shrink::catch_panic(|| self.check_once(input)).unwrap_or_else(|why| {
            eprintln!("{why}\nbeing made smaller:\n{}", input.escape_ascii());
            let (smallest, why) =
                shrink::shrink_input(input, |less| shrink::catch_panic(|| self.check_once(less)).err());
            panic!("{why}\nkeep this as a seed:\n{}", smallest.escape_ascii());
        })
    }

    fn check_once(&self, input: &[u8]) -> String {
        assert_in_time(input.len(), || (self.check)(input))
    }
}

/// Panics if so many bytes take longer to read than their number explains.
pub fn assert_in_time<T>(bytes: usize, read: impl FnOnce() -> T) -> T {
    let begun = thread_time();
    let outcome = read();
    let took = thread_time().saturating_sub(begun);
    let length = u32::try_from(bytes).unwrap_or(u32::MAX);
    assert!(took <= BASE_TIME + TIME_PER_BYTE * length, "{length} bytes take {took:?}");
    outcome
}

/// Time that this thread has computed, so that a busy machine is not mistaken for a slow reader; nothing where the system
/// does not tell, and then nothing is too slow.
fn thread_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

struct Run {
    inputs: usize,
    outcomes: usize,
}
