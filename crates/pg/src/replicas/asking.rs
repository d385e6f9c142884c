//! What a server says of itself when it is asked how far it is.

use std::time::Duration;

use tokio::time::timeout;

use crate::wire::Wire;
use crate::{DbError, Position, Row, Statement};

/// How long an answer is waited for.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

const REPLICA_STATE_SQL: &str = "\
select pg_is_in_recovery(), coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::int8,
  coalesce(pg_last_wal_receive_lsn() - '0/0'::pg_lsn, 0)::int8,
  (select system_identifier from pg_control_system()),
  (select oid::int8 from pg_database where datname = current_database())";

/// What a server said of itself.
pub(crate) struct ServerState {
    pub(crate) is_standby: bool,
    pub(crate) replayed: Position,
    /// How much of the log it has, replayed or not.
    pub(super) received: Position,
    pub(super) identity: Identity,
}

/// The number of a PostgreSQL and its copies, and that of a database in it.
pub(super) type Identity = (i64, i64);

pub(crate) async fn ask_server_state(wire: &mut Wire) -> Result<ServerState, DbError> {
    let asked = Statement::new(REPLICA_STATE_SQL);
    let answered =
        timeout(ANSWER_TIMEOUT, wire.exchange([asked].iter())).await.map_err(|_| DbError::Silent)??;
    let rows = answered.into_rows()?;
    let row = rows.first().and_then(|rows| rows.first());
    let (is_standby, replayed, received, system, database) =
        row.map(Row::read::<(bool, i64, i64, i64, i64)>).unwrap_or_default();
    let (replayed, received) = (Position::from_bytes(replayed), Position::from_bytes(received));
    Ok(ServerState { is_standby, replayed, received, identity: (system, database) })
}
