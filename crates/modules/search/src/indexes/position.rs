//! Up to where an index knows the changes of the database, and which changes come after.

use std::collections::BTreeSet;

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Session, Statement};
use uuid::Uuid;

use super::read::Resource;

/// Where an index stands: the database and the schema, how often indexes were ordered to be made anew, and the first transaction whose
/// changes it may not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The manner in which entries are made, the database's own number, its timeline and the number of the tenant's schema: a copy that was restored from a backup
    /// counts its transactions anew.
    pub(super) history: String,
    pub(super) generation: i64,
    pub(super) transaction: u64,
}

impl Position {
    /// Whether it is a position in the schema with this number.
    pub(super) fn is_in(&self, schema: &str) -> bool {
        self.history.rsplit('/').next() == Some(schema)
    }

    pub(super) fn text(&self) -> String {
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

    /// Where the database stands now; `None` if the tenant has no schema any more.
    pub(super) async fn now(
        session: &mut Session,
        tenant: &TenantId,
        resource: &Resource,
    ) -> Outcome<Option<Position>> {
        let asked = Statement::new(NOW).text(tenant.schema()).text(resource.name);
        let now: Option<(Option<String>, i64, String)> = session.read(asked).await?;
        let now =
            now.and_then(|(history, generation, transaction)| Some((history?, generation, transaction)));
        Ok(now.map(|(history, generation, transaction)| Position {
            history: format!("{}/{history}", resource.entries),
            generation,
            transaction: number(&transaction),
        }))
    }
}

/// The changes that an index has to take in.
#[derive(Default)]
pub(super) struct Changes {
    /// The oldest transaction that was going on when the changes were read: those before it are all known now.
    pub(super) horizon: u64,
    /// Changes up to this transaction have been removed.
    pub(super) removed: u64,
    /// The number of the tenant's schema; `None` if it is gone.
    pub(super) schema: Option<String>,
    /// How often indexes were ordered to be made anew.
    pub(super) generation: i64,
    /// Transactions after the horizon whose changes are among these.
    pub(super) transactions: Vec<u64>,
    /// Records of the resource.
    pub(super) records: Vec<Uuid>,
    /// Holdings whose titles have changed.
    pub(super) holdings: Vec<Uuid>,
}

/// With more changes than this, the index is made anew, which is quicker.
pub(super) const MOST: usize = 500_000;

impl Changes {
    /// The changes of a resource by transactions from a number on that are not among those `known`.
    pub(super) async fn since(
        session: &mut Session,
        tenant: &TenantId,
        resource: &Resource,
        transaction: u64,
        known: &[u64],
    ) -> Outcome<Changes> {
        let known = known.iter().map(u64::to_string).collect();
        let most = MOST as i64 + 1;
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
            (changes.horizon, changes.removed, changes.schema) = (number(&now.0), number(&now.1), now.2);
            changes.generation = now.3;
            let (Some(at), Some(kind), Some(id)) = changed else { continue };
            let at = number(&at);
            if at >= changes.horizon && changes.transactions.last() != Some(&at) {
                changes.transactions.push(at);
            }
            if kind == "h" { changes.holdings.push(id) } else { changes.records.push(id) }
        }
        Ok(changes)
    }

    /// The ids of the records that have changed, each once.
    pub(super) async fn ids(&self, session: &mut Session) -> Outcome<Vec<Uuid>> {
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

fn number(transaction: &str) -> u64 {
    transaction.parse().unwrap_or(0)
}

const OF_HOLDINGS: &str = "select distinct h.\"instanceId\" from holdings_record h where h.id = any($1)";

const NOW: &str = "\
select (select system_identifier from pg_control_system()) || '/' ||
  (select timeline_id from pg_control_checkpoint()) || '/' || to_regnamespace(quote_ident($1))::oid,
  coalesce((select generation from octavo.search_generation where schema = $1 and resource = $2), 0),
  pg_snapshot_xmin(pg_current_snapshot())::text";

/// One statement, so that the horizon and the changes are of the same moment.
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
