//! The threads on which the program works.

use tokio::runtime::Builder;

/// Calls nest deeply where one call makes another, and an unoptimised build puts more than the usual 2 MiB of them on a stack. What a
/// thread does not use of its stack takes no memory.
const STACK: usize = 4 << 20;

/// A runtime of several threads.
pub fn threads() -> Builder {
    let mut builder = Builder::new_multi_thread();
    builder.thread_stack_size(STACK).enable_all();
    builder
}
