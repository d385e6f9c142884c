//! Explains how a search was understood and how many entries each part of it finds. A client asks for this by the header `x-octavo-trace`.

use octavo_engine::Response;
use octavo_search::engine::{self, Deadline, SearchEngine};
use serde_json::Value;

use crate::asked::Search;

/// The most parts that are explained, and the most characters of each: the explanation is sent in a header.
const MAX_PARTS: usize = 20;
const MAX_CHARACTERS: usize = 300;

/// A sentence for each part that is joined by `and`: the part as it was asked, what it means, and how many entries it finds alone.
pub(crate) fn explain_parts(
    index: &dyn SearchEngine,
    search: &Search,
    deadline: Deadline,
) -> engine::Result<Vec<String>> {
    let parts = search.query.root.flatten_and();
    let mut told = Vec::new();
    for part in parts.iter().take(MAX_PARTS) {
        let Ok(wanted) = search.compile_part(part) else { continue };
        let found = index.total(&wanted, deadline)?;
        let meaning = wanted.describe(search.names);
        told.push(format!(
            "{} means: {}. Alone it finds {found}",
            shortened(&part.to_string()),
            shortened(&meaning)
        ));
    }
    if parts.len() > MAX_PARTS {
        told.push(format!("{} further parts are not told", parts.len() - MAX_PARTS));
    }
    Ok(told)
}

fn shortened(text: &str) -> String {
    if text.chars().nth(MAX_CHARACTERS).is_none() {
        return text.to_owned();
    }
    text.chars().take(MAX_CHARACTERS).chain("...".chars()).collect()
}

/// Adds the sentences to the answer as a header, if there are any.
pub(crate) fn with_trace(response: Response, sentences: Vec<String>) -> Response {
    if sentences.is_empty() {
        return response;
    }
    response.with_trace(&Value::from(sentences).to_string())
}
