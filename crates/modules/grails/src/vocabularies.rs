//! Vocabularies (FOLIO: reference data) and their values, below a path that ends in `/refdata`.

use octavo_engine::{Request, Response, find};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Session, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::filter::{Filter, Operator};
use crate::kind::Kind;
use crate::records;
use crate::refdata::vocabulary_of_member;
use crate::refusal::{invalid, not_found, still_referenced_message};
use crate::resource::Resource;
use crate::uses::is_referenced;

/// The vocabularies of a module.
pub(crate) struct Vocabularies {
    pub(crate) categories: &'static Resource,
    pub(crate) values: &'static Resource,
    /// The kinds of record with members that take values of vocabularies.
    pub(crate) kinds: &'static [&'static Kind],
    /// Whether vocabularies that FOLIO itself has created cannot be deleted.
    pub(crate) keeps_internal: bool,
}

/// What the path below `/refdata` names: all vocabularies, a vocabulary by its id, or the values of a member by class and member.
enum PathTarget {
    All,
    Vocabulary,
    ValuesOf(&'static str),
}

fn path_target(request: &mut Request, all: &Vocabularies) -> Outcome<PathTarget> {
    let (_, rest) = request.path.split_once("/refdata").unwrap_or_default();
    let rest = rest.trim_matches('/').to_owned();
    match rest.split_once('/') {
        None if rest.is_empty() => Ok(PathTarget::All),
        None => {
            let id = Uuid::parse_str(&rest).map_err(|_| not_found())?;
            request.parameters = vec![id.to_string()];
            Ok(PathTarget::Vocabulary)
        }
        Some((domain, property)) => {
            vocabulary_of_member(all.kinds, domain, property).map(PathTarget::ValuesOf).ok_or_else(not_found)
        }
    }
}

pub(crate) async fn get(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match path_target(&mut request, all)? {
        PathTarget::All => records::list(request, all.categories).await,
        PathTarget::Vocabulary => records::get(request, all.categories).await,
        PathTarget::ValuesOf(vocabulary) => {
            let mut session = request.context.session().await?;
            let of = Filter::Compare("owner.desc".to_owned(), Operator::Equal, vocabulary.to_owned());
            records::list_filtered(&request, &mut session, all.values, Some(&of)).await
        }
    }
}

pub(crate) async fn create(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match path_target(&mut request, all)? {
        PathTarget::All => records::create(request, all.categories).await,
        _ => Err(not_found()),
    }
}

pub(crate) async fn replace(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match path_target(&mut request, all)? {
        PathTarget::Vocabulary => records::replace(request, all.categories).await,
        _ => Err(not_found()),
    }
}

pub(crate) async fn delete(mut request: Request, all: &'static Vocabularies) -> Outcome<Response> {
    match path_target(&mut request, all)? {
        PathTarget::Vocabulary => {
            let mut session = request.context.session().await?;
            let id = records::id_from_path(&request)?;
            let stored = find(&mut session, all.categories.kind.record, id).await?.ok_or_else(not_found)?;
            if all.keeps_internal && stored["internal"] == true {
                return Err(Fault::json(405, json!({"message": "Method Not Allowed", "error": 405})));
            }
            delete_vocabulary(&request, &mut session, all, id).await
        }
        _ => Err(not_found()),
    }
}

/// Deletes a vocabulary with its values, unless a record refers to one of the values.
async fn delete_vocabulary(
    request: &Request,
    session: &mut Session,
    all: &'static Vocabularies,
    id: Uuid,
) -> Outcome<Response> {
    let values = format!("select id from {} where owner = $1", all.values.kind.table());
    let values: Vec<Uuid> = session.read(Statement::new(values).uuid(id)).await?;
    for value in values {
        if is_referenced(session, all.values.referenced_by, all.values.kind, value).await? {
            return Err(invalid(request, vec![still_referenced_message(all.values.kind.class)]));
        }
    }
    records::delete_record(request, session, all.categories, id, Vec::new()).await
}
