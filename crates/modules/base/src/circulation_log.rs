//! The circulation log: its table, how records get into it, and how they are found, shown and forgotten.
//!
//! Every check-out writes a row, so a row is small: codes for words, ids, and what cannot be looked up later. It is no document: the
//! record that clients see is put together when they read it.

mod heard;
mod shown;

use std::sync::LazyLock;

use jiff::SignedDuration;
use octavo_circulation::log::{LogAction, LogObject, Logged, Source};
use octavo_engine::Context;
use octavo_kernel::{json_text, parse_time};
use octavo_pg::{Param, Statement};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

pub use heard::log_event_statements;
pub use shown::LOG;

/// `at` is later by a microsecond for each further record of a change, so that the order of time is that of writing. `about_id` is a
/// request or a fee/fine. `source` names who did it, if that is no user in `by_user`.
pub const TABLE: &str = include_str!("circulation_log/table.sql");

/// The most records that are inserted one by one by [`WRITE`]. More records, or records that need a look-up, are inserted by one
/// [`APPEND`].
const MAX_SINGLE_INSERTS: usize = 4;

/// The statements that insert these records into the circulation log, in this order.
pub fn append<'a>(context: &Context, records: impl Iterator<Item = &'a Logged>) -> Vec<Statement> {
    let rows: Vec<Row<'_>> =
        records.enumerate().map(|(place, record)| Row::from_record(context, place, record)).collect();
    // Without records there is no statement.
    if rows.len() <= MAX_SINGLE_INSERTS && rows.iter().all(Row::is_complete) {
        return rows.into_iter().map(|row| row.insert_statement(context)).collect();
    }
    vec![Statement::new(APPEND).text(context.now.to_string()).text(json_text(&rows))]
}

/// A record as [`APPEND`] reads it: one parameter for all rows takes less memory and time than one for each column.
#[derive(Serialize)]
struct Row<'a> {
    place: usize,
    id: Uuid,
    object: i64,
    action: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_barcode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_user: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_barcode: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loan_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    service_point_id: Option<Uuid>,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason_id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<&'a Value>,
}

impl Row<'_> {
    fn from_record<'a>(context: &Context, place: usize, record: &'a Logged) -> Row<'a> {
        let id = |id: &Option<String>| id.as_deref().and_then(|id| Uuid::parse_str(id).ok());
        let (by_user, source) = match &record.source {
            Source::Caller => (context.caller.user_id, None),
            Source::User(user) => (Uuid::parse_str(user).ok(), None),
            Source::Named(name) => (None, name.as_deref()),
        };
        // An action at the time of the request is dated by its place among the records of the change.
        let is_other_time = |at: &&str| {
            parse_time(at)
                .is_some_and(|at| at.as_second() > 0 && at.as_millisecond() != context.now.as_millisecond())
        };
        Row {
            place,
            at: record.at.as_deref().filter(is_other_time),
            id: context.fresh_id(),
            object: record.object.code(),
            action: record.action.code(),
            user_id: id(&record.user_id),
            user_barcode: record.user_barcode.as_deref(),
            by_user,
            source,
            item_id: id(&record.item_id),
            item_barcode: record.item_barcode.as_deref(),
            loan_id: id(&record.loan_id),
            about_id: id(&record.about_id),
            service_point_id: id(&record.service_point_id),
            description: &record.description,
            reason_id: id(&record.reason_id),
            more: record.more.as_ref(),
        }
    }

    /// Whether there is nothing that [`APPEND`] would look up.
    fn is_complete(&self) -> bool {
        self.user_id.is_some() == self.user_barcode.is_some()
            && (self.item_barcode.is_some() || self.item_id.is_none())
            && self.reason_id.is_none()
    }

    /// The statement that inserts a record of which nothing has to be looked up.
    fn insert_statement(&self, context: &Context) -> Statement {
        let later = SignedDuration::from_micros(self.place.try_into().unwrap_or_default());
        let at = self.at.and_then(parse_time).and_then(|at| at.checked_add(later).ok());
        let uuid = |id: Option<Uuid>| id.map_or(Param::Null, Param::Uuid);
        let text = |text: Option<&str>| text.map_or(Param::Null, |text| Param::Text(text.to_owned()));
        let params = vec![
            Param::Text(at.unwrap_or_else(|| context.now + later).to_string()),
            Param::Long(self.object),
            Param::Long(self.action),
            Param::Uuid(self.id),
            uuid(self.user_id),
            uuid(self.by_user),
            uuid(self.item_id),
            uuid(self.loan_id),
            uuid(self.about_id),
            uuid(self.service_point_id),
            text(self.user_barcode),
            text(self.item_barcode),
            text(self.source),
            text(Some(self.description)),
            self.more.map_or(Param::Null, |more| Param::Text(json_text(more))),
        ];
        Statement::with_params(WRITE, params)
    }
}

