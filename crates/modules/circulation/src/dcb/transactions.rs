//! Transactions as they are stored, and the changes of their statuses, of which the hub asks for a list.

use std::sync::LazyLock;

use octavo_circulation::dcb::{Role, Status, event_applies, status_after};
use octavo_circulation::plan::{DcbEvent, DcbSubject, DeskEvent};
use octavo_engine::{Context, statements};
use octavo_kernel::{Fault, Outcome};
use octavo_modules_base::inventory_records::CIRCULATION_ITEM;
use octavo_pg::{Session, Statement};
use octavo_record::{
    ErasureRule, Field, Index, Member, MergeRule, PersonalData, Persons, RecordTransfer, RecordType, Unique,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::unknown;

const HAS_ENDED: &str = "t.status in ('CLOSED', 'CANCELLED', 'ERROR')";

pub(crate) static TRANSACTION: RecordType = RecordType {
    name: "DCB transaction",
    table: "dcb_transaction",
    path: "/octavo/dcb-transactions",
    collection: "transactions",
    schema: include_str!("../../../octavo/records/mod-dcb/transaction.tsv"),
    fields: &[
        Field::exact("transactionId"),
        Field::exact("role"),
        Field::exact("status"),
        Field::uuid("requestId").indexed(&[Index::Order]),
        Field::uuid("item.id").indexed(&[Index::Order]),
        Field::uuid("patron.id").indexed(&[Index::Order]),
    ],
    unique: &[Unique::new(&["transactionId"])],
    persons: Some(&Persons {
        members: MEMBERS,
        on_loan_anonymised: ErasureRule::AnonymiseWhere(OF_LOAN),
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"patron.id\" = any($1)"),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new("patron.id", "t.\"patron.id\" = $1")]),
        needed_while: Some("t.status not in ('CLOSED', 'CANCELLED', 'ERROR')"),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

/// A status that a transaction has got, with what the transaction was then.
pub(crate) static CHANGE: RecordType = RecordType {
    name: "change of a DCB transaction",
    table: "dcb_transaction_change",
    path: "/octavo/dcb-transaction-changes",
    collection: "transactions",
    schema: include_str!("../../../octavo/records/mod-dcb/change.tsv"),
    fields: &[
        Field::time("date").indexed(&[Index::Order]),
        Field::uuid("patron.id").indexed(&[Index::Order]),
        Field::uuid("item.id").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        members: MEMBERS,
        on_loan_anonymised: ErasureRule::AnonymiseWhere(OF_LOAN),
        on_user_deleted: ErasureRule::AnonymiseWhere("t.\"patron.id\" = any($1)"),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new("patron.id", "t.\"patron.id\" = $1")]),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

const OF_LOAN: &str = "\
t.\"patron.id\" = l.\"userId\" \
and t.\"item.id\" = (select lent.\"itemId\" from loan lent where lent.id = l.id)";

const MEMBERS: &[Member] = &[Member::patron("patron", PersonalData::All)];

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Transaction {
    pub(crate) id: Uuid,
    /// The hub's id, any text.
    pub(crate) transaction_id: String,
    pub(crate) role: Role,
    pub(crate) status: Status,
    pub(crate) request_id: Uuid,
    pub(crate) item: Item,
    /// Empty after the patron's personal data were deleted.
    #[serde(default)]
    pub(crate) patron: Patron,
    pub(crate) pickup: Pickup,
    pub(crate) created_date: String,
    pub(crate) updated_date: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Item {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) barcode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) material_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lending_library_code: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Patron {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) barcode: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pickup {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) library_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) service_point_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) service_point_name: Option<String>,
}

impl Transaction {
    pub(crate) async fn find(session: &mut Session, id: &str) -> Outcome<Option<Transaction>> {
        let found: Option<Value> = session.read(Statement::new(FIND).text(id)).await?;
        found.map(|found| serde_json::from_value(found).map_err(Fault::internal)).transpose()
    }

    pub(crate) async fn load(session: &mut Session, id: &str) -> Outcome<Transaction> {
        let none = || unknown(format!("DCB Transaction was not found by id= {id} "));
        Transaction::find(session, id).await?.ok_or_else(none)
    }

    pub(crate) fn insert_statement(&self) -> Statement {
        statements::insert(&TRANSACTION, self.id, &json!(self))
    }

    /// The statement that changes the status of the transaction; it fails with a conflict if the stored status has changed meanwhile.
    pub(crate) fn set_status_statement(&self, context: &Context, status: Status) -> Statement {
        Statement::new(REACH.as_str())
            .uuid(self.id)
            .text(self.status.name())
            .text(status.name())
            .text(context.now_text())
            .text(format!("DCB transaction {}", self.transaction_id))
    }

