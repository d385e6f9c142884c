//! The ids of instances whose MARC records match a search expression.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_record::{Param, Sql};
use serde_json::Value;
use uuid::Uuid;

use super::expression::{Conditions, Language, read};
use super::fill::UNFILLED;
use super::lists::state_condition;
use super::parameters::RECORD_TYPE;
use super::streamed::{AnswerFormat, WriteRow, stream_answer};

const REQUEST: &str =
    include_str!("../../../folio/records/mod-source-record-storage/sourceRecordSearchRequest.tsv");

pub(super) async fn find(request: Request) -> Outcome<Response> {
    let asked = request.checked_json(REQUEST)?;
    let mut plans = Vec::new();
    for (language, name) in
        [(Language::Leader, "leaderSearchExpression"), (Language::Fields, "fieldsSearchExpression")]
    {
        if let Some(expression) = asked[name].as_str() {
            plans.push(read(language, expression)?);
        }
    }
    if plans.is_empty() {
        let message = "The 'leaderSearchExpression' and the 'fieldsSearchExpression' are missing";
        return Err(Fault::bad_request(message));
    }
    let mut sql = Sql::default();
    let conditions = Conditions::from_plans(&plans, &mut sql);
    push_search_sql(&mut sql, &conditions, &asked)?;
    let session = request.context.session().await?;
    let mut first = true;
    // Each row has the total number. It is written once, before the ids. If there are no ids, a single row has only the number.
    let show: WriteRow = Box::new(move |row, text| {
        let (id, total): (Option<Uuid>, i64) = row.read();
        if std::mem::take(&mut first) {
            text.push_str(&format!("{{\"totalCount\":{total},\"records\":["));
        } else {
            text.push(',');
        }
        if let Some(id) = id {
            text.push_str(&format!("\"{id}\""));
        }
        Ok(())
    });
    let form = AnswerFormat {
        content_type: "application/stream+json",
        before: String::new(),
        between: "",
        after: "]}".to_owned(),
        write_row: show,
    };
    stream_answer(&request.context, session, &sql, form).await
}

fn push_search_sql(sql: &mut Sql, conditions: &Conditions, asked: &Value) -> Outcome<()> {
    let suppressed = asked["suppressFromDiscovery"].as_bool().unwrap_or(false);
    let suppressed = sql.bind(Param::Text(suppressed.to_string()));
    let basic = format!(
        "{}\n    and {RECORD_TYPE} = 'MARC_BIB'\n    and r.\"externalIdsHolder.instanceId\" is not null\n    \
         and coalesce(r.\"additionalInfo.suppressDiscovery\", r.doc #>> '{{additionalInfo,suppressDiscovery}}', 'false') = {suppressed}",
        state_condition(asked["deleted"].as_bool().unwrap_or(false))
    );
    let candidates = candidates_sql(conditions.lookup_sql.as_deref(), &basic);
    let fields = match conditions.needs_fields {
        true => FIELDS,
        false => "",
    };
    let number = |name: &str| match asked[name].as_i64() {
        Some(number) if number < 0 => Err(Fault::bad_request(format!("{name} must not be negative"))),
        number => Ok(number),
    };
    let offset = number("offset")?.map(|offset| format!("offset {offset} ")).unwrap_or_default();
    let limit = number("limit")?.map(|limit| format!("limit {limit}")).unwrap_or_default();
    sql.push(&format!(
        "with found as materialized (
  select distinct r.\"externalIdsHolder.instanceId\" as id
  from ({candidates}) r
  {fields}
  where {}
)
select f.id, n.total
from (select count(*) as total from found) n
left join (select id from found order by id {offset}{limit}) f on true
order by f.id",
        conditions.check_sql
    ));
    Ok(())
}

/// The fields of a row `r`, extracted once for all conditions.
pub(super) const FIELDS: &str = "\
cross join lateral (
    select (r.doc #> '{parsedRecord,content,fields}')::jsonb as fields
    offset 0) c";

/// The SQL of the rows that the index finds, if it can be used, and of the rows that the index does not contain yet.
pub(super) fn candidates_sql(found: Option<&str>, basic: &str) -> String {
    let columns = "r.id, r.doc, r.\"marcLeader\", r.\"externalIdsHolder.instanceId\", r.\"externalIdsHolder.holdingsId\", r.\"externalIdsHolder.authorityId\"";
    let select = format!("select {columns} from records_lb r where");
    match found {
        None => format!("{select} {basic}"),
        Some(found) => format!(
            "{select} {found} and {basic}\n  union all\n  {select} {UNFILLED} and r.\"marcTerms\" is null and {basic}"
        ),
    }
}
