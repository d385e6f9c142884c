//! Counts of circulation by month, patron group, location and material type, and how many people have borrowed. A month is counted when it is
//! over; of loans that are anonymised before, a digest of the borrower is kept until then.

use std::sync::LazyLock;

use jiff::Timestamp;
use octavo_circulation::log::LogAction;
use octavo_engine::Context;
use octavo_kernel::{Outcome, folio_time};
use octavo_pg::{Row, Statement};
use uuid::Uuid;

/// The month of a time, such as `2026-11`; times are in UTC.
pub fn month(at: Timestamp) -> String {
    folio_time(at).chars().take(7).collect()
}

/// Counts the months that are over and not counted.
pub async fn count_months(context: &Context) -> Outcome<()> {
    let now = month(context.now);
    let mut session = context.session().await?;
    let asked = vec![Statement::new(LOCK), Statement::new(BEGUN).text(now.as_str())];
    let answers = session.begin(asked).await?;
    let begun = answers.last().and_then(|rows| rows.first()).map(Row::read::<(Option<String>, bool)>);
    let Some((from, true)) = begun else {
        session.rollback().await?;
        return Ok(());
    };
    let from = from.unwrap_or_default();
    let of = |sql: &'static str| Statement::new(sql).text(from.as_str()).text(now.as_str());
    let until_now = |sql: &'static str| Statement::new(sql).text(now.as_str());
    let counting = vec![
        of(COUNT.as_str()),
        of(BORROWERS),
        until_now(FORGET_DIGESTS),
        until_now(FORGET_KEYS),
        Statement::new(COUNT_ANEW),
        until_now(COUNTED),
    ];
    session.commit(counting).await?;
    Ok(())
}

/// The statements that keep digests of the borrowers of loans that are about to be anonymised, for the months that are not counted yet.
pub(crate) fn borrower_digest_statements(loans: &[Uuid]) -> Vec<Statement> {
    [KEYS, DIGESTS].map(|sql| Statement::new(sql).uuids(loans.to_vec())).into()
}

/// Keeps two server processes from counting at the same time.
const LOCK: &str = "lock table circulation_counted in exclusive mode";

/// Selects the first month that is not counted yet (null if until now there was nothing to count) and whether that month is over (true if
/// no month was counted before). `$1` is the present month.
const BEGUN: &str = "\
with next as (
  select to_char((c.month || '-01')::date + interval '1 month', 'YYYY-MM') as month
  from circulation_counted c
)
select
  (select n.month from next n where exists (select from circulation_count)),
  coalesce((select n.month < $1 from next n), true)
from (values (1)) o";

/// Counts loans, renewals (from the circulation log) and returns by month, patron group, location and material type, from the month `$1`
/// until before `$2`; an empty `$1` means all months.
static COUNT: LazyLock<String> = LazyLock::new(|| {
    let renewals = [LogAction::Renewed, LogAction::RenewedThroughOverride].map(|action| action.code());
    format!(
        "\
insert into circulation_count (month, patron_group, location, material_type, loans, renewals, returns)
select
  e.month, l.doc ->> 'patronGroupIdAtCheckout', l.doc ->> 'itemEffectiveLocationIdAtCheckOut', i.\"materialTypeId\"::text,
  sum(e.loans), sum(e.renewals), sum(e.returns)
from (
  select left(o.\"loanDate\", 7) as month, o.id as loan, 1 as loans, 0 as renewals, 0 as returns
  from loan o
  where o.\"loanDate\" >= $1 and o.\"loanDate\" < $2
  union all
  select left(o.\"returnDate\", 7), o.id, 0, 0, 1
  from loan o
  where o.\"returnDate\" >= $1 and o.\"returnDate\" < $2
  union all
  select to_char(g.at at time zone 'UTC', 'YYYY-MM'), g.loan_id, 0, 1, 0
  from circulation_log g
  where g.at >= coalesce((nullif($1, '') || '-01T00:00:00Z')::timestamptz, '-infinity')
    and g.at < ($2 || '-01T00:00:00Z')::timestamptz
    and g.action in ({}, {})
) e
join loan l on l.id = e.loan
left join item i on i.id = l.\"itemId\"
where e.month ~ '^\\d{{4}}-\\d\\d$'
group by 1, 2, 3, 4",
        renewals[0], renewals[1]
    )
});

/// Who has borrowed in each month: those whose loans still name them, and those of whom a digest is left.
const BORROWERS: &str = "\
insert into active_borrowers (month, patron_group, borrowers)
select b.month, b.patron_group, count(*)
from (
  select distinct on (e.month, e.digest) e.month, e.patron_group
  from (
    select d.month, d.digest, d.patron_group
    from borrower_digest d
    where d.month >= $1 and d.month < $2
    union all
    select left(l.\"loanDate\", 7), coalesce(sha256(k.key || uuid_send(l.\"userId\")), uuid_send(l.\"userId\")),
      l.doc ->> 'patronGroupIdAtCheckout'
    from loan l
    left join borrower_key k on k.month = left(l.\"loanDate\", 7)
    where l.\"userId\" is not null
      and l.\"loanDate\" >= $1
      and l.\"loanDate\" < $2
  ) e
  where e.month ~ '^\\d{4}-\\d\\d$'
  order by e.month, e.digest, e.patron_group
) b
group by 1, 2";

/// Makes a random key for each month in which these loans began, if the month is not counted yet and has no key. The digests of that
/// month's borrowers are computed with it.
const KEYS: &str = "\
insert into borrower_key (month, key)
select m.month, sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
from (select distinct left(l.\"loanDate\", 7) as month from loan l where l.id = any($1)) m
where m.month ~ '^\\d{4}-\\d\\d$'
  and m.month > coalesce((select c.month from circulation_counted c), '')
on conflict do nothing";

const DIGESTS: &str = "\
insert into borrower_digest (month, digest, patron_group)
select k.month, sha256(k.key || uuid_send(l.\"userId\")), l.doc ->> 'patronGroupIdAtCheckout'
from loan l
join borrower_key k on k.month = left(l.\"loanDate\", 7)
where l.id = any($1)
  and l.\"userId\" is not null
order by 1, 2
on conflict do nothing";

const FORGET_DIGESTS: &str = "delete from borrower_digest where month < $1";

const FORGET_KEYS: &str = "delete from borrower_key where month < $1";

const COUNT_ANEW: &str = "delete from circulation_counted";

/// Stores the month before `$1` as the last one that is counted. `$1` is the present month, which is not over.
const COUNTED: &str = "\
insert into circulation_counted (month)
select to_char(($1 || '-01')::date - interval '1 month', 'YYYY-MM')";

octavo_pg::statements!(
    other = [LOCK, BEGUN, COUNT, BORROWERS, KEYS, DIGESTS, FORGET_DIGESTS, FORGET_KEYS, COUNT_ANEW, COUNTED]
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_at_midnight_in_utc() {
        for (at, expected) in [("2026-11-30T23:59:59Z", "2026-11"), ("2026-12-01T00:00:00Z", "2026-12")] {
            assert_eq!(month(at.parse().unwrap()), expected);
        }
    }
}
