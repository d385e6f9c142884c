//! The queries of PostgreSQL's statistics views, and the types of their rows.

use serde::Deserialize;

/// The PostgreSQL server: its version, the backend process of this session, and the extensions that it has.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct ServerInfo {
    /// The process id of this session's backend. If PostgreSQL runs on another machine or in a container, it is an id of that machine or
    /// container.
    pub(super) backend: u32,
    pub(super) version: String,
    /// The schema of the extension pg_stat_statements, quoted.
    pub(super) statements: Option<String>,
    pub(super) loaded: bool,
    pub(super) hypopg: bool,
}

impl ServerInfo {
    pub(super) fn has_statements(&self) -> bool {
        self.statements.is_some() && self.loaded
    }
}

pub(super) const SERVER_INFO_SQL: &str = "\
select
  pg_backend_pid() as backend,
  'PostgreSQL ' || current_setting('server_version') as version,
  (
    select quote_ident(n.nspname)
    from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_stat_statements'
  ) as statements,
  current_setting('pg_stat_statements.max', true) is not null as loaded,
  exists (select from pg_extension where extname = 'hypopg') as hypopg";

/// Counters of the database, in the form of a `DatabaseUse`. The write-ahead log is that of the whole server. The size is returned twice,
/// for the pair "before and after".
pub(super) const TOTALS_SQL: &str = "\
select
  json_build_array(pg_database_size(datid) / 1048576.0, pg_database_size(datid) / 1048576.0) as size_mb,
  xact_commit as commits,
  xact_rollback as rollbacks,
  blks_hit as pages_hit,
  blks_read as pages_read,
  temp_bytes / 1048576.0 as temporary_mb,
  deadlocks,
  case
    when pg_is_in_recovery() then 0
    else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') / 1048576.0
  end as wal_mb
from pg_stat_database
where datname = current_database()";

/// The number of sessions that have the same state and wait for the same event.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct SessionCount {
    pub(super) state: String,
    pub(super) waits_for: String,
    pub(super) sessions: f64,
}

pub(super) const ACTIVITY_SQL: &str = "\
select
  coalesce(state, 'unknown') as state,
  case
    when state <> 'active' or wait_event_type is null then 'at work'
    else wait_event_type || ': ' || wait_event
  end as waits_for,
  count(*) as sessions
from pg_stat_activity
where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
group by 1, 2";

/// Counters of each table, in the form of a `TableUse`. `rows` is the larger of the planner's estimate and the live rows by the statistics,
/// because a table that was never analysed has no estimate (-1).
pub(super) const TABLES_SQL: &str = "\
select
  s.relid::int8 as id,
  format('%I.%I', s.schemaname, s.relname) as name,
  json_build_array(pg_total_relation_size(s.relid) / 1048576.0, pg_total_relation_size(s.relid) / 1048576.0) as size_mb,
  greatest(c.reltuples, s.n_live_tup, 0) as rows,
  coalesce(s.seq_scan, 0) as scans,
  coalesce(s.seq_tup_read, 0) as rows_scanned,
  coalesce(s.idx_scan, 0) as index_scans,
  s.n_tup_ins as inserted,
  s.n_tup_upd as updated,
  s.n_tup_hot_upd as updated_in_place,
  s.n_tup_del as deleted
from pg_stat_user_tables s
join pg_class c on c.oid = s.relid";

/// Counters of each statement as a `StatementUse` without its text, which is long. `SCHEMA` is that of the extension.
pub(super) const STATEMENTS_SQL: &str = "\
select
  queryid::text as id,
  sum(calls) as calls,
  sum(total_exec_time) as total_ms,
  sum(rows) as rows,
  sum(shared_blks_hit) as pages_hit,
  sum(shared_blks_read) as pages_read,
  sum(wal_bytes) as wal_bytes
from SCHEMA.pg_stat_statements(false)
where dbid = (select oid from pg_database where datname = current_database()) and queryid is not null
group by queryid";

#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct StatementText {
    pub(super) id: String,
    pub(super) text: String,
}

/// The texts of the statements whose ids `$1` names, with commas between them.
pub(super) const STATEMENT_TEXTS_SQL: &str = "\
select queryid::text as id, min(query) as text
from SCHEMA.pg_stat_statements
where
  dbid = (select oid from pg_database where datname = current_database())
  and queryid = any(string_to_array($1, ',')::int8[])
group by queryid";

/// The 20 largest indexes of at least 1 MB that no query has used since PostgreSQL's statistics were reset, without unique indexes and
/// indexes of constraints.
pub(super) const UNUSED_INDEXES_SQL: &str = "\
select
  format('%I.%I', s.schemaname, s.indexrelname) as name,
  format('%I.%I', s.schemaname, s.relname) as table,
  pg_relation_size(s.indexrelid) / 1048576.0 as size_mb
from pg_stat_user_indexes s
join pg_index i on i.indexrelid = s.indexrelid
where
  s.idx_scan = 0
  and not i.indisunique
  and pg_relation_size(s.indexrelid) >= 1048576
  and not exists (select from pg_constraint c where c.conindid = s.indexrelid)
order by 3 desc, 1
limit 20";
