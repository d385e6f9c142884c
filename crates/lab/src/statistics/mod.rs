//! Statistics: verdicts about the figures of one or several runs. Pure: numbers in, a verdict out; random numbers come from a seed.

mod compare;
mod knee;
mod student;
mod times;
mod trend;

pub(crate) use compare::{Comparison, Verdict, compare, settle};
pub(crate) use knee::{End, Knee, Step, knee};
pub use times::{Latencies, Percentiles, Spread};
pub(crate) use trend::{Course, Trend, trend};
