//! Settings of a module, below a path that ends in `/settings/appSettings`.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use uuid::Uuid;

use crate::filter::{Filter, Operator, Presence};
use crate::records;
use crate::refusal::not_found;
use crate::resource::Resource;

/// FOLIO declares one route for everything below: the id, if the path has one.
fn below(request: &mut Request) -> Outcome<Option<Uuid>> {
    let (_, rest) = request.path.split_once("/settings/appSettings").ok_or_else(not_found)?;
    match rest.trim_matches('/') {
        "" => Ok(None),
        id => {
            let id = Uuid::parse_str(id).map_err(|_| not_found())?;
            request.parameters = vec![id.to_string()];
            Ok(Some(id))
        }
    }
}

pub(crate) async fn get(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    match below(&mut request)? {
        Some(_) => records::get(request, settings).await,
        None => {
            let mut session = request.context.session().await?;
            let hidden = Filter::Compare("hidden".to_owned(), Operator::Same, "true".to_owned());
            let shown = Filter::Any(vec![
                Filter::Is("hidden".to_owned(), Presence::Null),
                Filter::Not(Box::new(hidden)),
            ]);
            records::list_among(&request, &mut session, settings, Some(&shown)).await
        }
    }
}

pub(crate) async fn post(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    match below(&mut request)? {
        None => records::create(request, settings).await,
        Some(_) => Err(not_found()),
    }
}

pub(crate) async fn put(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    below(&mut request)?.ok_or_else(not_found)?;
    records::replace(request, settings).await
}

pub(crate) async fn delete(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    below(&mut request)?.ok_or_else(not_found)?;
    records::delete(request, settings).await
}
