//! Search of titles.

use std::collections::HashMap;

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::index::{Hit, Ranking};
use octavo_search::names::INSTANCE;
use octavo_search::records::{View, shown};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::asked::{Asked, find};
use crate::corrections::corrections;
use crate::indexes::{TITLES, Title, index_of};

pub(crate) async fn search(request: Request) -> Outcome<Response> {
    let Asked { search, wanted, sort, range, view } = Asked::read(&request, "searchInstances", &TITLES)?;
    let ranking = ranking(&search.query.root);
    let index = index_of(&request.context, &TITLES).await?;
    let look = move |deadline| {
        let page = index.page(&wanted, &sort, &ranking, range, deadline)?;
        let corrected = if page.total == 0 { corrections(&index, &search)? } else { Vec::new() };
        Ok((page, corrected))
    };
    let (page, corrected) = find(&request.context, look).await?;
    let shown = show(&request, &page.hits, view).await?;
    let mut answer = json!({"totalRecords": page.total, "instances": shown});
    if !corrected.is_empty() {
        answer["suggestions"] = json!(corrected);
    }
    Ok(Response::json(200, &answer))
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
