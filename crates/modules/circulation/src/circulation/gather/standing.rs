//! The open loans and open fees of a patron, which limits count.

use std::sync::LazyLock;

use octavo_circulation::Money;
use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing};
use octavo_circulation::facts::OpenLoanSummary;
use octavo_kernel::parse_time;
use octavo_pg::{Columns, Json, Read};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::stock::for_each_stock;

/// The patron's standing by barcode; `$2` is now.
pub(super) static COUNTED: LazyLock<String> = LazyLock::new(|| counted_sql(BY_BARCODE, NO_TYPES));

/// The patron's standing by barcode, with the loans that item limits count ([`BY_TYPES`]); `$2` is now.
pub(super) static COUNTED_BY_TYPES: LazyLock<String> = LazyLock::new(|| counted_sql(BY_BARCODE, BY_TYPES));

/// The patron's standing by id; `$2` is now.
pub(crate) static COUNTED_BY_ID: LazyLock<String> = LazyLock::new(|| counted_sql(BY_ID, NO_TYPES));

/// The standing of the user who has the item.
pub(super) static COUNTED_OF_BORROWER: LazyLock<[[String; 3]; 2]> = LazyLock::new(|| {
    let of_loan = "select b.\"userId\" from loan b where b.id = $1::text::uuid";
    for_each_stock(|items, [by_barcode, by_id, _]| {
        let of_item = |item_is: &str| {
            let patron = format!(
                "select b.\"userId\" from loan b \
                 where b.\"itemId\" = (select i.id from {items} i where {item_is}) and b.\"status.name\" = 'open'"
            );
            counted_sql(&patron, NO_TYPES)
        };
        [of_item(by_barcode), of_item(by_id), counted_sql(of_loan, NO_TYPES)]
    })
});

/// The loans of a patron by id, each by itself, for callers that need all of them.
pub(crate) static EACH_BY_ID: LazyLock<String> = LazyLock::new(|| standing_sql(BY_ID, "true", NO_TYPES));

const BY_BARCODE: &str = "select u.id from users u where u.barcode = octavo.fold($1)";
const BY_ID: &str = "select $1::text::uuid";

/// Few of hundreds of loans are overdue. The others are counted in their index: neither they nor their documents are read.
/// PostgreSQL makes no guess at how many are before `$2`, and so needs no plan for each value of it.
fn counted_sql(patron: &str, more: &str) -> String {
    let overdue_or_claimed =
        "coalesce({l}.\"dueDate\" < $2 or {l}.\"itemStatus\" = 'claimed returned', false)";
    standing_sql(patron, overdue_or_claimed, more)
}

/// Selects one row, or none if the patron does not exist; `singly` is the condition for loans that are read one by one.
fn standing_sql(patron: &str, singly: &str, more: &str) -> String {
    let [counted, read] = ["l", "o"].map(|loan| singly.replace("{l}", loan));
    [("{patron}", patron), ("{counted}", &counted), ("{read}", &read), ("{more}", more)]
        .iter()
        .fold(STANDING.to_owned(), |sql, (name, text)| sql.replace(name, text))
}

