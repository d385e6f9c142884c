//! Publication requests: their numbers, and access to a request by its number instead of its id.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use super::kinds::{CATEGORY, REQUESTS, VALUE};
use crate::records;
use crate::refdata::find_or_create;
use crate::refusal::not_found;

/// Creates a request. Without a number it gets the next number, behind the library's prefix; without a status it gets the status `New`.
pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let mut body = request.json()?;
    let sent = &body["requestNumber"];
    let is_unnumbered = sent.as_str().map_or(sent.is_null(), |number| number.trim().is_empty());
    if body.is_object() && is_unnumbered {
        let number: Option<String> = session.read(Statement::new(NEXT_NUMBER)).await?;
        body["requestNumber"] = json!(number);
    }
    if body.is_object() && body["requestStatus"].is_null() {
        let new = find_or_create(&request.context, &mut session, [&CATEGORY, &VALUE], "requestStatus", "New")
            .await?;
        body["requestStatus"] = json!(new);
    }
    let id = records::create_record(&request, &mut session, &REQUESTS, &body).await?;
    records::record_response(&mut session, &REQUESTS, id, 201).await
}

pub(super) async fn get(mut request: Request) -> Outcome<Response> {
    replace_number_by_id(&mut request).await?;
    records::get(request, &REQUESTS).await
}

pub(super) async fn replace(mut request: Request) -> Outcome<Response> {
    replace_number_by_id(&mut request).await?;
    records::replace(request, &REQUESTS).await
}

pub(super) async fn delete(mut request: Request) -> Outcome<Response> {
    replace_number_by_id(&mut request).await?;
    records::delete(request, &REQUESTS).await
}

/// If the path has a request's number instead of its id, replaces the number by the id.
async fn replace_number_by_id(request: &mut Request) -> Outcome<()> {
    if Uuid::parse_str(request.path_parameter(0)).is_ok() {
        return Ok(());
    }
    let mut session: Session = request.context.session().await?;
    let found: Option<Uuid> = session.read(Statement::new(NUMBERED).text(request.path_parameter(0))).await?;
    request.parameters = vec![found.ok_or_else(not_found)?.to_string()];
    Ok(())
}

const NEXT_NUMBER: &str = "\
select coalesce((
  select coalesce(doc ->> 'value', doc ->> 'defValue')
  from oa_app_setting
  where doc ->> 'key' = 'hrid_prefix'
  limit 1
), '') || nextval('oa_request_number')";
const NUMBERED: &str = "select id from oa_publication_request where \"requestNumber\" = $1 limit 1";

octavo_pg::statements!(other = [NEXT_NUMBER, NUMBERED]);
