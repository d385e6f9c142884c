//! Vocabularies (FOLIO: reference data) and their values, below `/servint/refdata`.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use uuid::Uuid;

use super::kinds::{ACCESS, CATEGORIES, SEQUENCE, VALUES};
use crate::filter::{Filter, Operator};
use crate::records;
use crate::refdata::vocabulary;
use crate::refusal::not_found;

const PATH: &str = "/servint/refdata";

/// What the path names below: nothing, a vocabulary by its id, or one by the class and the member that it is for.
enum Below {
    All,
    One,
    Of(&'static str),
}

fn below(request: &mut Request) -> Outcome<Below> {
    let rest = request.path.strip_prefix(PATH).unwrap_or_default().trim_matches('/').to_owned();
    match rest.split_once('/') {
        None if rest.is_empty() => Ok(Below::All),
        None => {
            let id = Uuid::parse_str(&rest).map_err(|_| not_found())?;
            request.parameters = vec![id.to_string()];
            Ok(Below::One)
        }
        Some((domain, property)) => {
            vocabulary(&[&ACCESS, &SEQUENCE], domain, property).map(Below::Of).ok_or_else(not_found)
        }
    }
}

pub(super) async fn get(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        Below::All => records::list(request, &CATEGORIES).await,
        Below::One => records::get(request, &CATEGORIES).await,
        Below::Of(vocabulary) => {
            let mut session = request.context.session().await?;
            let of = Filter::Compare("owner.desc".to_owned(), Operator::Same, vocabulary.to_owned());
            records::list_among(&request, &mut session, &VALUES, Some(&of)).await
        }
    }
}

pub(super) async fn post(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        Below::All => records::create(request, &CATEGORIES).await,
        _ => Err(not_found()),
    }
}

pub(super) async fn put(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        Below::One => records::replace(request, &CATEGORIES).await,
        _ => Err(not_found()),
    }
}

pub(super) async fn delete(mut request: Request) -> Outcome<Response> {
    match below(&mut request)? {
        Below::One => records::delete(request, &CATEGORIES).await,
        _ => Err(not_found()),
    }
}
