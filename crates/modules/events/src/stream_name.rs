//! The name of the consumer that stands for all who watch streams. They come for their events themselves, so there is nobody to hand them to.

pub(crate) const STREAM: &str = "stream";
