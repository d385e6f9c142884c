//! One hot standby: whether it can be asked, and what was asked of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::asking::ask_server_state;
use super::choice::ReplicaState;
use super::failure::Failure;
use super::history::{Following, History};
use crate::connection::Connection;
use crate::lender::Lender;
use crate::usage::now;
use crate::{DbError, Position};

/// How long a replica is left out after it cancelled a read because of a conflict.
const CONFLICT_PAUSE: Duration = Duration::from_secs(1);

pub(crate) struct Replica {
    pub(super) name: String,
    pub(crate) lender: Arc<Lender>,
    state: Mutex<State>,
    reads: AtomicU64,
    failures: [AtomicU64; Failure::ALL.len()],
}

/// What a replica was when it was last asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplicaStatus {
    Unknown,
    Unreachable,
    /// It is no copy of the primary's database.
    OtherDatabase,
    /// It takes changes of its own.
    Promoted,
    /// It is not known to follow the server that was promoted.
    NotFollowing,
    Standby,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) status: ReplicaStatus,
    pub(super) replayed: Position,
    /// How old the newest change may be that it lacks; `None` where that is not known.
    pub(super) lag: Option<Duration>,
    pub(super) lag_bytes: u64,
    paused_until: Option<Instant>,
    was_usable: bool,
    following: Following,
}

/// How a replica does, for who looks after the server.
#[derive(Debug, Clone)]
pub struct ReplicaReport {
    pub name: String,
    /// Why it is left out; `None` if it is used.
    pub left_out: Option<&'static str>,
    pub lag: Option<Duration>,
    pub lag_bytes: u64,
    pub lent: usize,
    pub idle: usize,
    /// How often a connection was lent for reads.
    pub reads: u64,
    /// How often the primary had to be asked instead, by reason.
    pub failures: Vec<(&'static str, u64)>,
}

impl State {
    const NEW: State = State {
        status: ReplicaStatus::Unknown,
        replayed: Position::START,
        lag: None,
        lag_bytes: 0,
        paused_until: None,
        was_usable: true,
        following: Following::NEW,
    };

    /// Why it is not asked now.
    fn reason_left_out(&self, most_lag: Duration, now: Instant) -> Option<&'static str> {
        match self.status {
            ReplicaStatus::Unknown => Some("not asked yet"),
            ReplicaStatus::Unreachable => Some("it does not answer"),
            ReplicaStatus::OtherDatabase => Some("it is no copy of this database"),
            ReplicaStatus::Promoted => Some("it is no standby any more"),
            ReplicaStatus::NotFollowing => {
                Some("it does not follow the server that was promoted, or nothing was changed since")
            }
            ReplicaStatus::Standby if self.paused_until.is_some_and(|until| until > now) => {
                Some("it cancels reads because of conflicts")
            }
            ReplicaStatus::Standby if self.lag.is_none_or(|lag| lag > most_lag) => Some("it is too late"),
            ReplicaStatus::Standby => None,
        }
    }
}

impl Replica {
    pub(crate) fn new(config: &Config, lender: Lender) -> Replica {
        Replica {
            name: address_name(config),
            lender: Arc::new(lender),
            state: Mutex::new(State::NEW),
            reads: AtomicU64::new(0),
            failures: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }

    pub(super) fn choice_state(&self, most_lag: Duration) -> ReplicaState {
        let state = *self.lock_state();
        ReplicaState {
            usable: state.reason_left_out(most_lag, now()).is_none(),
            replayed: state.replayed,
            free: self.lender.connections.shares.available(),
        }
    }

    /// Whether it follows the primary in a stretch of its log.
    pub(super) fn follows(&self, history: History, replayed: Position, received: Position) -> bool {
        self.lock_state().following.follows(history, replayed, received)
    }

    /// Takes in the result of a check, and logs when the replica is left out or used again.
    pub(super) fn update(
        &self,
        most_lag: Duration,
        seen: ReplicaStatus,
        (replayed, lag, lag_bytes): ReplayProgress,
    ) {
        let mut state = self.lock_state();
        (state.status, state.replayed, state.lag, state.lag_bytes) = (seen, replayed, lag, lag_bytes);
        let (left_out, replica) = (state.reason_left_out(most_lag, now()), &self.name);
        match left_out {
            Some(why) if state.was_usable => tracing::warn!(replica, why, "a replica is left out"),
            None if !state.was_usable => tracing::info!(replica, "a replica is used"),
            _ => {}
        }
        state.was_usable = left_out.is_none();
    }

    /// Checks the server behind a new connection before its first use: a replica that was restarted may have gone back.
    pub(crate) async fn check_new_connection(&self, connection: &mut Connection) -> Result<(), DbError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        if !std::mem::take(&mut connection.is_new) {
            return Ok(());
        }
        let before = self.lock_state().replayed;
        let found = ask_server_state(&mut connection.wire).await?;
        if found.is_standby && found.replayed >= before {
            return Ok(());
        }
        // The next look tells what it is.
        self.lock_state().status = ReplicaStatus::Unknown;
        Err(DbError::Away("the replica has gone back, or is none any more".to_owned()))
    }

