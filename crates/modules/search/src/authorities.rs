//! Search of authorities. Each heading of an authority record is a result of its own.

use std::collections::HashMap;

use octavo_engine::{Context, Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::{Hit, Ranking};
use octavo_search::records::{View, heading_json, headings};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::{Search, SearchRequest, boolean_parameter, run_search};
use crate::indexes::{AUTHORITIES, TITLES, index_of};
use crate::trace;

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let asked = SearchRequest::read(&request, "searchAuthorities", &AUTHORITIES)?;
    let with_titles = boolean_parameter(&request, "includeNumberOfTitles", true)?;
    let context = &request.context;
    let index = index_of(context, &AUTHORITIES).await?;
    let SearchRequest { search, wanted, sort, range, view } = asked;
    let is_traced = request.is_traced();
    let look = move |deadline| {
        let page = index.page(&wanted, &sort, &Ranking::default(), range, deadline)?;
        let told = if is_traced { trace::explain_parts(&*index, &search, deadline)? } else { Vec::new() };
        Ok((page, told))
    };
    let (page, told) = run_search(context, look).await?;
    let shown: Vec<Value> =
        headings_to_json(context, &page.hits, view, with_titles).await?.into_iter().flatten().collect();
    let answer = Response::json(200, &json!({"totalRecords": page.total, "authorities": shown}));
    Ok(trace::with_trace(answer, told))
}

/// The JSON of headings. `None` for headings that were deleted since the search.
pub(crate) async fn headings_to_json(
    context: &Context,
    hits: &[Hit],
    view: View,
    with_titles: bool,
) -> Outcome<Vec<Option<Value>>> {
    let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
    let mut session = context.session().await?;
    let stored = AUTHORITIES.load_by_ids(&mut session, &ids).await?;
    drop(session);
    let authorities: HashMap<Uuid, Value> =
        stored.iter().map(|stored| (stored.id, stored.parse_record())).collect();
    let tenant = context.tenant.id.as_str();
    let show = |hit: &Hit| {
        let authority = authorities.get(&hit.id)?;
        let heading = headings(authority).into_iter().find(|heading| heading.part_number() == hit.part)?;
        Some(heading_json(authority, &heading, (tenant, false), view))
    };
    let mut shown: Vec<Option<Value>> = hits.iter().map(show).collect();
    if with_titles {
        let authorized =
            |shown: &Option<Value>| shown.as_ref().is_some_and(|shown| shown["authRefType"] == "Authorized");
        let counted = hits.iter().zip(&shown).filter(|(_, shown)| authorized(shown)).map(|(hit, _)| hit.id);
        let titles = count_titles_by_authority(context, counted.collect()).await?;
        for (hit, shown) in hits.iter().zip(&mut shown).filter(|(_, shown)| authorized(shown)) {
            if let (Some(shown), Some(titles)) = (shown, titles.get(&hit.id)) {
                shown["numberOfTitles"] = json!(titles);
            }
        }
    }
    Ok(shown)
}

/// Counts the titles that are linked to each of these authorities.
async fn count_titles_by_authority(context: &Context, authorities: Vec<Uuid>) -> Outcome<HashMap<Uuid, u64>> {
    if authorities.is_empty() {
        return Ok(HashMap::new());
    }
    let question =
        |id: Uuid| Ok((id, Search::read(&format!("authorityId=={id}"), &TITLES)?.compile_query()?));
    let questions = authorities.into_iter().map(question).collect::<Outcome<HashMap<_, _>>>()?;
    let index = index_of(context, &TITLES).await?;
    let count = move |deadline| {
        questions.into_iter().map(|(id, wanted)| Ok((id, index.total(&wanted, deadline)?))).collect()
    };
    run_search(context, count).await
}
