//! Asks again and again how far the primary's log goes, and each replica how much of it it has.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::asking::{Found, Identity, LONGEST, ask};
use super::replica::{Replica, Seen};
use super::{Primary, Replicas};
use crate::lender::Lender;
use crate::shared::Shared;
use crate::usage::now;
use crate::wire::Wire;
use crate::{DbError, Position, Statement, Usage};

/// How often they are asked, and how often while somebody waits for a place of the log.
const OFTEN: Duration = Duration::from_millis(250);
const IN_HASTE: Duration = Duration::from_millis(10);
/// Up to where changes of this session are in the log, and so reach replicas. Where commits do not wait for the disk that is
/// what was written; otherwise what is on the disk, since only that is sent.
pub(crate) const POSITION: &str = "\
select (case current_setting('synchronous_commit')
  when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::int8";

/// The same, with what tells one database from another, and the number of the history (timeline).
static OF_PRIMARY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\
{POSITION},
  (select system_identifier from pg_control_system()),
  (select oid::int8 from pg_database where datname = current_database()),
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int8"
    )
});

/// The way to the primary.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) lender: Arc<Lender>,
    pub(crate) shared: Arc<Shared>,
}

impl Source {
    fn is_closed(&self) -> bool {
        self.lender.connections.is_closed()
    }
}

/// Follows the primary's log until it is closed.
pub(super) async fn primary(source: Source, replicas: Arc<Replicas>) {
    while !source.is_closed() {
        let (held, asked) = (replicas.held(), now());
        let usage = Usage::default();
        let answer = timeout(LONGEST, source.shared.rows(Statement::new(OF_PRIMARY.as_str()), &usage)).await;
        if let Ok(Ok(rows)) = answer
            && let Some(row) = rows.first()
        {
            let (position, system, number, history): (i64, i64, i64, i64) = row.read();
            let (position, identity) = (Position::of(position), (system, number));
            let primary = Primary { asked, position, identity, history };
            replicas.follow(&primary, held);
        }
        sleep(if replicas.is_held() { IN_HASTE } else { OFTEN }).await;
    }
}

/// Follows one replica until the primary is closed.
pub(super) async fn replica(source: Source, replicas: Arc<Replicas>, replica: Arc<Replica>) {
    let mut kept = None;
    while !source.is_closed() {
        let answer = match kept.take() {
            Some(wire) => look(wire).await,
            None => Err(DbError::Away(String::new())),
        };
        // A connection that ended may have been cut off alone: it is tried once more.
        let answer = match answer {
            Ok(answer) => Ok(answer),
            Err(_) => match timeout(LONGEST, Wire::connect(&replica.lender.connections.access)).await {
                Ok(Ok(wire)) => look(wire).await,
                Ok(Err(error)) => Err(error),
                Err(_) => Err(DbError::Silent),
            },
        };
        match answer {
            Ok((wire, found)) => {
                let has = (found.replayed, found.received);
                replicas.look_at(&replica, seen(&found, replicas.identity()), has);
                kept = Some(wire);
            }
            Err(error) => {
                tracing::debug!(replica = replica.name, %error, "a replica does not answer");
                replicas.look_at(&replica, Seen::Unreachable, (Position::START, Position::START));
            }
        }
        replicas.tell();
        replicas.pause(OFTEN, IN_HASTE).await;
    }
}

async fn look(mut wire: Wire) -> Result<(Wire, Found), DbError> {
    let found = ask(&mut wire).await?;
    Ok((wire, found))
}

fn seen(found: &Found, primary: Option<Identity>) -> Seen {
    match primary {
        None => Seen::Unknown,
        Some(primary) if primary != found.identity => Seen::Another,
        Some(_) if !found.is_standby => Seen::Promoted,
        Some(_) => Seen::Standby,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_follows_is_a_standby() {
        let (replayed, received) = (Position::START, Position::START);
        let found = |is_standby, identity| Found { is_standby, replayed, received, identity };
        for (is_standby, identity, primary, expected) in [
            (true, (1, 2), Some((1, 2)), Seen::Standby),
            (false, (1, 2), Some((1, 2)), Seen::Promoted),
            (true, (7, 2), Some((1, 2)), Seen::Another),
            (true, (1, 3), Some((1, 2)), Seen::Another),
            (true, (1, 2), None, Seen::Unknown),
        ] {
            assert_eq!(seen(&found(is_standby, identity), primary), expected);
        }
    }
}
