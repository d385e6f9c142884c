//! Publishes messages to Apache Kafka, as Kafka's Java client would: to the partition that the key stands for, in order within it, and
//! acknowledged by all replicas that are in sync. Topics that are missing are made. Knows nothing of FOLIO.

mod brokers;
mod partition;
mod publisher;

pub use brokers::{Brokers, Login, Mechanism};
pub use publisher::{Failure, Message, Published, Publisher};
