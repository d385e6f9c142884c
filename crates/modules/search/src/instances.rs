//! Search of titles.

use std::collections::HashMap;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_search::index::{Deadline, Ranking};
use octavo_search::names::INSTANCE;
use octavo_search::query::compile;
use octavo_search::records::{View, shown};
use octavo_search::text::Language;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::titles::{read, titles};

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let limit = request.number("limit", 100, 0..=500)?;
    let offset = request.number("offset", 0, 0..=9999)?;
    let text = request.query("query").unwrap_or_default();
    let query = octavo_cql::parse(text).map_err(|error| Fault::bad_request(error.to_string()))?;
    let wanted = compile(&query.root, &INSTANCE, &[Language::English])
        .map_err(|refusal| Fault::bad_request(format!("{refusal:?}")))?;
    let index = titles(&request.context).await?;
    let range = offset as usize..(offset + limit) as usize;
    let found = move || index.page(&wanted, &[], &Ranking::default(), range, deadline());
    let page = tokio::task::spawn_blocking(found).await.map_err(Fault::internal)?.map_err(Fault::internal)?;
    let mut session = request.context.session().await?;
    let stored = read::titles(&mut session, &page.ids).await?;
    drop(session);
    let view = if request.truth("expandAll") { View::Whole } else { View::Search };
    let mut by_id: HashMap<Uuid, Value> =
        stored.iter().map(|title| (title.id, shown(&title.parsed().record(), view))).collect();
    let shown: Vec<Value> = page.ids.iter().filter_map(|id| by_id.remove(id)).collect();
    Ok(Response::json(200, &json!({"totalRecords": page.total, "instances": shown})))
}

pub(crate) async fn ids(_: Request) -> Outcome<Response> {
    Err(Fault::text(501, "not yet"))
}

fn deadline() -> Deadline {
    Deadline::after(std::time::Duration::from_secs(25))
}