/// Inserts one record of which nothing has to be looked up. It takes a third of the time of [`APPEND`], and every check-out inserts one
/// record.
const WRITE: &str = "\
insert into circulation_log (
  at, object, action, id, user_id, by_user, item_id, loan_id, about_id, service_point_id,
  user_barcode, item_barcode, source, description, more
)
values (
  $1::text::timestamptz, $2::int8, $3::int8, $4, $5, $6, $7, $8, $9, $10,
  $11::text, $12::text, $13::text, $14::text, $15::text::json
)";

/// Looks up the barcodes that a record lacks. A barcode without the user's id names the user.
const APPEND: &str = "\
insert into circulation_log (
  at, object, action, id, user_id, by_user, item_id, loan_id, about_id, service_point_id,
  user_barcode, item_barcode, source, description, more
)
select
  coalesce(r.at, $1::text::timestamptz) + r.place * interval '1 microsecond', r.object, r.action, r.id,
  coalesce(r.user_id, (
    select u.id
    from users u
    where r.user_barcode is not null
      and u.barcode = octavo.fold(r.user_barcode)
  )),
  r.by_user, r.item_id, r.loan_id, r.about_id, r.service_point_id,
  coalesce(r.user_barcode, (select u.doc ->> 'barcode' from users u where u.id = r.user_id)),
  coalesce(r.item_barcode, (select i.doc ->> 'barcode' from item i where i.id = r.item_id)),
  r.source,
  r.description || case
    when r.reason_id is null then ''
    else coalesce((select c.doc ->> 'description' from cancellation_reason c where c.id = r.reason_id), 'null') || '.'
  end,
  r.more
from json_to_recordset($2::text::json) r (
  place int, id uuid, object smallint, action smallint, at timestamptz, user_id uuid, user_barcode text, by_user uuid,
  source text, item_id uuid, item_barcode text, loan_id uuid, about_id uuid, service_point_id uuid, description text, reason_id uuid,
  more json
)
order by r.place";

/// Takes the patrons out of all records about loans that are anonymised, and notes the anonymisation.
pub(crate) fn forget_loans(loans: &[Uuid], patrons: &[Uuid], now: String) -> Vec<Statement> {
    let of = |sql: &'static LazyLock<String>| Statement::new(sql.as_str()).uuids(loans.to_vec());
    vec![of(&FORGET_LOANS).uuids(patrons.to_vec()), of(&ANONYMIZED).text(now)]
}

/// Takes deleted users out of the records.
pub(crate) fn forget_users(users: Vec<Uuid>) -> Statement {
    Statement::new(FORGET_USERS.as_str()).uuids(users)
}

/// Takes deleted users out of the records of loans for which they were proxies, while the loans still name them.
pub(crate) fn forget_proxies(users: Vec<Uuid>) -> Statement {
    Statement::new(FORGET_PROXIES.as_str()).uuids(users)
}

