//! Search of titles.

use std::collections::HashMap;

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::index::Ranking;
use octavo_search::names::INSTANCE;
use octavo_search::records::{View, shown};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::{INSTANCES, Search, find, numbers, required, truth};
use crate::corrections::corrections;
use crate::refusals::invalid;
use crate::titles::{read, titles};

/// Limit and offset together.
const DEEPEST: i32 = 10_000;

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let text = required(&request, "query", "String")?;
    let bounds = [("limit", 100, 0..=500), ("offset", 0, 0..=9_999)];
    let [limit, offset] = numbers(&request, "searchInstances", &bounds)?;
    let view = if truth(&request, "expandAll", false)? { View::Whole } else { View::Search };
    let end = offset + limit;
    if end > DEEPEST {
        let message = "The sum of limit and offset should not exceed 10000.";
        return Err(invalid(message, "offset + limit", &end.to_string()));
    }
    let search = Search::read(text, INSTANCES)?;
    let (wanted, sort, ranking) = (search.wanted()?, search.sort()?, ranking(&search.query.root));
    let index = titles(&request.context).await?;
    let range = offset as usize..end as usize;
    let look = move |deadline| {
        let page = index.page(&wanted, &sort, &ranking, range, deadline)?;
        let corrected = if page.total == 0 { corrections(&index, &search)? } else { Vec::new() };
        Ok((page, corrected))
    };
    let (page, corrected) = find(&request.context, look).await?;
    let shown = show(&request, &page.ids, view).await?;
    let mut answer = json!({"totalRecords": page.total, "instances": shown});
    if !corrected.is_empty() {
        answer["suggestions"] = json!(corrected);
    }
    Ok(Response::json(200, &answer))
}

/// What an answer shows of titles, in this order; those that were deleted meanwhile are left out.
async fn show(request: &Request, ids: &[Uuid], view: View) -> Outcome<Vec<Value>> {
    let mut session = request.context.session().await?;
    let stored = read::titles(&mut session, ids).await?;
    drop(session);
    let shown = stored.iter().map(|title| (title.id, shown(&title.parsed().record(), view)));
    let mut shown: HashMap<Uuid, Value> = shown.collect();
    Ok(ids.iter().filter_map(|id| shown.remove(id)).collect())
}

/// Words in titles count more than those in names, and these more than those in subjects. A title that is wholly what was asked
/// for comes first.
fn ranking(query: &Node) -> Ranking {
    let weights = [("title", 4.0), ("contributors", 2.0), ("subjects", 1.0)];
    let (keyword, title) = (INSTANCE.find("keyword"), INSTANCE.find("title"));
    let words =
        weights.into_iter().filter_map(|(name, weight)| Some((keyword?, INSTANCE.find(name)?, weight)));
    let asked = query.clauses().into_iter().find_map(words_of_a_title);
    let whole = title.zip(asked).map(|(title, asked)| (title, asked, 50.0));
    Ranking { words: words.collect(), whole }
}

fn words_of_a_title(clause: &Clause) -> Option<String> {
    let by_words = matches!(
        clause.relation.comparator,
        Comparator::Scr | Comparator::All | Comparator::Adj | Comparator::Exact
    );
    let named = matches!(clause.index.as_str(), "keyword" | "title");
    if by_words && named { term::literal(&clause.term) } else { None }
}
