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

use crate::blocks::limited::{CHARGED_OUT, enable, limit};

/// More a patron of the faculty may not have at once.
pub(super) const MOST: i64 = 2;

/// When something was asked for and answered, by a clock that counts both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    begun: u64,
    ended: u64,
}

/// The changes of a fact, and what loans took it for.
#[derive(Default)]
struct Fact {
    changes: Vec<(Span, String)>,
    taken_for: Vec<(Span, String)>,
}

#[derive(Default)]
pub(super) struct Facts {
    clock: AtomicU64,
    known: Mutex<BTreeMap<String, Fact>>,
}

impl Facts {
    pub(super) fn begin(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::SeqCst)
    }

    pub(super) fn end(&self, begun: u64) -> Span {
        Span { begun, ended: self.clock.fetch_add(1, Ordering::SeqCst) }
    }

    pub(super) fn changed(&self, name: &str, span: Span, value: &str) {
        self.note(name, |fact| fact.changes.push((span, value.to_owned())));
    }

    pub(super) fn taken(&self, name: &str, span: Span, value: &str) {
        self.note(name, |fact| fact.taken_for.push((span, value.to_owned())));
    }

    fn note(&self, name: &str, note: impl FnOnce(&mut Fact)) {
        note(self.known.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_default());
    }

    /// Loans since the last time that were made by what was no fact any more, or not yet.
    pub(super) fn stale(&self) -> Vec<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stale = Vec::new();
        for (name, fact) in known.iter_mut() {
            for (span, value) in std::mem::take(&mut fact.taken_for) {
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
        let began_before = |(change, to): &&(Span, String)| to == value && change.begun < at.ended;
        self.changes.iter().filter(began_before).any(|(change, _)| {
            let overtaken = |(other, to): &(Span, String)| {
                to != value && other.begun > change.ended && other.ended < at.begun
            };
            !self.changes.iter().any(overtaken)
        })
    }
}

/// A limit of the faculty, a group without one, and the witness at the loans.
pub(super) async fn watch(library: &Library) -> Value {
    let desk = library.clone();
    let groups = desk.get("/groups?limit=100").await.expect(200).all("usergroups", "id");
    let other = groups.into_iter().find(|id| id != FACULTY).unwrap();
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        for statement in [SEEN, WITNESS, CALL] {
            session.rows(Statement::new(statement.replace("{most}", &MOST.to_string()))).await.unwrap();
        }
    })
    .await;
    json!(other)
}

pub(super) async fn limits(desk: &octavo_testkit::Desk) {
    enable(desk, CHARGED_OUT, "Enough").await;
    limit(desk, CHARGED_OUT, json!(MOST)).await;
}

pub(super) fn block(patron: &Value) -> Value {
    json!({"id": fresh_id(), "userId": patron["id"], "desc": "Walks on the grass", "type": "Manual", "borrowing": true})
}

const SEEN: &str = "create table walk_seen (what text not null, loan uuid not null)";

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
            .map(|(begun, ended, to)| (Span { begun: *begun, ended: *ended }, (*to).to_owned()))
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
            replaced.may_have_been(value, Span { begun, ended }),
            may,
            "{value} at {begun} to {ended}"
        );
    }
    let at_once = fact(&[(0, 1, "a"), (2, 5, "b"), (3, 4, "a")]);
    for value in ["a", "b"] {
        assert!(at_once.may_have_been(value, Span { begun: 6, ended: 7 }), "nobody knows which came last");
    }
}
