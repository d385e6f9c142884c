//! The name of the consumer that stands for all clients of streams. These clients fetch their events themselves, so nothing is delivered to
//! this consumer.

pub(crate) const STREAM_CONSUMER: &str = "stream";
