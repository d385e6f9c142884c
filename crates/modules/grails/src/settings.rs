//! Settings of a module, below a path that ends in `/settings/appSettings`.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use uuid::Uuid;

use crate::filter::{Filter, Operator, Presence};
use crate::records;
use crate::refusal::not_found;
use crate::resource::Resource;

/// The id in the path below `/settings/appSettings`, if there is one. FOLIO declares one route for all paths below it.
fn id_below_settings(request: &mut Request) -> Outcome<Option<Uuid>> {
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
    match id_below_settings(&mut request)? {
        Some(_) => records::get(request, settings).await,
        None => {
            let mut session = request.context.session().await?;
            let hidden = Filter::Compare("hidden".to_owned(), Operator::Equal, "true".to_owned());
            let shown = Filter::Any(vec![
                Filter::Is("hidden".to_owned(), Presence::Null),
                Filter::Not(Box::new(hidden)),
            ]);
            records::list_filtered(&request, &mut session, settings, Some(&shown)).await
        }
    }
}

pub(crate) async fn create(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    match id_below_settings(&mut request)? {
        None => records::create(request, settings).await,
        Some(_) => Err(not_found()),
    }
}

pub(crate) async fn replace(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    id_below_settings(&mut request)?.ok_or_else(not_found)?;
    records::replace(request, settings).await
}

pub(crate) async fn delete(mut request: Request, settings: &'static Resource) -> Outcome<Response> {
    id_below_settings(&mut request)?.ok_or_else(not_found)?;
    records::delete(request, settings).await
}
