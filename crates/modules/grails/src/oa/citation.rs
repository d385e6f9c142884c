//! Finds or creates the work that a citation describes: its titles are found by their identifiers, or created.

use octavo_engine::{Context, Request, Response, statements};
use octavo_kernel::Outcome;
use octavo_pg::{Session, Statement};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::kinds::{CATEGORY, VALUE, WORKS};
use super::tables;
use crate::records;
use crate::refdata::find_or_create;
use crate::refusal::invalid;

/// The most titles of a citation, and identifiers of a title.
const MAX_LISTED: usize = 50;

pub(super) async fn create(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let citation = request.json()?;
    // Citations are handled one after the other, so that two citations of the same work create one work.
    session.begin(vec![Statement::new(LOCK)]).await?;
    match find_or_create_work(&request, &mut session, &citation).await {
        Ok(work) => {
            session.commit(Vec::new()).await?;
            records::record_response(&mut session, &WORKS, work, 200).await
        }
        Err(fault) => {
            session.rollback().await?;
            Err(fault)
        }
    }
}

async fn find_or_create_work(request: &Request, session: &mut Session, citation: &Value) -> Outcome<Uuid> {
    let refused = |message: &str| invalid(request, vec![message.to_owned()]);
    let instances = citation["instances"].as_array().filter(|all| !all.is_empty() && all.len() <= MAX_LISTED);
    let instances = instances.ok_or_else(|| refused("A citation has between 1 and 50 instances"))?;
    let mut works = Vec::new();
    for instance in instances {
        let mut cited = Map::new();
        for source in [citation, instance] {
            let members = source.as_object().into_iter().flatten();
            cited.extend(
                members
                    .filter(|(name, _)| *name != "instances")
                    .map(|(name, value)| (name.clone(), value.clone())),
            );
        }
        let cited = Value::Object(cited);
        let title =
            cited["title"].as_str().filter(|title| !title.trim().is_empty() && title.chars().count() <= 255);
        let title = title.ok_or_else(|| refused("Missing mandatory information: title"))?;
        let ids = parse_identifiers(&cited).ok_or_else(|| refused("Missing mandatory information: ids"))?;
        let work = match &*find_titles(session, &ids).await? {
            [] => create_title(&request.context, session, &cited, title, &ids).await?,
            [(_, Some(work), Some(named))] if named == title => *work,
            [_] => {
                return Err(refused(
                    "The title is another than that of the title instance with these identifiers",
                ));
            }
            _ => return Err(refused("The identifiers belong to several title instances")),
        };
        works.push(work);
    }
    works.dedup();
    match *works {
        [work] => Ok(work),
        _ => Err(refused("The instances belong to several works")),
    }
}

/// The identifiers of a title: pairs of namespace and value. `None` if they are missing or too long.
fn parse_identifiers(citation: &Value) -> Option<Vec<[&str; 2]>> {
    let ids = citation["ids"].as_array().filter(|ids| !ids.is_empty() && ids.len() <= MAX_LISTED)?;
    let text = |id: &'_ Value, name: &str| -> Option<usize> { id[name].as_str().map(str::len) };
    ids.iter()
        .map(|id| {
            let long = |name| text(id, name).is_some_and(|length| (1..=255).contains(&length));
            (long("ns") && long("id"))
                .then(|| [id["ns"].as_str().unwrap_or_default(), id["id"].as_str().unwrap_or_default()])
        })
        .collect()
}

type MatchingTitle = (Uuid, Option<Uuid>, Option<String>);

async fn find_titles(session: &mut Session, ids: &[[&str; 2]]) -> Outcome<Vec<MatchingTitle>> {
    let column = |at: usize| ids.iter().map(|id| id[at].to_owned()).collect();
    Ok(session.read(Statement::new(MATCHING).texts(column(0)).texts(column(1))).await?)
}

/// Creates a title. Its work is found by the work's title, or created.
async fn create_title(
    context: &Context,
    session: &mut Session,
    citation: &Value,
    title: &str,
    ids: &[[&str; 2]],
) -> Outcome<Uuid> {
    let found: Option<Uuid> = session.read(Statement::new(WORK).text(title)).await?;
    let work = match found {
        Some(work) => work,
        None => {
            let id = context.fresh_id();
            let mut new = json!({"id": id, "title": title});
            for (member, vocabulary) in [("indexedInDOAJ", "Global.Yes_No"), ("oaStatus", "Work.OaStatus")] {
                set_vocabulary_value(context, session, citation, (member, vocabulary), &mut new).await?;
            }
            session.rows(statements::insert(&tables::WORKS, id, &new)).await?;
            id
        }
    };
    let id = context.fresh_id();
    let mut occurrences = Vec::new();
    for [namespace, value] in ids {
        let selected: Option<bool> =
            session.read(Statement::new(IS_SELECTED).text(*namespace).text(*value)).await?;
        occurrences.push(json!({
            "id": context.fresh_id(), "selected": selected != Some(true),
            "identifier": {"id": context.fresh_id(), "value": value, "ns": {"id": context.fresh_id(), "value": namespace}},
        }));
    }
    let mut new = json!({"id": id, "title": title, "work": work, "identifiers": occurrences});
    let mut citation = citation.clone();
    if citation["publicationType"].is_null() {
        citation["publicationType"] = match citation["type"].as_str().map(str::to_lowercase).as_deref() {
            Some("monograph") => json!("Book"),
            Some("serial") => json!("Journal"),
            _ => Value::Null,
        };
    }
    for (member, vocabulary) in [
        ("publicationType", "TitleInstance.PublicationType"),
        ("type", "TitleInstance.Type"),
        ("subType", "TitleInstance.SubType"),
    ] {
        set_vocabulary_value(context, session, &citation, (member, vocabulary), &mut new).await?;
    }
    session.rows(statements::insert(&tables::TITLES, id, &new)).await?;
    Ok(work)
}

/// Sets a member of a new record to the vocabulary value with the label that the citation has, if it has one.
async fn set_vocabulary_value(
    context: &Context,
    session: &mut Session,
    citation: &Value,
    (member, vocabulary): (&str, &str),
    new: &mut Value,
) -> Outcome<()> {
    if let Some(label) =
        citation[member].as_str().filter(|label| !label.trim().is_empty() && label.len() <= 255)
    {
        new[member] = json!(find_or_create(context, session, [&CATEGORY, &VALUE], vocabulary, label).await?);
    }
    Ok(())
}

const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended('citations', 0))::text";
const WORK: &str = "select id from oa_work where doc ->> 'title' = $1 order by id limit 1";
const MATCHING: &str = "\
select t.id, w.id, w.doc ->> 'title'
from oa_title_instance t
left join oa_work w on w.id = t.work
where exists (
  select from octavo.elements(t.doc, 'identifiers') o, unnest($1::text[], $2::text[]) as wanted (ns, value)
  where o -> 'identifier' -> 'ns' ->> 'value' = wanted.ns and o -> 'identifier' ->> 'value' = wanted.value
    and coalesce((o ->> 'selected')::bool, true)
)
limit 2";
const IS_SELECTED: &str = "\
select exists (
  select from oa_title_instance t, octavo.elements(t.doc, 'identifiers') o
  where o -> 'identifier' -> 'ns' ->> 'value' = $1 and o -> 'identifier' ->> 'value' = $2 and o ->> 'selected' = 'true'
)";

octavo_pg::statements!(other = [LOCK, WORK, MATCHING, IS_SELECTED]);
