//! The limits for self-service machines.

use std::time::Duration;

/// How many connections self-service machines may have, and how much time they may take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The most connections. When there are more, the one that has done nothing for longest is closed.
    pub connections: usize,
    /// The most connections from one address: the machines of a branch may all come through one.
    pub connections_each: usize,
    /// How long a machine may take to log in.
    pub login_time: Duration,
    /// The longest time between two messages of a machine that has logged in.
    pub idle_time: Duration,
    /// The longest time from the first byte of a message to its last.
    pub message_time: Duration,
    /// The longest time until a machine takes an answer, or until TLS is agreed on.
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
