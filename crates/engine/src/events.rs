//! Events: what happened in a tenant's library, for whoever follows it. A change writes its events in its own transaction; each
//! consumer reads them in their order, from a position of its own. Knows no type of event and no consumer.
//!
//! An event takes its position while its transaction holds its locks, so of two changes of one record the later has the higher position.
//! Transactions end in another order than that of their positions: [`Horizon`] tells up to which position no event can appear any more.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use octavo_kernel::{Outcome, TenantId};
use octavo_pg::{Batch, Session, Statement};
use serde_json::Value;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::outbox::TenantNotifier;

/// A tenant's events, with FOLIO's names as types. The transaction's id is the first column, because it has to be taken before the position.
/// `published` is the id of an event that a module outside of Octavo has published.
pub(crate) const TABLE: &str = "\
create table event (
  transaction xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type text not null,
  by_user uuid,
  payload json not null,
  published uuid
);
create index event_at on event using brin (at) with (autosummarize = on);
create index event_published on event (published) where published is not null";

/// A statement that writes events, each a type and a payload, in this order; it writes nothing while nobody follows the tenant's events.
/// `by` is the user who asked for the change.
pub fn append_statement<'a>(
    tenant: &TenantId,
    by: Option<Uuid>,
    events: impl Iterator<Item = (&'a str, &'a Value)>,
) -> Option<Statement> {
    let (types, payloads): (Vec<String>, Vec<String>) =
        events.map(|(kind, payload)| (kind.to_owned(), octavo_kernel::json_text(payload))).unzip();
    if types.is_empty() {
        return None;
    }
    Some(Statement::new(APPEND).texts(types).texts(payloads).maybe_uuid(by).text(tenant.as_str()))
}

const APPEND: &str = "\
insert into event (type, by_user, payload)
select e.type, $3, e.payload::json
from unnest($1::text[], $2::text[]) e (type, payload)
where exists (select from octavo.event_consumers c where c.tenant = $4)";

/// The highest position that was taken.
const TAKEN: &str = "select coalesce(pg_sequence_last_value('event_position_seq'), 0)";
/// The oldest transaction that is open; and one that begins now, if a position was taken that is higher than `$1`.
const OPEN: &str = "\
select
  pg_snapshot_xmin(s)::text,
  case when pg_sequence_last_value('event_position_seq') > $1 then pg_current_xact_id()::text end
from pg_current_snapshot() s";

octavo_pg::statements!(hot = [APPEND, TAKEN, OPEN]);

/// The position up to which every event is committed or will never exist.
#[derive(Debug, Default)]
pub struct Horizon {
    known: i64,
    /// Positions, each with the id of a transaction that began when this was the highest position taken.
    marks: VecDeque<(i64, u64)>,
}

/// The most marks: while one transaction stays open, more of them are of no use.
const MOST_MARKS: usize = 64;

impl Horizon {
    /// The highest position that it has seen.
    fn last(&self) -> i64 {
        self.marks.back().map_or(self.known, |(position, _)| *position)
    }

    /// Reads the highest position that was taken, and the highest position up to which all events can be read.
    ///
    /// The statements run in this order, in one transaction: all transactions that have taken a position began before this one begins.
    /// A snapshot of PostgreSQL would not list all of them: its `xmax` comes after the last transaction that has ended, and open
    /// transactions that are younger are not in it.
    pub async fn read_positions(&mut self, session: &mut Session) -> Outcome<(i64, i64)> {
        let mut batch = Batch::default();
        let taken = batch.ask::<i64>(Statement::new(TAKEN));
        let open = batch.ask::<(String, Option<String>)>(Statement::new(OPEN).long(self.last()));
        let answers = batch.send(session).await?;
        let taken = answers.first(taken).unwrap_or_default();
        let (oldest, begun) = answers.first(open).unwrap_or_default();
        let begun = begun.and_then(|number| number.parse().ok());
        Ok((taken, self.update(taken, oldest.parse().unwrap_or_default(), begun)))
    }

    fn update(&mut self, taken: i64, oldest: u64, begun: Option<u64>) -> i64 {
        if let Some(begun) = begun.filter(|_| taken > self.last()) {
            self.marks.truncate(MOST_MARKS - 1);
            self.marks.push_back((taken, begun));
        }
        while let Some(&(position, first)) = self.marks.front() {
            if first > oldest {
                break;
            }
            self.known = position;
            self.marks.pop_front();
        }
        self.known
    }
}

/// Notifies the task that delivers events, and every client that watches events, in this process that a tenant has new events.
#[derive(Debug, Default)]
pub struct EventNotifier {
    consumers: TenantNotifier,
    counts: Mutex<BTreeMap<String, u64>>,
    watchers: Notify,
    ended: AtomicBool,
}

