//! How a search was understood and what each part of it finds, for clients that ask by `x-octavo-trace`.

use octavo_engine::Response;
use octavo_search::engine::{self, Deadline, SearchEngine};
use serde_json::Value;

use crate::asked::Search;

/// So many parts are told, and so many characters of each: the answer is a header.
const PARTS: usize = 20;
const LENGTH: usize = 300;

/// A sentence for each part that is joined by `and`: the part as it was asked, what it means, and how many entries it finds alone.
pub(crate) fn sentences(
    index: &dyn SearchEngine,
    search: &Search,
    deadline: Deadline,
) -> engine::Result<Vec<String>> {
    let parts = search.query.root.flatten_and();
    let mut told = Vec::new();
    for part in parts.iter().take(PARTS) {
        let Ok(wanted) = search.meaning(part) else { continue };
        let found = index.total(&wanted, deadline)?;
        let meaning = wanted.told(search.names);
        told.push(format!(
            "{} means: {}. Alone it finds {found}",
            shortened(&part.to_string()),
            shortened(&meaning)
        ));
    }
    if parts.len() > PARTS {
        told.push(format!("{} further parts are not told", parts.len() - PARTS));
    }
    Ok(told)
}

fn shortened(text: &str) -> String {
    if text.chars().nth(LENGTH).is_none() {
        return text.to_owned();
    }
    text.chars().take(LENGTH).chain("...".chars()).collect()
}

/// The answer with the sentences, if there are any.
pub(crate) fn traced(response: Response, sentences: Vec<String>) -> Response {
    if sentences.is_empty() {
        return response;
    }
    response.with_why(&Value::from(sentences).to_string())
}
