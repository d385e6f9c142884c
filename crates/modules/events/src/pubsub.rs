//! mod-pubsub 2.13.1: event types, the modules that publish them and those that subscribe, events that modules outside of the process
//! publish, and what has become of events.
//!
//! `folio/pubsub.tsv` lists the events that built-in modules publish and subscribe to. Built-in modules react to events within their own
//! decisions: no events are sent to them. The history of an event is not stored: it is computed from the event, the positions of consumers
//! and the refused events.

mod built_in;
mod callback;
mod declare;
mod event_types;
mod history;
mod ids;
mod publish;
mod registered;
mod role;

use octavo_engine::migrations::Migration;
use octavo_engine::{Call, Module, calls};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};

pub(crate) use callback::Subscriber;
pub(crate) use ids::id_from_position;
use role::Role;

pub static MODULE: Module = Module {
    name: "mod-pubsub",
    calls: CALLS,
    script: TABLES,
    migrations: &[Migration {
        number: 24,
        name: "publishers and subscribers",
        sql: include_str!("../../migrations/24_pubsub.sql"),
    }],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get "/pubsub/event-types" => event_types::list;
    Post "/pubsub/event-types" => event_types::create;
    Get "/pubsub/event-types/{eventTypeName}" => event_types::get;
    Put "/pubsub/event-types/{eventTypeName}" => event_types::replace;
    Delete "/pubsub/event-types/{eventTypeName}" => event_types::delete;
    Get "/pubsub/event-types/{eventTypeName}/publishers" => |request| registered::list(request, Role::Publisher);
    Get "/pubsub/event-types/{eventTypeName}/subscribers" => |request| registered::list(request, Role::Subscriber);
    Delete "/pubsub/event-types/{eventTypeName}/publishers" => |request| declare::delete(request, Role::Publisher);
    Delete "/pubsub/event-types/{eventTypeName}/subscribers" => |request| declare::delete(request, Role::Subscriber);
    Post "/pubsub/event-types/declare/publisher" => declare::declare_publisher;
    Post "/pubsub/event-types/declare/subscriber" => declare::declare_subscriber;
    Delete "/pubsub/messaging-modules" => declare::delete_all;
    Post "/pubsub/publish" => publish::publish;
    Get "/pubsub/history" => history::list;
    Get "/pubsub/audit-messages/{eventId}/payload" => history::payload;
};

/// `since` is the position from which on a subscriber gets the events of a type.
const TABLES: &str = "\
create table pubsub_event_type (
  name text primary key,
  descriptor json not null
);
create table pubsub_module (
  id uuid primary key,
  event_type text not null,
  module text not null,
  role text not null,
  callback text,
  since bigint not null,
  unique (module, role, event_type)
)";

/// The most characters of a name, an address or a description.
const MAX_CHARACTERS: usize = 1_000;

fn refuse_long_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Outcome<()> {
    match texts.into_iter().any(|text| text.chars().count() > MAX_CHARACTERS) {
        true => Err(Fault::bad_request(format!(
            "Names, addresses and descriptions have {MAX_CHARACTERS} characters at most"
        ))),
        false => Ok(()),
    }
}

/// Ends the open transaction: commits these statements, or rolls the transaction back if there is a fault.
async fn commit_or_roll_back(session: &mut Session, decided: Outcome<Vec<Statement>>) -> Outcome<()> {
    match decided {
        Ok(statements) => drop(session.commit(statements).await?),
        Err(fault) => {
            session.rollback().await?;
            return Err(fault);
        }
    }
    Ok(())
}

/// Takes the lock by which changes of a tenant's event types and messaging modules wait for each other.
fn lock_statement() -> Statement {
    Statement::new(LOCK)
}

const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('pubsub ' || current_schema(), 0))::text";

octavo_pg::statements!(
    other = [LOCK],
    within = [callback, event_types, declare, history, publish, registered]
);