    /// Notes a failed read. Returns whether the primary is to be asked instead.
    pub(crate) fn note_failure(&self, error: &DbError) -> bool {
        let Some(failure) = Failure::from_error(error) else { return false };
        if let Some(at) = Failure::ALL.iter().position(|(one, _)| *one == failure) {
            self.failures[at].fetch_add(1, Ordering::Relaxed);
        }
        let replica = &self.name;
        match failure {
            Failure::Conflict => self.lock_state().paused_until = Some(now() + CONFLICT_PAUSE),
            Failure::Gone => {
                let mut state = self.lock_state();
                if state.status == ReplicaStatus::Standby {
                    state.status = ReplicaStatus::Unreachable;
                }
            }
            Failure::Behind => {}
            Failure::Changing => {
                tracing::warn!(replica, %error, "a read that may be late is none for a replica");
            }
        }
        true
    }

    pub(super) fn report(&self, most_lag: Duration) -> ReplicaReport {
        let (state, connections) = (*self.lock_state(), &self.lender.connections);
        let failures = Failure::ALL.iter().zip(&self.failures);
        ReplicaReport {
            name: self.name.clone(),
            left_out: state.reason_left_out(most_lag, now()),
            lag: state.lag,
            lag_bytes: state.lag_bytes,
            lent: connections.lent(),
            idle: connections.idle(),
            reads: self.reads.load(Ordering::Relaxed),
            failures: failures.map(|((_, why), count)| (*why, count.load(Ordering::Relaxed))).collect(),
        }
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a replica has replayed, and how far that is behind the primary, in time and bytes.
pub(super) type ReplayProgress = (Position, Option<Duration>, u64);

/// The address of a replica for reports, without user and password.
fn address_name(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => config.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
    };
    format!("{host}:{}", config.get_ports().first().copied().unwrap_or(5432))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replica_is_used_while_it_follows_closely() {
        let (bound, start) = (Duration::from_secs(10), now());
        let lag = |seconds| Some(Duration::from_secs(seconds));
        for (seen, lag, rests, used) in [
            (ReplicaStatus::Standby, lag(0), false, true),
            (ReplicaStatus::Standby, lag(10), false, true),
            (ReplicaStatus::Standby, lag(11), false, false),
            (ReplicaStatus::Standby, None, false, false),
            (ReplicaStatus::Standby, lag(0), true, false),
            (ReplicaStatus::Unknown, lag(0), false, false),
            (ReplicaStatus::Unreachable, lag(0), false, false),
            (ReplicaStatus::Promoted, lag(0), false, false),
            (ReplicaStatus::NotFollowing, lag(0), false, false),
            (ReplicaStatus::OtherDatabase, lag(0), false, false),
        ] {
            let rests_until = rests.then(|| start + CONFLICT_PAUSE);
            let state = State { status: seen, lag, paused_until: rests_until, ..State::NEW };
            assert_eq!(state.reason_left_out(bound, start).is_none(), used, "{state:?}");
            assert_eq!(
                state.reason_left_out(bound, start + CONFLICT_PAUSE).is_none(),
                used || rests,
                "{state:?}"
            );
        }
    }

    #[test]
    fn a_replica_is_called_after_its_place_alone() {
        for (url, called) in [
            ("postgresql://u:secret@db-2/octavo", "db-2:5432"),
            ("postgresql://u@db-2:5433/octavo", "db-2:5433"),
            ("postgresql://u@/octavo?host=%2Frun%2Fpg&port=6000", "/run/pg:6000"),
        ] {
            assert_eq!(address_name(&url.parse().unwrap()), called);
        }
    }
}
