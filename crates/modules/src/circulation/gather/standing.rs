//! What limits look at: the open loans and open fees of a patron.

use std::sync::LazyLock;

use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing};
use octavo_circulation::fees::Money;
use octavo_kernel::parse_time;
use octavo_pg::Row;

use super::sql::ITEM_IS;

/// By barcode; `$2` is now.
pub(super) static COUNTED: LazyLock<String> =
    LazyLock::new(|| counted("select u.id from users u where u.barcode = octavo.fold($1)"));

pub(super) static COUNTED_BY_ID: LazyLock<String> = LazyLock::new(|| counted("select $1::text::uuid"));

/// Of the user who has the item.
pub(super) static COUNTED_OF_BORROWER: LazyLock<[String; 3]> = LazyLock::new(|| {
    let [by_barcode, by_id, _] = ITEM_IS;
    let of_item = |item_is: &str| {
        counted(&format!(
            "select b.\"userId\" from loan b \
             where b.\"itemId\" = (select i.id from item i where {item_is}) and b.\"status.name\" = 'open'"
        ))
    };
    let of_loan = "select b.\"userId\" from loan b where b.id = $1::text::uuid";
    [of_item(by_barcode), of_item(by_id), counted(of_loan)]
});

/// Each loan by itself, for whoever wants to see them all.
pub(crate) static STANDING_BY_ID: LazyLock<String> =
    LazyLock::new(|| format!("{LOANS}\nunion all\n{FEES}").replace("{patron}", "$1"));

fn counted(patron: &str) -> String {
    format!("{COUNTED_LOANS}\nunion all\n{FEES}").replace("{patron}", patron)
}

/// Loans know the state of their items, as circulation left it: no look at the items is needed.
const LOANS: &str = "\
select
  true,
  l.id,
  l.\"dueDate\",
  d.\"itemStatus\",
  coalesce(d.\"dueDateChangedByRecall\", false),
  d.\"loanPolicyId\",
  1::int8
from loan l
cross join json_to_record(l.doc) d (\"itemStatus\" text, \"dueDateChangedByRecall\" boolean, \"loanPolicyId\" text)
where l.\"userId\" = ({patron}) and l.\"status.name\" = 'open'";

/// Of hundreds of loans few are overdue. The documents of the others are not looked into, and they are one row for each state
/// of their items. The range of one status is that of the loans that an item limit counts.
const COUNTED_LOANS: &str = "\
select
  true,
  case when s.singly then l.id end as id,
  case when s.singly then l.\"dueDate\" end as due,
  l.\"itemStatus\" as status,
  s.singly and coalesce((l.doc ->> 'dueDateChangedByRecall')::boolean, false) as recalled,
  case when s.singly then l.doc ->> 'loanPolicyId' end as policy,
  count(*)
from loan l
cross join lateral (
  select coalesce(l.\"dueDate\" < $2, false) or coalesce(l.\"itemStatus\" = 'claimed returned', false) as singly
) s
where l.\"userId\" = ({patron})
  and l.\"status.name\" >= 'open'
  and l.\"status.name\" <= 'open'
group by 2, 3, 4, 5, 6";

const FEES: &str = "\
select
  false,
  a.id,
  a.doc ->> 'remaining',
  a.doc ->> 'feeFineId',
  false,
  a.\"loanId\"::text,
  1::int8
from accounts a
where a.\"userId\" = ({patron}) and a.\"status.name\" = 'open'";

pub(crate) fn standing(rows: &[Row]) -> Standing {
    let mut standing = Standing::default();
    for row in rows {
        let text = |at: usize| row.maybe_text(at).unwrap_or_default().to_owned();
        let Some(id) = row.maybe_uuid(1).map(|id| id.to_string()) else {
            standing.others.push((text(3), usize::try_from(row.long(6)).unwrap_or_default()));
            continue;
        };
        if row.truth(0) {
            standing.loans.push(OpenLoan {
                id,
                due: row.maybe_text(2).and_then(parse_time),
                item_status: text(3),
                recalled: row.truth(4),
                loan_policy_id: row.maybe_text(5).map(str::to_owned),
            });
        } else {
            standing.fees.push(OpenFee {
                id,
                balance: Money::parse(&text(2)).unwrap_or_default(),
                type_id: text(3),
                loan_id: row.maybe_text(5).map(str::to_owned),
            });
        }
    }
    standing
}
