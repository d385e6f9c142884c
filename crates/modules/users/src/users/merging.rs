//! Two records of one person are merged: what the duplicate has on loan, requested, owes and was told goes over to the user who is kept,
//! and the duplicate stays behind, inactive and without a barcode. Octavo's own; FOLIO has no such call.
//!
//! Each record type declares which of its records go over ([`octavo_record::MergeRule`]). A merge is stored with the ids of all records
//! that went over, so that it can be undone.

use octavo_engine::{Context, Request, Response, invalidate_caches, notify_statements};
use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::persons;
use octavo_modules_base::user_records::USER;
use octavo_pg::{Session, Statement};
use octavo_record::{MergeRule, RecordTransfer, RecordType, table_name};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    duplicate_user_id: Uuid,
    /// The duplicate's barcode becomes that of the user who is kept.
    #[serde(default)]
    take_barcode: bool,
}

/// A merge as it is stored. Clients get it without `before` and the ids.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Merge {
    id: Uuid,
    kept_user_id: Uuid,
    duplicate_user_id: Uuid,
    date: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by_user_id: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undone_date: Option<String>,
    moved: Vec<MovedRecords>,
    before: Before,
}

/// Records of one type that went over, by the member that names the user.
#[derive(Debug, Serialize, Deserialize)]
struct MovedRecords {
    records: String,
    member: String,
    ids: Vec<Uuid>,
}

/// The members of both users that the merge has changed, as they were before.
#[derive(Debug, Serialize, Deserialize)]
struct Before {
    kept: Value,
    duplicate: Value,
}

impl Merge {
    fn to_json(&self) -> Value {
        let moved: Vec<Value> = self.moved.iter().filter_map(MovedRecords::count_to_json).collect();
        let mut shown = json!({
            "id": self.id, "keptUserId": self.kept_user_id, "duplicateUserId": self.duplicate_user_id,
            "date": self.date, "moved": moved,
        });
        if let Some(by) = self.by_user_id {
            shown["byUserId"] = json!(by);
        }
        if let Some(undone) = &self.undone_date {
            shown["undoneDate"] = json!(undone);
        }
        shown
    }
}

impl MovedRecords {
    fn count_to_json(&self) -> Option<Value> {
        let count = self.ids.len();
        (count > 0).then(|| json!({"records": self.records, "member": self.member, "count": count}))
    }
}

/// The members of all record types whose records go over to the other user.
fn movable_members(context: &Context) -> Vec<(&'static RecordType, &'static RecordTransfer)> {
    let types = context.platform.record_types();
    let each = types.filter_map(|record| match record.persons?.on_user_merged {
        MergeRule::Move(moved) => Some(moved.iter().map(move |one| (record, one))),
        MergeRule::Keep(_) => None,
    });
    each.flatten().collect()
}

/// Shows what a merge would do and what prevents it, by doing the merge and rolling it back.
pub(super) async fn preview(request: Request) -> Outcome<Response> {
    let duplicate = request.query("duplicateUserId").and_then(|id| Uuid::parse_str(id).ok());
    let duplicate = duplicate.ok_or_else(|| Fault::bad_request("duplicateUserId must be a UUID"))?;
    let command = Command { duplicate_user_id: duplicate, take_barcode: false };
    let context = &request.context;
    let mut session = context.session().await?;
    let pair = MergePair::lock(&request, &mut session, &command).await?;
    let obstacles = pair.obstacles(context, &mut session).await?;
    let moved = pair.move_records(context, &mut session).await?;
    session.rollback().await?;
    let moved: Vec<Value> = moved.iter().filter_map(MovedRecords::count_to_json).collect();
    let obstacles: Vec<Value> = obstacles.iter().map(Refusal::to_json).collect();
    Ok(Response::json(200, &json!({"moved": moved, "obstacles": obstacles})))
}

pub(super) async fn merge(request: Request) -> Outcome<Response> {
    let command: Command = request.body()?;
    let context = &request.context;
    let mut session = context.session().await?;
    let pair = MergePair::lock(&request, &mut session, &command).await?;
    let obstacles = pair.obstacles(context, &mut session).await?;
    if !obstacles.is_empty() {
        session.rollback().await?;
        return Err(Fault::refused(obstacles));
    }
    let before = pair.empty_duplicate(&mut session, command.take_barcode).await?;
    let moved = pair.move_records(context, &mut session).await?;
    let merge = Merge {
        id: context.fresh_id(),
        kept_user_id: pair.kept,
        duplicate_user_id: pair.duplicate,
        date: context.now_text(),
        by_user_id: context.caller.user_id,
        undone_date: None,
        moved,
        before,
    };
    let stored = serde_json::to_string(&merge).map_err(Fault::internal)?;
    finish(context, &mut session, Statement::new(KEEP).uuid(merge.id).text(stored), &pair).await?;
    Ok(Response::json(201, &merge.to_json())
        .with_header("location", format!("/octavo/user-merges/{}", merge.id)))
}

