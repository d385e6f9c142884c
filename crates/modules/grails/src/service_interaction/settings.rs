//! Settings of the module, below `/servint/settings/appSettings`.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use serde_json::json;
use uuid::Uuid;

use super::kinds::SETTINGS;
use crate::filter::{Filter, Operator};
use crate::records;
use crate::refusal::not_found;

const PATH: &str = "/servint/settings/appSettings";

/// FOLIO declares one route for everything below: the id, if the path has one.
fn below(request: &mut Request) -> Outcome<Option<Uuid>> {
    let rest = request.path.strip_prefix(PATH).ok_or_else(not_found)?;
    match rest.trim_matches('/') {
        "" => Ok(None),
        id => {
            let id = Uuid::parse_str(id).map_err(|_| not_found())?;
            request.parameters = vec![id.to_string()];
            Ok(Some(id))
        }
    }
}

pub(super) async fn get(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        Some(_) => records::get(request, &SETTINGS).await,
        None => {
            let mut session = request.context.session().await?;
            let hidden = Filter::Compare("hidden".to_owned(), Operator::Same, json!(true).to_string());
            let shown = Filter::Any(vec![
                Filter::Is("hidden".to_owned(), crate::filter::Presence::Null),
                Filter::Not(Box::new(hidden)),
            ]);
            records::list_among(&request, &mut session, &SETTINGS, Some(&shown)).await
        }
    }
}

pub(super) async fn post(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        None => records::create(request, &SETTINGS).await,
        Some(_) => Err(not_found()),
    }
}

pub(super) async fn put(mut request: Request) -> Outcome<Response> {
    below(&mut request)?.ok_or_else(not_found)?;
    records::replace(request, &SETTINGS).await
}

pub(super) async fn delete(mut request: Request) -> Outcome<Response> {
    below(&mut request)?.ok_or_else(not_found)?;
    records::delete(request, &SETTINGS).await
}
