//! What bounds machines.

use std::time::Duration;

/// What machines may take of the server.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Of too many connections, the one goes that has done nothing for longest.
    pub connections: usize,
    /// Those from one address: the machines of a branch may all come through one.
    pub connections_each: usize,
    /// Until a machine has logged in.
    pub login_time: Duration,
    /// Between two messages of a machine that has logged in.
    pub idle_time: Duration,
    /// From the first byte of a message to its last.
    pub message_time: Duration,
    /// Until an answer is taken, or TLS is agreed on.
    pub stall_time: Duration,
    /// How long messages that are being answered may take after a stop was asked for.
    pub stop_time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 1000,
            connections_each: 600,
            login_time: Duration::from_secs(60),
            idle_time: Duration::from_hours(24),
            message_time: Duration::from_secs(10),
            stall_time: Duration::from_secs(10),
            stop_time: Duration::from_secs(30),
        }
    }
}
