//! What decisions rest on, and how it changes while they are made: rules, policies, patrons, their groups and their blocks.
//!
//! Two kinds of witnesses look for decisions by facts that were old. Blocks, states and groups of patrons change under the
//! patron's lock, as check-outs are made under it: when a loan is written, a trigger looks whether something stands in the
//! database that forbids it. Rules and policies change beside the desk: each change and each loan notes when it began and
//! when it was answered, and a loan must be by a rule that may have been in force in between.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use octavo_pg::Statement;
use octavo_testkit::reference::FACULTY;
use octavo_testkit::{Library, fresh_id, on_runtime};
use serde_json::{Value, json};

use crate::blocks::limited::{CHARGED_OUT, enable_condition, set_limit};

/// The most loans that a patron of the group *faculty* may have at the same time.
pub(super) const LOAN_LIMIT: i64 = 2;

/// The logical times at which a request was sent and answered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    begun_at: u64,
    ended_at: u64,
}

/// The changes of a fact, and the values that loans were based on.
#[derive(Default)]
struct Fact {
    changes: Vec<(Span, String)>,
    used_values: Vec<(Span, String)>,
}

#[derive(Default)]
pub(super) struct Facts {
    clock: AtomicU64,
    facts_by_name: Mutex<BTreeMap<String, Fact>>,
}

impl Facts {
    pub(super) fn begin(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    pub(super) fn end(&self, begun: u64) -> Span {
        Span { begun_at: begun, ended_at: self.clock.fetch_add(1, Ordering::SeqCst) }
    }

    pub(super) fn note_change(&self, name: &str, span: Span, value: &str) {
        self.note(name, |fact| fact.changes.push((span, value.to_owned())));
    }

    pub(super) fn note_use(&self, name: &str, span: Span, value: &str) {
        self.note(name, |fact| fact.used_values.push((span, value.to_owned())));
    }

    fn note(&self, name: &str, note: impl FnOnce(&mut Fact)) {
        note(
            self.facts_by_name
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(name.to_owned())
                .or_default(),
        );
    }

    /// Loans since the last call that were based on a value that was no longer, or not yet, in force.
    pub(super) fn stale_uses(&self) -> Vec<String> {
        let mut known = self.facts_by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stale = Vec::new();
        for (name, fact) in known.iter_mut() {
            for (span, value) in std::mem::take(&mut fact.used_values) {
                if !fact.may_have_been(&value, span) {
                    stale.push(format!("{name} was taken for {value} at {span:?}: {:?}", fact.changes));
                }
            }
        }
        stale
    }
}

impl Fact {
    /// Whether some change to the value had begun before the end, and none to another lies between it and the beginning.
    fn may_have_been(&self, value: &str, at: Span) -> bool {
        let began_before = |(change, to): &&(Span, String)| to == value && change.begun_at < at.ended_at;
        self.changes.iter().filter(began_before).any(|(change, _)| {
            let overtaken = |(other, to): &(Span, String)| {
                to != value && other.begun_at > change.ended_at && other.ended_at < at.begun_at
            };
            !self.changes.iter().any(overtaken)
        })
    }
}

/// Installs the trigger that checks loans; returns the id of a patron group other than *faculty*, which has no limit.
pub(super) async fn install_witness(library: &Library) -> Value {
    let desk = library.clone();
    let groups = desk.get("/groups?limit=100").await.expect(200).field_values("usergroups", "id");
    let other = groups.into_iter().find(|id| id != FACULTY).unwrap();
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        for statement in [SEEN_TABLE, WITNESS, CALL] {
            session.rows(Statement::new(statement.replace("{most}", &LOAN_LIMIT.to_string()))).await.unwrap();
        }
    })
    .await;
    json!(other)
}

pub(super) async fn set_limits(desk: &octavo_testkit::Desk) {
    enable_condition(desk, CHARGED_OUT, "Enough").await;
    set_limit(desk, CHARGED_OUT, json!(LOAN_LIMIT)).await;
}

pub(super) fn block_body(patron: &Value) -> Value {
    json!({"id": fresh_id(), "userId": patron["id"], "desc": "Walks on the grass", "type": "Manual", "borrowing": true})
}

const SEEN_TABLE: &str = "create table walk_seen (what text not null, loan uuid not null)";

/// What this statement sees was committed before the check-out had the patron's lock: nobody else could change it since.
const WITNESS: &str = "\
create function walk_witness() returns trigger language plpgsql as $$
declare
  patron uuid := (new.doc ->> 'userId')::uuid;
begin
  insert into walk_seen
  select 'lent to a patron who is blocked', new.id
  from manualblocks b where b.\"userId\" = patron and b.doc ->> 'borrowing' = 'true';
  insert into walk_seen
  select 'lent to a patron who is not active', new.id
  from users u where u.id = patron and u.doc ->> 'active' <> 'true';
  insert into walk_seen
  select 'lent to a patron of another group', new.id
  from users u where u.id = patron and u.doc ->> 'patronGroup' <> new.doc ->> 'patronGroupIdAtCheckout';
  insert into walk_seen
  select 'lent to a patron who has enough', new.id
  from users u
  where u.id = patron
    and u.doc ->> 'patronGroup' = '503a81cd-6c26-400f-b620-14c08943697c'
    and (
      select count(*) from loan l
      where l.\"userId\" = patron and l.\"status.name\" = 'open'
        and l.\"itemStatus\" is distinct from 'claimed returned'
    ) > {most};
  return null;
end $$";

const CALL: &str =
    "create trigger walk_witness after insert on loan for each row execute function walk_witness()";

#[test]
fn a_rule_that_was_replaced_before_somebody_asked_was_not_in_force() {
    let fact = |changes: &[(u64, u64, &str)]| Fact {
        changes: changes
            .iter()
            .map(|(begun, ended, to)| (Span { begun_at: *begun, ended_at: *ended }, (*to).to_owned()))
            .collect(),
        ..Fact::default()
    };
    let replaced = fact(&[(0, 1, "a"), (4, 6, "b")]);
    for (begun, ended, value, may) in [
        (2, 3, "a", true),
        (2, 3, "b", false),
        (2, 5, "b", true),
        (5, 7, "a", true),
        (7, 8, "a", false),
        (7, 8, "b", true),
        (3, 9, "a", true),
    ] {
        assert_eq!(
            replaced.may_have_been(value, Span { begun_at: begun, ended_at: ended }),
            may,
            "{value} at {begun} to {ended}"
        );
    }
    let at_once = fact(&[(0, 1, "a"), (2, 5, "b"), (3, 4, "a")]);
    for value in ["a", "b"] {
        assert!(
            at_once.may_have_been(value, Span { begun_at: 6, ended_at: 7 }),
            "nobody knows which came last"
        );
    }
}
