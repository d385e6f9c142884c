//! Instances, holdings and items: what inventory adds to the record types of `records`.

mod locking;
mod search;