/// A loan has its item's status (`itemStatus`), so the items are not read. The range that contains one status keeps PostgreSQL from the
/// index of all open loans and lets it use the index of the patron's loans.
const STANDING: &str = "\
select
  (
    select json_build_array(
      count(*),
      count(*) filter (where l.\"itemStatus\" in ('declared lost', 'aged to lost')),
      case when bool_or({counted}) then (
        select json_agg(json_build_array(
          o.id,
          o.\"dueDate\",
          o.\"itemStatus\",
          coalesce((o.doc ->> 'dueDateChangedByRecall')::boolean, false),
          o.doc ->> 'loanPolicyId'
        ))
        from loan o
        where o.\"userId\" = u.id
          and o.\"status.name\" >= 'open'
          and o.\"status.name\" <= 'open'
          and {read}
      ) end
    )::text
    from loan l
    where l.\"userId\" = u.id
      and l.\"status.name\" >= 'open'
      and l.\"status.name\" <= 'open'
  ),
  (
    select json_agg(json_build_array(a.id, a.doc ->> 'remaining', a.doc ->> 'feeFineId', a.\"loanId\"))::text
    from accounts a
    where a.\"userId\" = u.id
      and a.\"status.name\" = 'open'
  ),
  {more}
from ({patron}) u (id)";

const NO_TYPES: &str = "null";

/// The loans that an item limit counts, by material and loan type: none, unless the types of the item with the barcode `$3` are limited
/// (`$4`, empty for all types).
const BY_TYPES: &str = "\
case when cardinality($4::text[]) = 0
    or (
      select w.\"materialTypeId\"::text || ' ' || coalesce(w.\"temporaryLoanTypeId\", w.\"permanentLoanTypeId\")::text = any($4)
      from item w
      where w.barcode = lower($3)
    )
  then open_loans_by_types(u.id)::text end";

/// The number of loans, the number of those with lost items, and the loans that were read one by one.
#[derive(Default, Deserialize)]
struct Loans(usize, usize, Option<Vec<SingleLoan>>);

#[derive(Deserialize)]
struct SingleLoan {
    id: String,
    due: Option<String>,
    item_status: Option<String>,
    recalled: bool,
    policy: Option<String>,
}

#[derive(Deserialize)]
struct Fee {
    id: String,
    remaining: Option<String>,
    type_id: Option<String>,
    loan_id: Option<String>,
}

#[derive(Deserialize)]
struct LoansOfTypes {
    material: Option<String>,
    lending: Option<String>,
    claimed: bool,
    loans: usize,
}

/// The columns of [`STANDING`].
#[derive(Default)]
pub(crate) struct StandingRow {
    loans: Loans,
    fees: Vec<Fee>,
    types: Vec<LoansOfTypes>,
}

impl Read<'_> for StandingRow {
    fn read(columns: &mut Columns<'_>) -> StandingRow {
        StandingRow { loans: json_rows(columns), fees: json_rows(columns), types: json_rows(columns) }
    }
}

impl StandingRow {
    pub(super) fn take_loan_summaries(&mut self) -> Vec<OpenLoanSummary> {
        let summary = |of: LoansOfTypes| OpenLoanSummary {
            count: of.loans,
            material_type_id: of.material,
            loan_type_id: of.lending,
            claimed_returned: of.claimed,
        };
        std::mem::take(&mut self.types).into_iter().map(summary).collect()
    }

    pub(crate) fn standing(self) -> Standing {
        let Loans(count, lost, singly) = self.loans;
        let loan = |loan: SingleLoan| OpenLoan {
            id: loan.id,
            due: loan.due.as_deref().and_then(parse_time),
            item_status: loan.item_status.unwrap_or_default(),
            recalled: loan.recalled,
            loan_policy_id: loan.policy,
        };
        let fee = |fee: Fee| OpenFee {
            id: fee.id,
            balance: fee.remaining.as_deref().and_then(Money::parse).unwrap_or_default(),
            type_id: fee.type_id.unwrap_or_default(),
            loan_id: fee.loan_id,
        };
        let loans: Vec<OpenLoan> = singly.into_iter().flatten().map(loan).collect();
        Standing {
            other_loans: count - loans.len(),
            other_lost_loans: lost - loans.iter().filter(|loan| loan.is_lost()).count(),
            loans,
            // As in mod-patron-blocks, a fee of which nothing is owed does not count, whatever its status is.
            fees: self.fees.into_iter().map(fee).filter(|fee| fee.balance != Money::ZERO).collect(),
        }
    }
}

/// Reads a JSON array of rows as tuples; null is an empty list.
fn json_rows<T: DeserializeOwned + Default>(columns: &mut Columns<'_>) -> T {
    columns.take::<Option<Json<T>>>().map(|Json(list)| list).unwrap_or_default()
}

octavo_pg::statements! {
    hot = [COUNTED, COUNTED_BY_TYPES, COUNTED_BY_ID, COUNTED_OF_BORROWER, EACH_BY_ID],
}
