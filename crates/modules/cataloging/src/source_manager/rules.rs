//! The calls by which staff read and change the mapping rules of MARC records.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Kind;
use octavo_pg::Statement;
use serde_json::Value;

use crate::mapping;

const SUPPORTED_TYPES_MESSAGE: &str = "Only marc-bib, marc-holdings or marc-authority supported";
const EDITABLE_TYPES_MESSAGE: &str = "Only marc-bib or marc-holdings supported";

/// The kind of record in the path.
pub(super) fn kind_in_path(request: &Request, message: &str) -> Outcome<Kind> {
    let name = request.path_parameter(0);
    let kinds = [Kind::Bibliographic, Kind::Holdings, Kind::Authority];
    kinds
        .into_iter()
        .find(|kind| mapping::rules_name(*kind) == name)
        .ok_or_else(|| Fault::bad_request(message))
}

pub(super) fn metadata_kind_in_path(request: &Request) -> Outcome<Kind> {
    kind_in_path(request, SUPPORTED_TYPES_MESSAGE)
}

/// The mapping rules that are in force, as text.
pub(super) async fn current_rules(session: &mut octavo_pg::Session, kind: Kind) -> Outcome<String> {
    let own: Option<String> = session.read(Statement::new(OWN).text(mapping::rules_name(kind))).await?;
    Ok(own.unwrap_or_else(|| mapping::default_rules(kind).to_owned()))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let kind = kind_in_path(&request, SUPPORTED_TYPES_MESSAGE)?;
    let mut session = request.context.session().await?;
    Ok(Response::json_text(200, current_rules(&mut session, kind).await?))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let kind = kind_in_path(&request, EDITABLE_TYPES_MESSAGE)?;
    if kind == Kind::Authority {
        return Err(Fault::bad_request("Can't edit MARC Authority default mapping rules"));
    }
    let rules = request.json().ok().filter(Value::is_object);
    let rules = rules.ok_or_else(|| Fault::bad_request("Can not update rules in non-JSON format"))?;
    let rules = rules.to_string();
    let mut session = request.context.session().await?;
    session.rows(Statement::new(KEEP).text(mapping::rules_name(kind)).text(&rules)).await?;
    Ok(Response::json_text(200, rules))
}

pub(super) async fn restore(request: Request) -> Outcome<Response> {
    let kind = kind_in_path(&request, EDITABLE_TYPES_MESSAGE)?;
    let mut session = request.context.session().await?;
    session.rows(Statement::new(RESTORE).text(mapping::rules_name(kind))).await?;
    Ok(Response::json_text(200, mapping::default_rules(kind)))
}

const OWN: &str = "select rules::text from mapping_rules where record_type = $1";

const KEEP: &str = "\
insert into mapping_rules (record_type, rules)
values ($1, $2::text::json)
on conflict (record_type) do update
set rules = excluded.rules";

const RESTORE: &str = "delete from mapping_rules where record_type = $1";

octavo_pg::statements!(other = [OWN, KEEP, RESTORE]);
