//! The position up to which an index contains the changes in the database, and the changes after it.

use std::collections::BTreeSet;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use super::read::Resource;

/// The position of an index: the database and the schema, how often a rebuild was ordered, and the first transaction whose changes the
/// index may not contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The version of the entries, PostgreSQL's system identifier, its timeline, and the number of the tenant's schema. A database that was
    /// restored from a backup counts its transactions from an earlier number, so its indexes have to be rebuilt.
    pub(super) history: String,
    pub(super) generation: i64,
    pub(super) transaction: u64,
}

impl Position {
    /// Whether this position belongs to the schema with this number.
    pub(super) fn is_in(&self, schema: &str) -> bool {
        self.history.rsplit('/').next() == Some(schema)
    }

    pub(super) fn to_text(&self) -> String {
        format!("{} {} {}", self.history, self.generation, self.transaction)
    }

    pub(super) fn parse(text: &str) -> Option<Position> {
        let mut parts = text.split(' ');
        let history = parts.next()?.to_owned();
        Some(Position {
            history,
            generation: parts.next()?.parse().ok()?,
            transaction: parts.next()?.parse().ok()?,
        })
    }

    /// The current position of the database; `None` if the tenant's schema was deleted.
    pub(super) async fn load_current(
        session: &mut Session,
        tenant: &TenantId,
        resource: &Resource,
    ) -> Outcome<Option<Position>> {
        let asked = Statement::new(NOW).text(tenant.schema()).text(resource.name);
        let now: Option<(Option<String>, i64, String)> = session.read(asked).await?;
        let now =
            now.and_then(|(history, generation, transaction)| Some((history?, generation, transaction)));
        Ok(now.map(|(history, generation, transaction)| Position {
            history: format!("{}/{history}", resource.entries_version),
            generation,
            transaction: parse_transaction(&transaction),
        }))
    }
}

/// The changes that an index has to take in.
#[derive(Default)]
pub(super) struct Changes {
    /// The oldest transaction that was still open when the changes were read: the changes of all transactions before it are included.
    pub(super) horizon: u64,
    /// Changes of transactions up to this one have been deleted from the database.
    pub(super) removed: u64,
    /// The number of the tenant's schema; `None` if it is gone.
    pub(super) schema: Option<String>,
    /// How often a rebuild of the indexes was ordered.
    pub(super) generation: i64,
    /// The transactions from the horizon on whose changes are included.
    pub(super) transactions: Vec<u64>,
    /// The changed records of the resource.
    pub(super) records: Vec<Uuid>,
    /// The changed holdings records, whose titles have to be indexed anew.
    pub(super) holdings: Vec<Uuid>,
}

/// With more changes than this, rebuilding the index is quicker than taking them in.
pub(super) const MAX_CHANGES: usize = 500_000;

impl Changes {
    /// Reads the changes of a resource by transactions from this number on, except those of the transactions in `known`.
    pub(super) async fn load_since(
        session: &mut Session,
        tenant: &TenantId,
        resource: &Resource,
        transaction: u64,
        known: &[u64],
    ) -> Outcome<Changes> {
        let known = known.iter().map(u64::to_string).collect();
        let most = MAX_CHANGES as i64 + 1;
        let kinds = resource.kinds.iter().map(|kind| (*kind).to_owned()).collect();
        let asked = Statement::new(SINCE)
            .text(tenant.schema())
            .text(transaction.to_string())
            .texts(known)
            .long(most)
            .text(resource.name)
            .texts(kinds);
        let rows = session.rows(asked).await?;
        let mut changes = Changes::default();
        for row in &rows {
            type Now = (String, String, Option<String>, i64);
            type Changed = (Option<String>, Option<String>, Option<Uuid>);
            let (now, changed): (Now, Changed) = row.read();
            (changes.horizon, changes.removed, changes.schema) =
                (parse_transaction(&now.0), parse_transaction(&now.1), now.2);
            changes.generation = now.3;
            let (Some(at), Some(kind), Some(id)) = changed else { continue };
            let at = parse_transaction(&at);
            if at >= changes.horizon && changes.transactions.last() != Some(&at) {
                changes.transactions.push(at);
            }
            if kind == "h" { changes.holdings.push(id) } else { changes.records.push(id) }
        }
        Ok(changes)
    }

    /// The ids of the changed records, each once.
    pub(super) async fn record_ids(&self, session: &mut Session) -> Outcome<Vec<Uuid>> {
        let mut ids: BTreeSet<Uuid> = self.records.iter().copied().collect();
        if !self.holdings.is_empty() {
            let of_holdings = Statement::new(OF_HOLDINGS).uuids(self.holdings.clone());
            ids.extend(session.read::<Vec<Uuid>>(of_holdings).await?);
        }
        Ok(ids.into_iter().collect())
    }

    pub(super) fn count(&self) -> usize {
        self.records.len() + self.holdings.len()
    }
}

fn parse_transaction(transaction: &str) -> u64 {
    transaction.parse().unwrap_or(0)
}

const OF_HOLDINGS: &str = "select distinct h.\"instanceId\" from holdings_record h where h.id = any($1)";

const NOW: &str = "\
select (select system_identifier from pg_control_system()) || '/' ||
  (select timeline_id from pg_control_checkpoint()) || '/' || to_regnamespace(quote_ident($1))::oid,
  coalesce((select generation from octavo.search_generation where schema = $1 and resource = $2), 0),
  pg_snapshot_xmin(pg_current_snapshot())::text";

/// A single statement reads the horizon and the changes, so that both are of the same moment.
const SINCE: &str = "\
select pg_snapshot_xmin(pg_current_snapshot())::text,
  coalesce((select transaction::text from octavo.search_removed where schema = $1), '0'),
  to_regnamespace(quote_ident($1))::oid::text,
  coalesce((select generation from octavo.search_generation where schema = $1 and resource = $5), 0),
  c.transaction::text, c.kind::text, c.id
from (select 1) one
left join lateral (
  select distinct c.transaction, c.kind, c.id
  from octavo.search_change c
  where c.schema = $1 and c.transaction >= $2::text::xid8 and not c.transaction::text = any($3::text[])
    and c.kind::text = any($6::text[])
  order by c.transaction
  limit $4
) c on true";

octavo_pg::statements! {
    hot = [SINCE, OF_HOLDINGS],
    other = [NOW],
}