/// SQL for a record without the patron. Descriptions that staff have written may tell about them, too.
fn forget_sql(condition: &str) -> String {
    let objects = comma_separated(&[LogObject::FeeFine.code(), LogObject::ManualBlock.code()]);
    let actions = comma_separated(
        &[
            LogAction::ClaimedReturned,
            LogAction::DeclaredLost,
            LogAction::MarkedAsMissing,
            LogAction::PatronInfoAdded,
            LogAction::StaffInfoAdded,
            LogAction::CheckedOut,
            LogAction::CheckedOutThroughOverride,
        ]
        .map(LogAction::code),
    );
    format!(
        "update circulation_log\nset\n  user_id = null,\n  user_barcode = null,\n  \
         description = case when object in ({objects}) or action in ({actions}) then '' else description end\nwhere {condition}"
    )
}

fn comma_separated(codes: &[i64]) -> String {
    codes.iter().map(i64::to_string).collect::<Vec<_>>().join(", ")
}

/// `$1` are the loans, `$2` their patrons. A loan that has gone over from a duplicate is named in records of the duplicate, too; a notice
/// may be about several loans.
static FORGET_LOANS: LazyLock<String> = LazyLock::new(|| {
    forget_sql(
        "\
user_id = any($2 || array(
  select m.\"duplicateUserId\"
  from user_merge m
  where m.\"keptUserId\" = any($2)
)) and (loan_id = any($1) or more is not null and exists (
  select from json_array_elements(more -> 'items') i where (i ->> 'loanId')::uuid = any($1)
))",
    )
});

/// Removes the patrons from all log records about anonymised loans. Used for events of modules outside of the program, which name no
/// patron.
pub(crate) static FORGET_LOANS_OF_ANYBODY: LazyLock<String> =
    LazyLock::new(|| forget_sql("loan_id = any($1) and (user_id is not null or user_barcode is not null)"));

static FORGET_USERS: LazyLock<String> = LazyLock::new(|| forget_sql("user_id = any($1)"));

static FORGET_PROXIES: LazyLock<String> = LazyLock::new(|| {
    let actions =
        comma_separated(&[LogAction::CheckedOut.code(), LogAction::CheckedOutThroughOverride.code()]);
    format!(
        "\
update circulation_log
set description = ''
where action in ({actions})
  and loan_id = any(array(select p.id from loan p where p.\"proxyUserId\" = any($1)))"
    )
});

static ANONYMIZED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "\
insert into circulation_log (at, object, action, id, item_id, loan_id, service_point_id, item_barcode, source, description)
select
  $2::text::timestamptz, {}, {}, octavo.fresh_id(), l.\"itemId\", l.id,
  (coalesce(l.doc ->> 'checkinServicePointId', l.doc ->> 'checkoutServicePointId'))::uuid,
  (select i.doc ->> 'barcode' from item i where i.id = l.\"itemId\"),
  'System', ''
from loan l
where l.id = any($1)",
        LogObject::Loan.code(),
        LogAction::Anonymize.code()
    )
});

/// Deletes records from before a time, a thousand at once.
pub(crate) const OLD: &str = "\
delete from circulation_log l
using (select o.ctid from circulation_log o where o.at < $1::text::timestamptz order by o.at limit 1000) o
where l.ctid = o.ctid
returning 1";

octavo_pg::statements!(
    hot = [WRITE, APPEND],
    other = [FORGET_LOANS, FORGET_LOANS_OF_ANYBODY, FORGET_USERS, FORGET_PROXIES, ANONYMIZED, OLD],
    within = [heard]
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trigger_of_manual_blocks_writes_the_codes_of_the_words() {
        for code in [
            format!("log_object smallint := {};", LogObject::ManualBlock.code()),
            format!("when 'INSERT' then {}", LogAction::Created.code()),
            format!("when 'UPDATE' then {}", LogAction::Modified.code()),
            format!("else {}", LogAction::Deleted.code()),
        ] {
            assert!(TABLE.contains(&code), "{code}");
        }
    }
}
