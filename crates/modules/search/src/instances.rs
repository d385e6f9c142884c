//! Search of titles.

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::Hit;
use octavo_search::records::{View, instance_json};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::{SearchRequest, run_search};
use crate::corrections::corrections;
use crate::indexes::{TITLES, Title, index_of};
use crate::ranking::ranking;
use crate::trace;

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let SearchRequest { search, wanted, sort, range, view } =
        SearchRequest::read(&request, "searchInstances", &TITLES)?;
    let ranking = ranking(&search)?;
    let index = index_of(&request.context, &TITLES).await?;
    let is_traced = request.is_traced();
    let look = move |deadline| {
        let page = index.page(&wanted, &sort, &ranking, range, deadline)?;
        let corrected = if page.total == 0 { corrections(&*index, &search)? } else { Vec::new() };
        let told = if is_traced { trace::explain_parts(&*index, &search, deadline)? } else { Vec::new() };
        Ok((page, corrected, told))
    };
    let (page, corrected, told) = run_search(&request.context, look).await?;
    let shown = titles_to_json(&request, &page.hits, view).await?;
    let mut answer = json!({"totalRecords": page.total, "instances": shown});
    if !corrected.is_empty() {
        answer["suggestions"] = json!(corrected);
    }
    Ok(trace::with_trace(Response::json(200, &answer), told))
}

/// The JSON of titles, in the order of the hits. Titles that were deleted since the search are left out.
async fn titles_to_json(request: &Request, hits: &[Hit], view: View) -> Outcome<Vec<Value>> {
    let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
    let mut session = request.context.session().await?;
    let stored = TITLES.load_by_ids(&mut session, &ids).await?;
    drop(session);
    let shown = stored
        .iter()
        .map(|stored| (stored.id, instance_json(&Title::from_stored(stored).as_instance(), view)));
    let mut shown: HashMap<Uuid, Value> = shown.collect();
    Ok(ids.iter().filter_map(|id| shown.remove(id)).collect())
}
