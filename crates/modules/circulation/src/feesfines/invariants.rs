//! Invariants of fees/fines and the actions on them.

use octavo_engine::Invariant;

pub(super) static ALL: &[Invariant] = &[
    Invariant {
        violation: "the actions on a fee do not add up to its balance",
        find_sql: "select a.id::text from accounts a cross join lateral ( \
                 select sum(case \
                   when f.doc ->> 'typeAction' ~ '^(Paid|Waived|Transferred)' then - octavo.number(f.doc ->> 'amountAction') \
                   when f.doc ->> 'typeAction' ~ '^Refunded' then octavo.number(f.doc ->> 'amountAction') \
                   when f.doc ->> 'typeAction' ~ '^(Cancelled|Credited)' then 0 \
                   else octavo.number(f.doc ->> 'amountAction') end) as balance, \
                 bool_or(f.doc ->> 'typeAction' ~ '^Cancelled') as cancelled \
                 from feefineactions f where f.\"accountId\" = a.id) s \
               where round(octavo.number(a.doc ->> 'remaining'), 2) <> round(s.balance, 2) and not s.cancelled",
        advice: "Compare the actions with the receipts, and pay, waive or refund the difference",
        repair: None,
    },
    Invariant {
        violation: "a fee is closed while something of it is owed, or open while nothing is",
        find_sql: "select id::text from accounts \
               where (doc #>> '{status,name}' = 'Closed') is distinct from (octavo.number(doc ->> 'remaining') = 0)",
        advice: "Look what was paid, and pay or waive what is left",
        repair: None,
    },
    Invariant {
        violation: "more is owed than was charged, or less than nothing",
        find_sql: "select id::text from accounts \
               where octavo.number(doc ->> 'remaining') not between 0 and octavo.number(doc ->> 'amount')",
        advice: "Look what was paid, and cancel the fee if it is wrong",
        repair: None,
    },
    Invariant {
        violation: "an open fee is of a user who is not there",
        find_sql: "select a.id::text from accounts a where a.\"status.name\" = 'open' and a.\"userId\" is not null \
               and not exists (select from users u where u.id = a.\"userId\")",
        advice: "Cancel the fee, or bring the user back from a backup",
        repair: None,
    },
    Invariant {
        violation: "an action is on a fee that is not there",
        find_sql: "select f.id::text from feefineactions f where f.\"accountId\" is not null \
               and not exists (select from accounts a where a.id = f.\"accountId\")",
        advice: "Bring the fee back from a backup",
        repair: None,
    },
];
