//! Checks again and again how far the primary's log goes, and how much of it each replica has.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::asking::{ANSWER_TIMEOUT, Identity, ServerState, ask_server_state};
use super::replica::{Replica, ReplicaStatus};
use super::{PrimaryState, Replicas};
use crate::lender::Lender;
use crate::shared::SharedConnections;
use crate::usage::now;
use crate::wire::Wire;
use crate::{DbError, Position, Statement, Usage};

/// The pause between checks, and the shorter one while a request waits for a log position.
const USUAL_PAUSE: Duration = Duration::from_millis(250);
const SHORT_PAUSE: Duration = Duration::from_millis(10);
/// Up to where changes of this session are in the log, and so reach replicas. Where commits do not wait for the disk that is
/// what was written; otherwise what is on the disk, since only that is sent.
pub(crate) const POSITION: &str = "\
select (case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::int8";

/// The same, with what tells one database from another, and the number of the history (timeline).
static PRIMARY_STATE_SQL: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\
{POSITION},
  (select system_identifier from pg_control_system()),
  (select oid::int8 from pg_database where datname = current_database()),
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int8"
    )
});

/// Access to the primary server, for the checks.
#[derive(Clone)]
pub(crate) struct PrimaryAccess {
    pub(crate) lender: Arc<Lender>,
    pub(crate) shared: Arc<SharedConnections>,
}

impl PrimaryAccess {
    fn is_closed(&self) -> bool {
        self.lender.connections.is_closed()
    }
}

/// Follows the primary's log until it is closed.
pub(super) async fn watch_primary(source: PrimaryAccess, replicas: Arc<Replicas>) {
    while !source.is_closed() {
        let (held, asked) = (replicas.count_holds(), now());
        let usage = Usage::default();
        let answer =
            timeout(ANSWER_TIMEOUT, source.shared.rows(Statement::new(PRIMARY_STATE_SQL.as_str()), &usage))
                .await;
        if let Ok(Ok(rows)) = answer
            && let Some(row) = rows.first()
        {
            let (position, system, number, history): (i64, i64, i64, i64) = row.read();
            let (position, identity) = (Position::from_bytes(position), (system, number));
            let primary = PrimaryState { asked, position, identity, history };
            replicas.update_primary(&primary, held);
        }
        sleep(if replicas.is_holding() { SHORT_PAUSE } else { USUAL_PAUSE }).await;
    }
}

/// Follows one replica until the primary is closed.
pub(super) async fn watch_replica(source: PrimaryAccess, replicas: Arc<Replicas>, replica: Arc<Replica>) {
    let mut kept = None;
    while !source.is_closed() {
        let answer = match kept.take() {
            Some(wire) => ask_over(wire).await,
            None => Err(DbError::Away(String::new())),
        };
        // A connection that ended may have been cut off alone: it is tried once more.
        let answer = match answer {
            Ok(answer) => Ok(answer),
            Err(_) => {
                match timeout(ANSWER_TIMEOUT, Wire::connect(&replica.lender.connections.access)).await {
                    Ok(Ok(wire)) => ask_over(wire).await,
                    Ok(Err(error)) => Err(error),
                    Err(_) => Err(DbError::Silent),
                }
            }
        };
        match answer {
            Ok((wire, found)) => {
                let has = (found.replayed, found.received);
                replicas.update_replica(&replica, replica_status(&found, replicas.identity()), has);
                kept = Some(wire);
            }
            Err(error) => {
                tracing::debug!(replica = replica.name, %error, "a replica does not answer");
                replicas.update_replica(
                    &replica,
                    ReplicaStatus::Unreachable,
                    (Position::START, Position::START),
                );
            }
        }
        replicas.notify_waiting();
        replicas.pause(USUAL_PAUSE, SHORT_PAUSE).await;
    }
}

async fn ask_over(mut wire: Wire) -> Result<(Wire, ServerState), DbError> {
    let found = ask_server_state(&mut wire).await?;
    Ok((wire, found))
}

fn replica_status(found: &ServerState, primary: Option<Identity>) -> ReplicaStatus {
    match primary {
        None => ReplicaStatus::Unknown,
        Some(primary) if primary != found.identity => ReplicaStatus::OtherDatabase,
        Some(_) if !found.is_standby => ReplicaStatus::Promoted,
        Some(_) => ReplicaStatus::Standby,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_follows_is_a_standby() {
        let (replayed, received) = (Position::START, Position::START);
        let found = |is_standby, identity| ServerState { is_standby, replayed, received, identity };
        for (is_standby, identity, primary, expected) in [
            (true, (1, 2), Some((1, 2)), ReplicaStatus::Standby),
            (false, (1, 2), Some((1, 2)), ReplicaStatus::Promoted),
            (true, (7, 2), Some((1, 2)), ReplicaStatus::OtherDatabase),
            (true, (1, 3), Some((1, 2)), ReplicaStatus::OtherDatabase),
            (true, (1, 2), None, ReplicaStatus::Unknown),
        ] {
            assert_eq!(replica_status(&found(is_standby, identity), primary), expected);
        }
    }
}
