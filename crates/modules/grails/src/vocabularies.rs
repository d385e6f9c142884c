//! Vocabularies (FOLIO: reference data) and their values, below a path that ends in `/refdata`.

use octavo_engine::{Request, Response, find};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::filter::{Filter, Operator};
use crate::kind::Kind;
use crate::records;
use crate::refdata::vocabulary;
use crate::refusal::{invalid, not_found, used};
use crate::resource::Resource;
use crate::uses::is_used;

/// The vocabularies of a module.
pub(crate) struct Vocabularies {
    pub(crate) categories: &'static Resource,
    pub(crate) values: &'static Resource,
    /// The kinds of record with members that take values of vocabularies.
    pub(crate) kinds: &'static [&'static Kind],
    /// Whether vocabularies that FOLIO itself brings stay.
    pub(crate) keeps_internal: bool,
}

/// What the path names below: nothing, a vocabulary by its id, or one by the class and the member that it is for.
enum Below {
    All,
    One,
    Of(&'static str),
}

fn below(request: &mut Request, all: &Vocabularies) -> Outcome<Below> {
    let (_, rest) = request.path.split_once("/refdata").unwrap_or_default();
    let rest = rest.trim_matches('/').to_owned();
    match rest.split_once('/') {
        None if rest.is_empty() => Ok(Below::All),
        None => {
            let id = Uuid::parse_str(&rest).map_err(|_| not_found())?;
            request.parameters = vec![id.to_string()];
            Ok(Below::One)
        }
        Some((domain, property)) => {
            vocabulary(all.kinds, domain, property).map(Below::Of).ok_or_else(not_found)
        }
    }
}

pub(crate) async fn get(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match below(&mut request, all)? {
        Below::All => records::list(request, all.categories).await,
        Below::One => records::get(request, all.categories).await,
        Below::Of(vocabulary) => {
            let mut session = request.context.session().await?;
            let of = Filter::Compare("owner.desc".to_owned(), Operator::Same, vocabulary.to_owned());
            records::list_among(&request, &mut session, all.values, Some(&of)).await
        }
    }
}

pub(crate) async fn post(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match below(&mut request, all)? {
        Below::All => records::create(request, all.categories).await,
        _ => Err(not_found()),
    }
}

pub(crate) async fn put(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match below(&mut request, all)? {
        Below::One => records::replace(request, all.categories).await,
        _ => Err(not_found()),
    }
}

pub(crate) async fn delete(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match below(&mut request, all)? {
        Below::One => {
            let mut session = request.context.session().await?;
            let id = records::id(&request)?;
            let stored = find(&mut session, all.categories.kind.record, id).await?.ok_or_else(not_found)?;
            if all.keeps_internal && stored["internal"] == true {
                return Err(Fault::json(405, json!({"message": "Method Not Allowed", "error": 405})));
            }
            remove_vocabulary(&request, &mut session, all, id).await
        }
        _ => Err(not_found()),
    }
}

/// A vocabulary goes with its values, unless one of them is used.
async fn remove_vocabulary(
    request: &Request,
    session: &mut Session,
    all: &'static Vocabularies,
    id: Uuid,
) -> Outcome<Response> {
    let values = format!("select id from {} where owner = $1", all.values.kind.table());
    let values: Vec<Uuid> = session.read(Statement::new(values).uuid(id)).await?;
    for value in values {
        if is_used(session, all.values.named_by, all.values.kind, value).await? {
            return Err(invalid(request, vec![used(all.values.kind.class)]));
        }
    }
    records::remove(request, session, all.categories, id, Vec::new()).await
}