/// The merges into a user, the newest first.
pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let merges: Vec<Value> = session.read(Statement::new(OF_USER).uuid(request.path_id(0)?)).await?;
    let merges: Result<Vec<Merge>, _> = merges.into_iter().map(serde_json::from_value).collect();
    let merges: Vec<Value> = merges.map_err(Fault::internal)?.iter().map(Merge::to_json).collect();
    Ok(Response::json(200, &json!({"totalRecords": merges.len(), "merges": merges})))
}

/// Undoes a merge: gives the duplicate back the records that went over and still exist, and both users their barcodes.
pub(super) async fn undo(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let id = request.path_id(0)?;
    let missing = || Fault::not_found_with(format!("Merge with id '{id}' not found"));
    let mut session = context.session().await?;
    let merge = read(&mut session, id).await?.ok_or_else(missing)?;
    let pair = MergePair { kept: merge.kept_user_id, duplicate: merge.duplicate_user_id };
    persons::lock(&mut session, &[pair.kept, pair.duplicate]).await?;
    // The merge is read again under the lock. Meanwhile another request may have undone it, anonymised one of its loans, or deleted a user
    // and the merge with the user.
    let Some(mut merge) = read(&mut session, id).await? else {
        session.rollback().await?;
        return Err(missing());
    };
    if merge.undone_date.is_some() {
        session.rollback().await?;
        return Err(Refusal::new("The merge was undone before").about("id", id.to_string()).into());
    }
    let users = pair.restore(&mut session, &merge.before).await;
    if let Err(refused) = users {
        session.rollback().await?;
        return Err(refused);
    }
    let mut statements = Vec::new();
    for (record, moved) in movable_members(context) {
        let group =
            merge.moved.iter().find(|group| group.records == record.name && group.member == moved.member);
        let Some(group) = group.filter(|group| !group.ids.is_empty()) else { continue };
        let sql = moved.statement(&table_name(record), true);
        statements.push(Statement::new(sql).uuid(pair.kept).uuid(pair.duplicate).uuids(group.ids.clone()));
    }
    session.batch(statements).await?;
    merge.undone_date = Some(context.now_text());
    let stored = serde_json::to_string(&merge).map_err(Fault::internal)?;
    finish(context, &mut session, Statement::new(REPLACE).uuid(id).text(stored), &pair).await?;
    Ok(Response::json(200, &merge.to_json()))
}

async fn read(session: &mut Session, id: Uuid) -> Outcome<Option<Merge>> {
    let stored: Option<Value> = session.read(Statement::new(READ).uuid(id)).await?;
    stored.map(serde_json::from_value).transpose().map_err(Fault::internal)
}

async fn finish(context: &Context, session: &mut Session, last: Statement, pair: &MergePair) -> Outcome<()> {
    let users = [pair.kept, pair.duplicate];
    let mut statements = vec![last];
    statements.extend(users.iter().flat_map(|user| notify_statements(context, &USER, *user)));
    session.commit(statements).await?;
    users.iter().for_each(|user| invalidate_caches(context, &USER, *user));
    Ok(())
}

/// The user who is kept, and the duplicate of the same person.
struct MergePair {
    kept: Uuid,
    duplicate: Uuid,
}

impl MergePair {
    /// Begins a transaction, locks both users, and refuses ids that are equal or unknown.
    async fn lock(request: &Request, session: &mut Session, command: &Command) -> Outcome<MergePair> {
        let pair = MergePair { kept: request.path_id(0)?, duplicate: command.duplicate_user_id };
        if pair.kept == pair.duplicate {
            let refusal = Refusal::new("A user cannot be merged with themselves");
            return Err(refusal.about("duplicateUserId", pair.duplicate.to_string()).into());
        }
        let both = [pair.kept, pair.duplicate];
        persons::lock(session, &both).await?;
        let known: Vec<Uuid> = session.read(Statement::new(KNOWN).uuids(both.to_vec())).await?;
        if let Some(unknown) = both.iter().find(|id| !known.contains(id)) {
            session.rollback().await?;
            return Err(Fault::not_found_with(format!("User with id '{unknown}' not found")));
        }
        Ok(pair)
    }

    /// The reasons why the two users cannot be merged now. Staff can remove each of them at the desk.
    async fn obstacles(&self, context: &Context, session: &mut Session) -> Outcome<Vec<Refusal>> {
        let about = |sql: &'static str| Statement::new(sql).uuid(self.duplicate).uuid(self.kept);
        let mut obstacles = Vec::new();
        if context.caller.user_id == Some(self.duplicate) {
            obstacles.push(
                Refusal::new("Your own record cannot be the duplicate")
                    .about("duplicateUserId", self.duplicate.to_string()),
            );
        }
        for (sql, message) in [
            (BOTH_WAIT, "Both have an open request for the same title"),
            (LENT_AND_WANTED, "One has on loan what the other has requested"),
        ] {
            let titles: Vec<(Uuid, Option<String>)> = session.read(about(sql)).await?;
            obstacles.extend(titles.into_iter().map(|(request, title)| {
                Refusal::new(message)
                    .about("requestId", request.to_string())
                    .about("title", title.unwrap_or_default().as_str())
            }));
        }
        Ok(obstacles)
    }