impl EventNotifier {
    pub fn notify(&self, tenant: &TenantId) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        match counts.get_mut(tenant.as_str()) {
            Some(count) => *count += 1,
            None => drop(counts.insert(tenant.as_str().to_owned(), 1)),
        }
        drop(counts);
        self.consumers.notify(tenant);
        self.watchers.notify_waiters();
    }

    /// Waits for a notification. Returns the tenants for which there was one.
    pub async fn wait_for_tenants(&self) -> BTreeSet<String> {
        self.consumers.wait_for_tenants().await
    }

    /// How many notifications there were for a tenant.
    pub fn count_notifications(&self, tenant: &TenantId) -> u64 {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).get(tenant.as_str()).copied().unwrap_or(0)
    }

    /// Waits until there were more than `count` notifications for a tenant, or the process is about to end.
    pub async fn wait_for_more(&self, tenant: &TenantId, count: u64) {
        loop {
            // This is called before the count is read, so that a notification in between is not missed.
            let rings = self.watchers.notified();
            if self.has_ended() || self.count_notifications(tenant) > count {
                return;
            }
            rings.await;
        }
    }

    /// Ends all waits: the process is about to end.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.watchers.notify_waiters();
    }

    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Arc;

    use octavo_pg::embedded::{Embedded, EmbeddedOptions};
    use octavo_pg::{Database, Options};

    use super::*;

    #[tokio::test]
    async fn who_watches_hears_of_its_tenant_alone_and_of_the_end() {
        let notifier = EventNotifier::default();
        let [own, other] = ["own", "other"].map(|id| TenantId::parse(id).unwrap());
        let seen = notifier.count_notifications(&own);
        notifier.notify(&own);
        notifier.wait_for_more(&own, seen).await;
        let waiting = notifier.wait_for_more(&own, notifier.count_notifications(&own));
        tokio::pin!(waiting);
        notifier.notify(&other);
        assert!(is_pending(waiting.as_mut()).await);
        notifier.end();
        waiting.await;
    }

    /// Whether a future is not ready.
    async fn is_pending(future: std::pin::Pin<&mut impl Future<Output = ()>>) -> bool {
        tokio::select! {
            biased;
            () = future => false,
            () = tokio::task::yield_now() => true,
        }
    }

    #[test]
    fn a_position_is_known_when_all_transactions_that_may_have_a_lower_one_have_ended() {
        let mut horizon = Horizon::default();
        for (why, taken, oldest, begun, known) in [
            ("nothing was ever written", 0, 10, None, 0),
            ("nothing is going on", 5, 20, Some(20), 5),
            ("21 is open and may have position 6", 7, 21, Some(24), 5),
            ("21 is open still", 9, 21, Some(26), 5),
            ("23 may have position 7", 9, 23, None, 5),
            ("those that were open at 7 have ended", 9, 24, None, 7),
            ("those that were open at 9, too", 9, 26, None, 9),
            ("a look that comes late changes nothing", 9, 22, None, 9),
        ] {
            assert_eq!(horizon.update(taken, oldest, begun), known, "{why}");
        }
    }

    #[test]
    fn a_transaction_that_stays_open_costs_no_room() {
        let mut horizon = Horizon::default();
        for position in 1..1_000 {
            assert_eq!(horizon.update(position, 5, Some(10)), 0);
        }
        assert!(horizon.marks.len() <= MOST_MARKS);
        assert_eq!(horizon.update(1_000, 10, Some(10)), 1_000);
    }

    const WRITE: &str = "insert into event (type, payload) values ('A', '{}')";

    /// No transaction that began later has ended when the look comes: PostgreSQL's snapshot does not list the one that is open.
    #[tokio::test]
    async fn the_events_of_the_youngest_transaction_are_not_known_before_it_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let data_dir = folder.path().join("data");
        let options = EmbeddedOptions { data_dir, binaries: None, durable: false, settings: Vec::new() };
        let server = Embedded::start(options).await.unwrap();
        let database = Database::new(server.config(), Options::unlimited(3));
        let mut reader = database.system_session(Arc::default()).await.unwrap();
        reader.script(&format!("create schema one; set search_path to one; {TABLE}")).await.unwrap();
        let mut horizon = Horizon::default();
        assert_eq!(horizon.read_positions(&mut reader).await.unwrap().1, 0);

        let mut writers = Vec::new();
        for position in 1..=2 {
            let mut writer = database.system_session(Arc::default()).await.unwrap();
            writer.script("set search_path to one").await.unwrap();
            writer.begin(vec![Statement::new(WRITE)]).await.unwrap();
            assert_eq!(horizon.read_positions(&mut reader).await.unwrap().1, 0, "{position} may come");
            writers.push(writer);
        }
        let mut later = writers.pop().unwrap();
        later.commit(Vec::new()).await.unwrap();
        assert_eq!(horizon.read_positions(&mut reader).await.unwrap().1, 0, "1 may come");
        let mut first = writers.pop().unwrap();
        first.commit(Vec::new()).await.unwrap();
        assert_eq!(horizon.read_positions(&mut reader).await.unwrap(), (2, 2));
        assert_eq!(Horizon::default().read_positions(&mut reader).await.unwrap(), (2, 2));
        drop((reader, later, first));
        server.stop().await;
    }
}
