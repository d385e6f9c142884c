//! What limits look at: the open loans and open fees of a patron.

use std::sync::LazyLock;

use octavo_circulation::blocks::{OpenFee, OpenLoan, Standing};
use octavo_circulation::fees::Money;
use octavo_kernel::parse_time;
use octavo_pg::Row;

use super::sql::ITEM_IS;

/// By barcode.
pub(super) static STANDING: LazyLock<String> =
    LazyLock::new(|| of("select u.id from users u where u.barcode = octavo.fold($1)"));

/// Of the user who has the item.
pub(super) static STANDING_OF_BORROWER: LazyLock<[String; 3]> = LazyLock::new(|| {
    ITEM_IS.map(|item_is| {
        of(&format!(
            "select b.\"userId\" from loan b \
             where b.\"itemId\" = (select i.id from item i where {item_is}) and b.\"status.name\" = 'open'"
        ))
    })
});

pub(crate) static STANDING_BY_ID: LazyLock<String> = LazyLock::new(|| of("$1"));

/// Loans know the state of their items, as circulation left it: no look at the items is needed.
fn of(patron: &str) -> String {
    OF_PATRON.replace("{patron}", patron)
}

const OF_PATRON: &str = "\
select
  true,
  l.id,
  l.\"dueDate\",
  d.\"itemStatus\",
  coalesce(d.\"dueDateChangedByRecall\", false),
  d.\"loanPolicyId\"
from loan l
cross join json_to_record(l.doc) d (\"itemStatus\" text, \"dueDateChangedByRecall\" boolean, \"loanPolicyId\" text)
where l.\"userId\" = ({patron}) and l.\"status.name\" = 'open'
union all
select
  false,
  a.id,
  a.doc ->> 'remaining',
  a.doc ->> 'feeFineId',
  false,
  a.\"loanId\"::text
from accounts a
where a.\"userId\" = ({patron}) and a.\"status.name\" = 'open'";

pub(crate) fn standing(rows: &[Row]) -> Standing {
    let mut standing = Standing::default();
    for row in rows {
        let id = row.uuid(1).to_string();
        let text = |at: usize| row.maybe_text(at).unwrap_or_default().to_owned();
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
