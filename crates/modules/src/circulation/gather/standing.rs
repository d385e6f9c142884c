//! What limits look at: the open loans and open fees of a patron.

use std::sync::LazyLock;

use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing};
use octavo_circulation::facts::OpenLoanSummary;
use octavo_circulation::fees::Money;
use octavo_kernel::parse_time;
use octavo_pg::Row;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::sql::ITEM_IS;

/// By barcode; `$2` is now.
pub(super) static COUNTED: LazyLock<String> = LazyLock::new(|| counted(BY_BARCODE, ""));

/// The same with what item limits count, [`BY_TYPES`].
pub(super) static COUNTED_BY_TYPES: LazyLock<String> = LazyLock::new(|| counted(BY_BARCODE, BY_TYPES));

/// By id; `$2` is now.
pub(crate) static COUNTED_BY_ID: LazyLock<String> = LazyLock::new(|| counted(BY_ID, ""));

/// Of the user who has the item.
pub(super) static COUNTED_OF_BORROWER: LazyLock<[String; 3]> = LazyLock::new(|| {
    let [by_barcode, by_id, _] = ITEM_IS;
    let of_item = |item_is: &str| {
        let patron = format!(
            "select b.\"userId\" from loan b \
             where b.\"itemId\" = (select i.id from item i where {item_is}) and b.\"status.name\" = 'open'"
        );
        counted(&patron, "")
    };
    let of_loan = "select b.\"userId\" from loan b where b.id = $1::text::uuid";
    [of_item(by_barcode), of_item(by_id), counted(of_loan, "")]
});

/// By id, each loan by itself, for whoever wants to see them all.
pub(crate) static EACH_BY_ID: LazyLock<String> = LazyLock::new(|| of_patron(BY_ID, ["true", "true"], ""));

const BY_BARCODE: &str = "select u.id from users u where u.barcode = octavo.fold($1)";
const BY_ID: &str = "select $1::text::uuid";

/// Of hundreds of loans few are overdue. The others are counted, in their index: neither they nor their documents are read.
fn counted(patron: &str, more: &str) -> String {
    let some = "min(l.\"dueDate\") < $2 or l.\"itemStatus\" = 'claimed returned'";
    let these = "(o.\"dueDate\" < $2 or o.\"itemStatus\" = 'claimed returned')";
    of_patron(patron, [some, these], more)
}

/// One row, nothing for a patron whom nobody knows. `some` tells whether loans of a state are read one by one, `these` which.
fn of_patron(patron: &str, [some, these]: [&str; 2], more: &str) -> String {
    [("{patron}", patron), ("{some}", some), ("{these}", these), ("{more}", more)]
        .iter()
        .fold(STANDING.to_owned(), |sql, (name, text)| sql.replace(name, text))
}

/// Loans know the state of their items, as circulation left it: no look at the items is needed. The range of one status keeps
/// PostgreSQL from the index of all open loans, and lets it use that of the patron's.
const STANDING: &str = "\
select
  (
    select json_agg(json_build_array(s.status, s.loans, s.singly))::text
    from (
      select
        l.\"itemStatus\" as status,
        count(*) as loans,
        case when {some} then (
          select json_agg(json_build_array(
            o.id,
            o.\"dueDate\",
            coalesce((o.doc ->> 'dueDateChangedByRecall')::boolean, false),
            o.doc ->> 'loanPolicyId'
          ))
          from loan o
          where o.\"userId\" = u.id
            and o.\"status.name\" >= 'open'
            and o.\"status.name\" <= 'open'
            and o.\"itemStatus\" is not distinct from l.\"itemStatus\"
            and {these}
        ) end as singly
      from loan l
      where l.\"userId\" = u.id
        and l.\"status.name\" >= 'open'
        and l.\"status.name\" <= 'open'
      group by l.\"itemStatus\"
    ) s
  ),
  (
    select json_agg(json_build_array(a.id, a.doc ->> 'remaining', a.doc ->> 'feeFineId', a.\"loanId\"))::text
    from accounts a
    where a.\"userId\" = u.id
      and a.\"status.name\" = 'open'
  ){more}
from ({patron}) u (id)";

/// What an item limit counts, like with like: nothing, unless the item with the barcode `$3` is of types that are limited (`$4`,
/// none for all).
const BY_TYPES: &str = ",
  case when cardinality($4::text[]) = 0
    or (
      select w.\"materialTypeId\"::text || ' ' || coalesce(w.\"temporaryLoanTypeId\", w.\"permanentLoanTypeId\")::text = any($4)
      from item w
      where w.barcode = lower($3)
    )
  then (
    select json_agg(json_build_array(c.material, c.lending, c.claimed, c.loans))::text
    from (
      select
        i.\"materialTypeId\" as material,
        coalesce(i.\"temporaryLoanTypeId\", i.\"permanentLoanTypeId\") as lending,
        coalesce(l.\"itemStatus\" = 'claimed returned', false) as claimed,
        count(*) as loans
      from loan l
      join item i on i.id = l.\"itemId\"
      where l.\"userId\" = u.id
        and l.\"status.name\" >= 'open'
        and l.\"status.name\" <= 'open'
      group by 1, 2, 3
    ) c
  ) end";

/// Loans whose items are in one state: how many, and those that were read one by one.
#[derive(Deserialize)]
struct Alike(Option<String>, usize, Option<Vec<Single>>);

#[derive(Deserialize)]
struct Single {
    id: String,
    due: Option<String>,
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
struct OfTypes {
    material: Option<String>,
    lending: Option<String>,
    claimed: bool,
    loans: usize,
}

pub(crate) fn standing(rows: &[Row]) -> Standing {
    let mut standing = Standing::default();
    for Alike(status, count, singly) in list(rows, 0) {
        let status = status.unwrap_or_default();
        let singly = singly.unwrap_or_default();
        if count > singly.len() {
            standing.others.push((status.clone(), count - singly.len()));
        }
        standing.loans.extend(singly.into_iter().map(|loan| OpenLoan {
            id: loan.id,
            due: loan.due.as_deref().and_then(parse_time),
            item_status: status.clone(),
            recalled: loan.recalled,
            loan_policy_id: loan.policy,
        }));
    }
    standing.fees = list::<Fee>(rows, 1)
        .into_iter()
        .map(|fee| OpenFee {
            id: fee.id,
            balance: fee.remaining.as_deref().and_then(Money::parse).unwrap_or_default(),
            type_id: fee.type_id.unwrap_or_default(),
            loan_id: fee.loan_id,
        })
        .collect();
    standing
}

/// What [`BY_TYPES`] has counted.
pub(super) fn by_types(rows: &[Row]) -> Vec<OpenLoanSummary> {
    let summary = |of: OfTypes| OpenLoanSummary {
        count: of.loans,
        material_type_id: of.material,
        loan_type_id: of.lending,
        claimed_returned: of.claimed,
    };
    list(rows, 2).into_iter().map(summary).collect()
}

/// Tuples, which PostgreSQL has put into a list.
fn list<T: DeserializeOwned>(rows: &[Row], at: usize) -> Vec<T> {
    let text = rows.first().and_then(|row| row.maybe_text(at));
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}
