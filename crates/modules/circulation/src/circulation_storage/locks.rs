//! Check-out locks, `/check-out-lock-storage`: only the client that holds a patron's lock checks out to the patron.
//!
//! Octavo's check-out needs no such lock; it is for FOLIO's clients. A unique key allows a patron one lock. A lock does not expire by
//! itself: the next client states how old it may be.

use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Kind, Outcome, Refusal, folio_time};
use octavo_pg::Statement;
use octavo_record::{Field, Member, Persons, RecordType, Unique};
use serde_json::{Value, json};
use uuid::Uuid;

pub(super) static LOCK: RecordType = RecordType {
    name: "check-out lock",
    table: "check_out_lock",
    path: "/check-out-lock-storage",
    collection: "checkoutLocks",
    schema: include_str!("../../../folio/records/mod-circulation-storage/checkout-lock.tsv"),
    fields: &[Field::uuid("userId")],
    unique: &[Unique::new(&["userId"])],
    persons: Some(&Persons::deleted_with_user(&[Member::patron_id("userId")], "t.\"userId\" = any($1)")),
    ..RecordType::BASE
};

const REQUEST: &str =
    include_str!("../../../folio/records/mod-circulation-storage/checkout-lock-request.tsv");

pub(super) async fn take(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let wanted = request.checked_json(REQUEST)?;
    let user = wanted["userId"]
        .as_str()
        .and_then(|id| Uuid::parse_str(id).ok())
        .ok_or_else(|| missing_member("userId"))?;
    let milliseconds = wanted["ttlMs"].as_i64().ok_or_else(|| missing_member("ttlMs"))?;
    let outdated =
        context.now.checked_sub(SignedDuration::from_millis(milliseconds)).unwrap_or(Timestamp::MIN);
    let id = context.fresh_id();
    let lock = json!({"id": id, "userId": user, "creationDate": context.now_text()});
    let statements = vec![
        Statement::new(FREE).uuid(user).text(folio_time(outdated)),
        Statement::new(TAKE).uuid(id).text(lock.to_string()),
    ];
    let mut session = context.session().await?;
    let taken = session.transaction(statements).await?.pop().unwrap_or_default();
    if taken.is_empty() {
        return Err(Fault::text(503, "Unable to acquire lock"));
    }
    Ok(Response::json(201, &lock))
}

fn missing_member(member: &str) -> Fault {
    let refusal =
        Refusal::new("must not be null").kind("1").code("jakarta.validation.constraints.NotNull.message");
    refusal.about(member, "null").into()
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let numbers = i64::from(i32::MIN)..=i64::from(i32::MAX);
    let offset = request.query_number("offset", 0, numbers.clone())?;
    let limit = request.query_number("limit", 10, numbers)?;
    let user = request.query("userId").and_then(|id| Uuid::parse_str(id).ok());
    let user = user.filter(|_| offset >= 0 && limit >= 0);
    let user = user.ok_or_else(|| Fault::new(Kind::Refused, "Invalid Parameters"))?;
    let mut session = request.context.session().await?;
    let locks: Vec<Value> = session.read(Statement::new(OF_USER).uuid(user).long(offset).long(limit)).await?;
    Ok(Response::json(200, &json!({"checkoutLocks": locks, "totalRecords": locks.len()})))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let id = lock_id(&request)?;
    let mut session = request.context.session().await?;
    let lock: Option<String> = session.read(Statement::new(BY_ID).uuid(id)).await?;
    Ok(Response::json_text(200, lock.ok_or_else(Fault::not_found)?))
}

/// To give back a lock that does not exist is no error.
pub(super) async fn give_back(request: Request) -> Outcome<Response> {
    let id = lock_id(&request)?;
    let mut session = request.context.session().await?;
    session.rows(Statement::new(GIVE_BACK).uuid(id)).await?;
    Ok(Response::no_content())
}

fn lock_id(request: &Request) -> Outcome<Uuid> {
    Uuid::parse_str(request.path_parameter(0)).map_err(|_| Fault::bad_request("Invalid lock id"))
}

const FREE: &str = "\
delete from check_out_lock
where \"userId\" = $1
  and doc ->> 'creationDate' <= $2";

/// Takes the lock. If two try at once, the second waits for the first and then gets nothing.
const TAKE: &str = "\
insert into check_out_lock (id, doc)
values ($1, $2::text::json)
on conflict do nothing
returning id";

const OF_USER: &str = "\
select doc::text
from check_out_lock
where \"userId\" = $1
order by id
offset $2::int8
limit $3::int8";

const BY_ID: &str = "select doc::text from check_out_lock where id = $1";

const GIVE_BACK: &str = "delete from check_out_lock where id = $1";

octavo_pg::statements!(hot = [FREE, TAKE, OF_USER, BY_ID, GIVE_BACK]);
