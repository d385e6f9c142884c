//! The list of a library's jobs, with filters and sorting; the lists of profiles and users of ended jobs.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome, folio_time, parse_time};
use octavo_pg::{Json, Statement};
use octavo_record::{Param, Sql};
use serde_json::{Value, json};
use uuid::Uuid;

use super::job::job_json;
use super::status::{is_status, is_ui_status};

/// The most jobs of one page.
const MAX_JOBS: i64 = 10_000;
/// The fields that clients can sort jobs by, with the column or expression.
const SORTED: [(&str, &str); 9] = [
    ("completed_date", "j.completed"),
    ("started_date", "j.started"),
    ("progress_total", "j.progress_total"),
    ("status", "j.status"),
    ("hrid", "j.hrid"),
    ("file_name", "lower(j.file_name)"),
    ("job_profile_name", "lower(j.profile_name)"),
    ("job_user_first_name", "lower(j.first_name)"),
    ("job_user_last_name", "lower(j.last_name)"),
];
const SUBORDINATIONS: [&str; 5] =
    ["CHILD", "PARENT_SINGLE", "PARENT_MULTIPLE", "COMPOSITE_PARENT", "COMPOSITE_CHILD"];

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let (limit, offset) = page_parameters(&request, 10)?;
    let mut filter = job_filter(&request)?;
    let count = Sql {
        text: format!("select count(*) from job_execution j where {}", filter.text),
        params: filter.params.clone(),
    };
    filter.text = format!(
        "select {SHOWN}\nfrom job_execution j where {} order by {} limit {limit} offset {offset}",
        filter.text,
        order_sql(&query_values(&request, "sortBy"))?
    );
    let mut session = request.context.session().await?;
    let total: Option<i64> = session.read_once(&count).await?;
    let jobs: Vec<Json<Value>> = session.read_once(&filter).await?;
    let jobs: Vec<Value> = jobs.into_iter().map(|Json(job)| job).collect();
    Ok(Response::json(200, &json!({"jobExecutions": jobs, "totalRecords": total.unwrap_or(0)})))
}

/// Limit and offset in the query.
pub(super) fn page_parameters(request: &Request, default: i64) -> Outcome<(i64, i64)> {
    let most = i64::from(i32::MAX);
    let limit = request.query_number("limit", default, 0..=most)?.min(MAX_JOBS);
    Ok((limit, request.query_number("offset", 0, 0..=most)?))
}

fn query_values(request: &Request, name: &str) -> Vec<String> {
    let query = request.query.iter();
    query.filter(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value.clone()).collect()
}

/// The SQL conditions on the job `j`. As in FOLIO, a filter that excludes values also excludes jobs without a value.
fn job_filter(request: &Request) -> Outcome<Sql> {
    let mut found = Sql {
        text: "j.subordination <> 'PARENT_MULTIPLE' and not j.profile_hidden and not j.is_deleted".to_owned(),
        ..Sql::default()
    };
    let mut add = |condition: &str, param: Param| {
        found.params.push(param);
        found.text += &format!(" and {}", condition.replace('?', &format!("${}", found.params.len())));
    };
    let known = |name: &str, is_known: &dyn Fn(&str) -> bool| -> Outcome<Option<Param>> {
        let values = query_values(request, name);
        match values.iter().find(|value| !is_known(value)) {
            Some(unknown) => Err(Fault::bad_request(format!("'{name}' has no value '{unknown}'"))),
            None => Ok((!values.is_empty()).then_some(Param::Texts(values))),
        }
    };
    let is_id = |text: &str| Uuid::parse_str(text).is_ok();
    let conditions: [(&str, &str, &dyn Fn(&str) -> bool); 8] = [
        ("statusAny", "j.status = any(?)", &is_status),
        ("statusNot", "j.status <> all(?)", &is_status),
        ("uiStatusAny", "j.ui_status = any(?)", &is_ui_status),
        ("profileIdAny", "j.profile_id = any(?::text[]::uuid[])", &is_id),
        ("profileIdNotAny", "j.profile_id <> all(?::text[]::uuid[])", &is_id),
        ("fileNameNotAny", "j.file_name <> all(?)", &|_| true),
        ("subordinationTypeNotAny", "j.subordination <> all(?)", &|text| SUBORDINATIONS.contains(&text)),
        ("userId", "j.user_id = any(?::text[]::uuid[])", &is_id),
    ];
    for (name, condition, is_known) in conditions {
        if let Some(param) = known(name, is_known)? {
            add(condition, param);
        }
    }
    for (name, condition) in [
        ("completedAfter", "j.completed >= ?::text::timestamptz"),
        ("completedBefore", "j.completed <= ?::text::timestamptz"),
    ] {
        if let Some(text) = request.query(name).filter(|text| !text.is_empty()) {
            let at =
                parse_time(text).ok_or_else(|| Fault::bad_request(format!("'{name}' is no date: {text}")))?;
            add(condition, Param::Text(folio_time(at)));
        }
    }
    let pattern = |name: &str| {
        request.query(name).filter(|text| !text.is_empty()).map(|text| Param::Text(text.replace('*', "%")))
    };
    match (pattern("hrId"), pattern("fileName")) {
        (Some(number), Some(file)) => {
            found.params.extend([number, file]);
            let at = found.params.len();
            found.text += &format!(" and (j.hrid::text like ${} or j.file_name ilike ${at})", at - 1);
        }
        (Some(number), None) => add("j.hrid::text like ?", number),
        (None, Some(file)) => add("j.file_name ilike ?", file),
        (None, None) => {}
    }
    Ok(found)
}

