//! Search of titles.

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::Hit;
use octavo_search::records::{View, shown};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::{Asked, find};
use crate::corrections::corrections;
use crate::indexes::{TITLES, Title, index_of};
use crate::ranking::ranking;
use crate::trace;

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let Asked { search, wanted, sort, range, view } = Asked::read(&request, "searchInstances", &TITLES)?;
    let ranking = ranking(&search)?;
    let index = index_of(&request.context, &TITLES).await?;
    let is_traced = request.is_traced();
    let look = move |deadline| {
        let page = index.page(&wanted, &sort, &ranking, range, deadline)?;
        let corrected = if page.total == 0 { corrections(&*index, &search)? } else { Vec::new() };
        let told = if is_traced { trace::sentences(&*index, &search, deadline)? } else { Vec::new() };
        Ok((page, corrected, told))
    };
    let (page, corrected, told) = find(&request.context, look).await?;
    let shown = show(&request, &page.hits, view).await?;
    let mut answer = json!({"totalRecords": page.total, "instances": shown});
    if !corrected.is_empty() {
        answer["suggestions"] = json!(corrected);
    }
    Ok(trace::traced(Response::json(200, &answer), told))
}

/// What an answer shows of titles, in this order; those that were deleted meanwhile are left out.
async fn show(request: &Request, hits: &[Hit], view: View) -> Outcome<Vec<Value>> {
    let ids: Vec<Uuid> = hits.iter().map(|hit| hit.id).collect();
    let mut session = request.context.session().await?;
    let stored = TITLES.stored(&mut session, &ids).await?;
    drop(session);
    let shown = stored.iter().map(|stored| (stored.id, shown(&Title::of(stored).record(), view)));
    let mut shown: HashMap<Uuid, Value> = shown.collect();
    Ok(ids.iter().filter_map(|id| shown.remove(id)).collect())
}