    /// Gives a new transaction another item, with the request for it; a conflict if it is not new any more.
    pub(crate) fn change_item_statement(&self, context: &Context, item: &Item, request: Uuid) -> Statement {
        let changed = json!({"item": item, "requestId": request, "updatedDate": context.now_text()});
        Statement::new(CHANGE_ITEM)
            .uuid(self.id)
            .text(changed.to_string())
            .text(format!("DCB transaction {}", self.transaction_id))
    }
}

/// The statement that changes the status of the transactions that an event at the library's desk concerns.
pub(crate) fn desk_event_statement(context: &Context, happened: &DcbEvent) -> Statement {
    let DcbEvent { event, subject } = happened;
    let (text, id) = match subject {
        DcbSubject::Item(id) => (&HEARD[0], id),
        DcbSubject::Request(id) => (&HEARD[1], id),
    };
    let moved =
        Role::ALL.into_iter().filter_map(|role| Some((role.name(), status_after(role, *event)?.name())));
    let (roles, statuses): (Vec<String>, Vec<String>) =
        moved.map(|(role, status)| (role.to_owned(), status.to_owned())).unzip();
    Statement::new(text.as_str())
        .maybe_uuid(Uuid::parse_str(id).ok())
        .texts(roles)
        .texts(statuses)
        .texts(statuses_for_event(*event))
        .text(context.now_text())
}

fn statuses_for_event(event: DeskEvent) -> Vec<String> {
    let statuses = Status::ALL.into_iter().filter(|status| event_applies(event, *status));
    statuses.map(|status| status.name().to_owned()).collect()
}

/// The statement that fails with a conflict if the item, which is locked, has an open transaction.
pub(crate) fn refuse_other_statement(item: Uuid) -> Statement {
    Statement::new(ALONE).uuid(item).text(format!("{} {item}", CIRCULATION_ITEM.name))
}

/// Whether there is a transaction of the item that has not ended.
pub(crate) async fn is_open(session: &mut Session, item: Uuid) -> Outcome<bool> {
    let open: Option<bool> = session.read(Statement::new(OPEN.as_str()).uuid(item)).await?;
    Ok(open == Some(true))
}

const FIND: &str = "select doc::text from dcb_transaction where \"transactionId\" = $1";

/// SQL that stores a change of status for each transaction in the table expression `changed`; `time` is the parameter with the time.
fn insert_change_sql(time: &str) -> String {
    format!(
        "insert into dcb_transaction_change (id, doc)\n  \
         select gen_random_uuid(), json_build_object(\n    \
         'transactionId', c.doc -> 'transactionId', 'role', c.doc -> 'role', 'status', c.doc -> 'status',\n    \
         'item', c.doc -> 'item', 'patron', c.doc -> 'patron', 'pickup', c.doc -> 'pickup', 'date', {time}::text\n  )\n  \
         from changed c"
    )
}

static REACH: LazyLock<String> = LazyLock::new(|| {
    format!(
        "with changed as (\n  update dcb_transaction t\n  \
         set doc = (t.doc::jsonb || jsonb_build_object('status', $3::text, 'updatedDate', $4::text))::json\n  \
         where t.id = $1 and t.status = $2\n  returning t.doc\n), kept as (\n  {}\n)\n\
         select octavo.expect(exists (select from changed), $5)",
        insert_change_sql("$4")
    )
});

const CHANGE_ITEM: &str = "\
with changed as (
  update dcb_transaction t
  set doc = (t.doc::jsonb || $2::text::jsonb)::json
  where t.id = $1 and t.status = 'CREATED'
  returning t.doc
)
select octavo.expect(exists (select from changed), $3)";

/// By the item, and by the request. `$2` and `$3` are the roles that the event concerns and the statuses that they get.
static HEARD: LazyLock<[String; 2]> = LazyLock::new(|| {
    ["item.id", "requestId"].map(|subject| {
        format!(
            "with changed as (\n  update dcb_transaction t\n  \
             set doc = (t.doc::jsonb || jsonb_build_object('status', h.status, 'updatedDate', $5::text))::json\n  \
             from unnest($2::text[], $3::text[]) h (role, status)\n  \
             where t.\"{subject}\" = $1\n    and t.role = h.role\n    and t.status = any($4)\n    \
             and t.status <> h.status\n  returning t.doc\n)\n{}",
            insert_change_sql("$5")
        )
    })
});

static OPEN: LazyLock<String> = LazyLock::new(|| {
    format!("select exists (select from dcb_transaction t where t.\"item.id\" = $1 and not ({HAS_ENDED}))")
});

const ALONE: &str = "\
select octavo.expect(
  not exists (
    select from dcb_transaction t
    where t.\"item.id\" = $1 and t.status not in ('CLOSED', 'CANCELLED', 'ERROR')
  ),
  $2
)";

octavo_pg::statements!(hot = [FIND, REACH, HEARD, OPEN, ALONE], other = [CHANGE_ITEM]);