/// The SQL order for sorts such as `completed_date,desc`. Jobs with the same status are sorted by their progress, in the opposite order.
fn order_sql(sorts: &[String]) -> Outcome<String> {
    let default = ["completed_date,asc".to_owned()];
    let mut order = String::new();
    for sort in if sorts.is_empty() { &default } else { sorts } {
        let (name, direction) = sort.split_once(',').unwrap_or((sort, ""));
        let column = SORTED.iter().find(|(sorted, _)| *sorted == name);
        let (Some((_, column)), "asc" | "desc") = (column, direction) else {
            let names: Vec<&str> = SORTED.iter().map(|(name, _)| *name).collect();
            return Err(Fault::bad_request(format!(
                "The specified parameter for sorting jobExecutions is invalid: '{sort}'. Valid sortable fields are: [{}]. Valid sorting order values are: asc, desc.",
                names.join(", ")
            )));
        };
        order += &format!("{column} {direction}, ");
        if name == "status" {
            let opposite = if direction == "asc" { "desc" } else { "asc" };
            order += &format!("j.progress_current {opposite}, ");
        }
    }
    Ok(order + "j.hrid")
}

pub(super) async fn profiles(request: Request) -> Outcome<Response> {
    list_distinct(request, PROFILES, "jobProfilesInfo").await
}

pub(super) async fn users(request: Request) -> Outcome<Response> {
    list_distinct(request, USERS, "jobExecutionUsersInfo").await
}

async fn list_distinct(request: Request, sql: &'static str, collection: &str) -> Outcome<Response> {
    let (limit, offset) = page_parameters(&request, 10)?;
    let mut session = request.context.session().await?;
    let found: Vec<(Json<Value>, i64)> = session.read(Statement::new(sql).long(limit).long(offset)).await?;
    let total = found.first().map_or(0, |(_, total)| *total);
    let named: Vec<Value> = found.into_iter().map(|(Json(one), _)| one).collect();
    Ok(Response::json(200, &json!({collection: named, "totalRecords": total})))
}

/// A composite job has the number of its parts in each state, and the total progress of all parts.
const SHOWN: &str = job_json!(
    ",
  'progress', case
    when j.subordination <> 'COMPOSITE_PARENT' then
      json_build_object('jobExecutionId', j.id, 'current', j.progress_current, 'total', j.progress_total)
    else (
      select json_build_object('jobExecutionId', j.id, 'current', sum(p.progress_current), 'total', sum(p.progress_total))
      from job_execution p
      where p.parent_id = j.id and p.subordination = 'COMPOSITE_CHILD'
      having count(*) > 0)
  end,
  'compositeDetails', case when j.subordination = 'COMPOSITE_PARENT' then (
    select json_object_agg(d.name, json_build_object(
      'chunksCount', d.parts,
      'totalRecordsCount', d.total,
      'currentlyProcessedCount', d.current))
    from (
      select
        lower(left(replace(initcap(p.status), '_', ''), 1)) || substr(replace(initcap(p.status), '_', ''), 2) || 'State' as name,
        count(*) as parts,
        sum(p.progress_total) as total,
        sum(p.progress_current) as current
      from job_execution p
      where p.parent_id = j.id and p.subordination = 'COMPOSITE_CHILD'
      group by p.status) d) end"
);

const PROFILES: &str = "\
select json_strip_nulls(json_build_object('id', id, 'name', name, 'dataType', data_type, 'hidden', hidden))::text, count(*) over ()
from (
  select distinct profile_id as id, profile_name as name, profile_data_type as data_type, profile_hidden as hidden
  from job_execution
  where
    profile_id is not null
    and not profile_hidden
    and not is_deleted
    and status in ('COMMITTED', 'ERROR', 'CANCELLED')
) p
order by name, id
limit $1::int8 offset $2::int8";

const USERS: &str = "\
select
  json_build_object(
    'userId', user_id,
    'jobUserFirstName', coalesce(first_name, ''),
    'jobUserLastName', coalesce(last_name, ''))::text,
  count(*) over ()
from (
  select distinct user_id, first_name, last_name
  from job_execution
  where
    not profile_hidden
    and not is_deleted
    and subordination <> 'PARENT_MULTIPLE'
    and status in ('COMMITTED', 'ERROR', 'CANCELLED')
) u
order by last_name, first_name, user_id
limit $1::int8 offset $2::int8";

octavo_pg::statements!(other = [PROFILES, USERS]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_sorted_by_several_columns() {
        let sorts = ["status,desc".to_owned(), "file_name,asc".to_owned()];
        let expected = "j.status desc, j.progress_current asc, lower(j.file_name) asc, j.hrid";
        assert_eq!(order_sql(&sorts).unwrap(), expected);
        assert_eq!(order_sql(&[]).unwrap(), "j.completed asc, j.hrid");
        for wrong in ["status", "status,up", "password,asc", "id; drop table,asc"] {
            assert_eq!(order_sql(&[wrong.to_owned()]).unwrap_err().status, 400, "{wrong}");
        }
    }
}
