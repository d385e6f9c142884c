//! The rules by which MARC records are mapped, as staff read and change them.

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Kind;
use octavo_pg::Statement;
use serde_json::Value;

use crate::mapping;

const ALL: &str = "Only marc-bib, marc-holdings or marc-authority supported";
const TWO: &str = "Only marc-bib or marc-holdings supported";

/// The kind of record that a path names.
pub(super) fn named(request: &Request, message: &str) -> Outcome<Kind> {
    let name = request.parameter(0);
    let kinds = [Kind::Bibliographic, Kind::Holdings, Kind::Authority];
    kinds.into_iter().find(|kind| mapping::name(*kind) == name).ok_or_else(|| Fault::bad_request(message))
}

pub(super) fn of_metadata(request: &Request) -> Outcome<Kind> {
    named(request, ALL)
}

/// The rules that hold, as text.
pub(super) async fn current(session: &mut octavo_pg::Session, kind: Kind) -> Outcome<String> {
    let own: Option<String> = session.read(Statement::new(OWN).text(mapping::name(kind))).await?;
    Ok(own.unwrap_or_else(|| mapping::default_rules(kind).to_owned()))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let kind = named(&request, ALL)?;
    let mut session = request.context.session().await?;
    Ok(Response::json_text(200, current(&mut session, kind).await?))
}

pub(super) async fn replace(request: Request) -> Outcome<Response> {
    let kind = named(&request, TWO)?;
    if kind == Kind::Authority {
        return Err(Fault::bad_request("Can't edit MARC Authority default mapping rules"));
    }
    let rules = request.json().ok().filter(Value::is_object);
    let rules = rules.ok_or_else(|| Fault::bad_request("Can not update rules in non-JSON format"))?;
    let rules = rules.to_string();
    let mut session = request.context.session().await?;
    session.rows(Statement::new(KEEP).text(mapping::name(kind)).text(&rules)).await?;
    Ok(Response::json_text(200, rules))
}

pub(super) async fn restore(request: Request) -> Outcome<Response> {
    let kind = named(&request, TWO)?;
    let mut session = request.context.session().await?;
    session.rows(Statement::new(RESTORE).text(mapping::name(kind))).await?;
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