    /// Makes the duplicate inactive and takes its barcode. Returns what both users had before.
    async fn empty_duplicate(&self, session: &mut Session, take_barcode: bool) -> Outcome<Before> {
        let read = |user| Statement::new(CHANGED).uuid(user);
        let kept: Option<Value> = session.read(read(self.kept)).await?;
        let duplicate: Option<Value> = session.read(read(self.duplicate)).await?;
        let before = Before { kept: kept.unwrap_or_default(), duplicate: duplicate.unwrap_or_default() };
        let empty = json!({"active": false, "barcode": null});
        let mut statements = vec![set_members_statement(self.duplicate, &empty)];
        if let (true, Some(barcode)) = (take_barcode, before.duplicate["barcode"].as_str()) {
            statements.push(set_members_statement(self.kept, &json!({"barcode": barcode})));
        }
        session.batch(statements).await?;
        Ok(before)
    }

    async fn move_records(&self, context: &Context, session: &mut Session) -> Outcome<Vec<MovedRecords>> {
        let moving = movable_members(context);
        let statement = |(record, moved): &(&RecordType, &RecordTransfer)| {
            Statement::new(moved.statement(&table_name(record), false)).uuid(self.duplicate).uuid(self.kept)
        };
        let answers = session.batch(moving.iter().map(statement).collect()).await?;
        let groups = moving.iter().zip(answers).map(|((record, moved), rows)| MovedRecords {
            records: record.name.to_owned(),
            member: moved.member.to_owned(),
            ids: rows.iter().map(octavo_pg::Row::read::<Uuid>).collect(),
        });
        Ok(groups.collect())
    }

    /// Restores the members of both users that the merge has changed. A barcode that was changed since then stays as it is.
    async fn restore(&self, session: &mut Session, before: &Before) -> Outcome<()> {
        let barcode = &before.duplicate["barcode"];
        let kept: Option<Value> = session.read(Statement::new(CHANGED).uuid(self.kept)).await?;
        let kept = kept.unwrap_or_default();
        if !barcode.is_null() && kept["barcode"] == *barcode {
            session
                .batch(vec![set_members_statement(self.kept, &json!({"barcode": before.kept["barcode"]}))])
                .await?;
        }
        let taken = Statement::new(TAKEN).maybe_text(barcode.as_str()).uuid(self.duplicate);
        if !session.rows(taken).await?.is_empty() {
            let refusal = Refusal::new("This barcode has already been taken");
            return Err(refusal.about("barcode", barcode.as_str().unwrap_or_default()).into());
        }
        session.batch(vec![set_members_statement(self.duplicate, &before.duplicate)]).await?;
        Ok(())
    }
}

/// Sets members of a user; `null` removes one.
fn set_members_statement(user: Uuid, members: &Value) -> Statement {
    Statement::new(SET).uuid(user).text(members.to_string())
}

const KNOWN: &str = "select id from users where id = any($1) order by id for update";

/// Reads the members of a user that a merge changes.
const CHANGED: &str = "\
select json_build_object('active', doc -> 'active', 'barcode', doc -> 'barcode')
from users
where id = $1";

const SET: &str = "\
update users
set doc = ((doc::jsonb || $2::text::jsonb) - array(
  select m.key from jsonb_each($2::text::jsonb) m where m.value = 'null'))::json
where id = $1";

const TAKEN: &str = "select 1 from users where barcode = octavo.fold($1) and id <> $2 limit 1";

const KEEP: &str = "insert into user_merge (id, doc) values ($1, $2::text::json)";

const REPLACE: &str = "update user_merge set doc = $2::text::json where id = $1";

/// Reads a merge and locks it, because anonymising removes ids of loans from it.
const READ: &str = "select doc from user_merge where id = $1 for update";

const OF_USER: &str = "\
select doc
from user_merge
where \"keptUserId\" = $1
order by doc ->> 'date' desc, id
limit 100";

/// The kept user's open requests for what the duplicate has requested, too.
const BOTH_WAIT: &str = "\
select k.id, k.doc #>> '{instance,title}'
from request k
where k.\"requesterId\" = $2
  and k.status like 'open%'
  and exists (
    select from request d
    where d.\"requesterId\" = $1
      and d.status like 'open%'
      and d.\"instanceId\" = k.\"instanceId\"
      and (d.\"itemId\" is null or k.\"itemId\" is null or d.\"itemId\" = k.\"itemId\"))
order by k.id";

/// Open requests of one for items that the other has on loan.
const LENT_AND_WANTED: &str = "\
select r.id, r.doc #>> '{instance,title}'
from request r
join loan l on l.\"itemId\" = r.\"itemId\" and l.\"status.name\" = 'open'
where r.status like 'open%'
  and (r.\"requesterId\" = $1 and l.\"userId\" = $2 or r.\"requesterId\" = $2 and l.\"userId\" = $1)
order by r.id";

octavo_pg::statements! {
    other = [KNOWN, CHANGED, SET, TAKEN, KEEP, REPLACE, READ, OF_USER, BOTH_WAIT, LENT_AND_WANTED],
}
