//! `GET /octavo/circulation-statistics`: loans, renewals and returns by month, patron group, location and material type, and how many
//! people have borrowed in each month. They contain no names, and remain when the loans are anonymised.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, read_each};
use serde_json::{Value, json};

const MOST_ROWS: i64 = 10_000;

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let from = month(&request, "from", "0000-01")?;
    let until = month(&request, "until", "9999-12")?;
    let limit = request.query_number("limit", 1000, 0..=MOST_ROWS)?;
    let offset = request.query_number("offset", 0, 0..=i64::from(i32::MAX))?;
    let between = |sql: &'static str| Statement::new(sql).text(from.as_str()).text(until.as_str());
    let statements = vec![
        between(COUNTS).long(limit).long(offset),
        between(HOW_MANY),
        between(BORROWERS).long(MOST_ROWS),
        Statement::new(COUNTED),
    ];
    let answers = request.context.session().await?.batch(statements).await?;
    let (counts, total, borrowers, counted): (Vec<Value>, Option<i64>, Vec<Value>, Option<String>) =
        read_each(&answers);
    Ok(Response::json(
        200,
        &json!({
            "countedUntil": counted, "counts": counts, "totalRecords": total.unwrap_or(0), "activeBorrowers": borrowers,
        }),
    ))
}

/// A month such as `2026-11`.
fn month(request: &Request, name: &str, usual: &str) -> Outcome<String> {
    let Some(text) = request.query(name).filter(|text| !text.is_empty()) else {
        return Ok(usual.to_owned());
    };
    if is_month(text) {
        return Ok(text.to_owned());
    }
    Err(Fault::bad_request(format!("{name} is a month such as 2026-11, not {text}")))
}

fn is_month(text: &str) -> bool {
    let digits =
        |text: &str, count: usize| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-')
        .is_some_and(|(year, month)| digits(year, 4) && digits(month, 2) && ("01"..="12").contains(&month))
}

/// The names are joined to the rows of the page. The ids are text, for which the tables have no index.
const COUNTS: &str = "\
with c as (
  select month, patron_group, location, material_type, loans, renewals, returns
  from circulation_count
  where month between $1 and $2
  order by month, patron_group, location, material_type
  limit $3
  offset $4
)
select json_strip_nulls(json_build_object(
  'month', c.month,
  'patronGroupId', c.patron_group,
  'patronGroup', g.doc ->> 'group',
  'locationId', c.location,
  'location', l.doc ->> 'name',
  'materialTypeId', c.material_type,
  'materialType', m.doc ->> 'name',
  'loans', c.loans,
  'renewals', c.renewals,
  'returns', c.returns
))::text
from c
left join groups g on g.id::text = c.patron_group
left join location l on l.id::text = c.location
left join material_type m on m.id::text = c.material_type
order by c.month, c.patron_group, c.location, c.material_type";

const HOW_MANY: &str = "select count(*) from circulation_count where month between $1 and $2";

const BORROWERS: &str = "\
select json_strip_nulls(json_build_object(
  'month', b.month,
  'patronGroupId', b.patron_group,
  'patronGroup', g.doc ->> 'group',
  'borrowers', b.borrowers
))::text
from active_borrowers b
left join groups g on g.id::text = b.patron_group
where b.month between $1 and $2
order by b.month, b.patron_group
limit $3";

const COUNTED: &str = "select month from circulation_counted";

octavo_pg::statements!(other = [COUNTS, HOW_MANY, BORROWERS, COUNTED]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_years_and_numbers() {
        for (text, expected) in [
            ("2026-11", true),
            ("2026-13", false),
            ("2026-00", false),
            ("26-11", false),
            ("2026-1", false),
            ("2026", false),
        ] {
            assert_eq!(is_month(text), expected, "{text}");
        }
    }
}
