//! The fees for a lost item: the accounts of its loan, locked, with their actions and actual cost records. The loan is the named
//! one or, if a lost item is named, its open loan or else its last.

use std::sync::LazyLock;

use octavo_circulation::facts::{Account, FeeFineAction, LostFees};
use octavo_engine::Context;
use octavo_pg::{Columns, Read};
use serde_json::Value;

use super::sql::{OPEN_LOANS_OF_ITEM, loans_and_queue};
use super::stock::for_each_stock;

/// What [`LOANS_AND_QUEUE`](super::sql::LOANS_AND_QUEUE) reads; the accounts are locked with it, after item and loans, in the
/// order of their ids, as payments lock them.
pub(super) static LOANS_QUEUE_AND_LOCK: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    for_each_stock(|items, is| {
        let [by_barcode, by_id, by_loan] = is;
        let of = |item_is: &str, loans: &str, loan: &str| {
            loans_and_queue([items, item_is], loans, &LOCK.replace("{loan}", loan), LOCKED)
        };
        let [barcode, id, loan] = loans_of(items, is);
        [
            of(by_barcode, OPEN_LOANS_OF_ITEM, &barcode),
            of(by_id, OPEN_LOANS_OF_ITEM, &id),
            of(by_loan, "where l.id = $1::text::uuid", &loan),
        ]
    })
});

/// Read when the accounts are locked: they and their actions stay as they are from then on.
pub(super) static FEES: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    let sql = FEES_OF_LOAN.replace("{identifiers}", IDENTIFIERS);
    for_each_stock(|items, is| {
        let sql = sql.replace("{items}", items);
        loans_of(items, is).map(|loan| sql.replace("{loan}", &loan))
    })
});

/// The loan in question, by the item's barcode, its id, or its own id.
fn loans_of(items: &str, is: [&str; 3]) -> [String; 3] {
    let lost = LOAN_OF_LOST_ITEM.replace("{items}", items);
    let [barcode, id, _] = is.map(|item_is| lost.replace("{item_is}", item_is));
    [barcode, id, "$1::text::uuid".to_owned()]
}

/// SQL of the identifiers of the instance `n`, with the names of their types.
pub(in crate::circulation) const IDENTIFIERS: &str = "\
(
  select json_agg(json_build_object(
    'value', e.doc ->> 'value',
    'identifierTypeId', e.doc ->> 'identifierTypeId',
    'identifierType', coalesce(t.doc ->> 'name', '')
  ))::text
  from json_array_elements(n.doc -> 'identifiers') e (doc)
  left join identifier_type t on t.id::text = lower(e.doc ->> 'identifierTypeId')
)";

/// Selects nothing for an item that is not lost; then the other statements find nothing either, without a search.
const LOAN_OF_LOST_ITEM: &str = "\
select l.id
  from loan l
  where l.\"itemId\" = (
    select i.id
    from {items} i
    where {item_is} and i.doc #>> '{status,name}' in ('Declared lost', 'Aged to lost', 'Lost and paid')
  )
  order by l.\"status.name\" = 'open' desc, l.\"loanDate\" desc
  limit 1";

const LOCK: &str = "\
, charged as (
  select a.id
  from accounts a
  where a.\"loanId\" = (
    {loan}
  )
  order by a.id
  for no key update of a
)";

/// Locks the accounts; the rows have no document and are not read.
const LOCKED: &str = "
union all
select true, null, null, 0, 0, false
from charged";

const FEES_OF_LOAN: &str = "\
with lost as (
  select ({loan}) as loan
)
select 'loan', l.doc::text, '' as at
from loan l
where l.id = (select loan from lost)
union all
select 'account', a.doc::text, a.id::text
from accounts a
where a.\"loanId\" = (select loan from lost)
union all
select 'action', f.doc::text, f.doc ->> 'dateAction'
from accounts a
join feefineactions f on f.\"accountId\" = a.id
where a.\"loanId\" = (select loan from lost)
union all
select 'cost', c.doc::text, c.doc ->> 'lossDate'
from actual_cost_record c
where c.\"loan.id\" = (select loan from lost)
union all
select 'identifiers', {identifiers}, ''
from loan l
join {items} i on i.id = l.\"itemId\"
join holdings_record h on h.id = i.\"holdingsRecordId\"
join instance n on n.id = h.\"instanceId\"
where l.id = (select loan from lost)
order by at";

/// A row of [`FEES`].
pub(super) enum LostRow {
    Loan(Value),
    Account(Value),
    Action(Value),
    ActualCost(Value),
    Identifiers(Vec<Value>),
    Unreadable,
}

impl Read<'_> for LostRow {
    fn read(columns: &mut Columns<'_>) -> LostRow {
        let (kind, document): (&str, Option<Value>) = columns.take();
        match (kind, document) {
            ("loan", Some(record)) => LostRow::Loan(record),
            ("account", Some(record)) => LostRow::Account(record),
            ("action", Some(record)) => LostRow::Action(record),
            ("cost", Some(record)) => LostRow::ActualCost(record),
            ("identifiers", Some(Value::Array(identifiers))) => LostRow::Identifiers(identifiers),
            _ => LostRow::Unreadable,
        }
    }
}

/// Reads the fees that were charged, and the identifiers of the item's title.
pub(super) fn read(context: &Context, rows: Vec<LostRow>) -> (LostFees, Vec<Value>) {
    let (mut lost, mut title) = (LostFees::default(), Vec::new());
    for row in rows {
        match row {
            LostRow::Loan(record) => lost.loan = Some(record.into()),
            LostRow::Account(record) => lost.accounts.push(Account { record }),
            LostRow::Action(record) => lost.actions.push(FeeFineAction { record }),
            LostRow::ActualCost(record) => lost.actual_costs.push(record),
            LostRow::Identifiers(identifiers) => title = identifiers,
            LostRow::Unreadable => {}
        }
    }
    lost.actual_costs.reverse();
    let ids = 2 * (lost.accounts.len() + lost.actions.len());
    lost.fresh_ids = (0..ids).map(|_| context.fresh_id().to_string()).collect();
    (lost, title)
}

octavo_pg::statements!(hot = [LOANS_QUEUE_AND_LOCK, FEES]);
