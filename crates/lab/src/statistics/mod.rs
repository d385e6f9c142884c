//! Statistics: verdicts about the figures of one or several runs. Pure: numbers in, a verdict out; random numbers come from a seed.

mod compare;
mod knee;
mod student;
mod times;
mod trend;

pub(crate) use compare::{Comparison, Verdict, compare, set_verdicts};
pub(crate) use knee::{Knee, KneeEnd, LoadStep, find_knee};
pub use times::{Latencies, Percentiles, Spread};
pub(crate) use trend::{Trend, TrendVerdict, trend};
