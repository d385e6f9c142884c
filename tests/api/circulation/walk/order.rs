//! What must never be, as queries that find it: what is so in every library, and what the walk's own witnesses have seen.

use octavo_modules::MODULES;
use octavo_pg::{Sql, Statement};
use octavo_testkit::{Library, on_runtime};

/// Returns the names of the checks that find something wrong in a library.
pub(super) async fn disorder(library: &Library) -> Vec<&'static str> {
    let context = library.context().await;
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        let mut wrong = Vec::new();
        for invariant in MODULES.iter().flat_map(|module| module.invariants) {
            let find = Sql { text: invariant.find_sql.to_owned(), params: Vec::new() };
            let found = session.rows_once(&find).await.unwrap();
            wrong.extend((!found.is_empty()).then_some(invariant.violation));
        }
        for (told, query) in WITNESSED_FAULTS {
            let found = session.rows(Statement::new(query)).await.unwrap();
            wrong.extend((!found.is_empty()).then_some(told));
        }
        wrong
    })
    .await
}

/// How many things the walk looks for.
pub(super) fn count_checks() -> usize {
    MODULES.iter().map(|module| module.invariants.len()).sum::<usize>() + WITNESSED_FAULTS.len()
}

const WITNESSED_FAULTS: [(&str, &str); 4] = [
    (
        "a loan was made to a patron who is blocked",
        "select 1 from walk_seen where what = 'lent to a patron who is blocked'",
    ),
    (
        "a loan was made to a patron who is not active",
        "select 1 from walk_seen where what = 'lent to a patron who is not active'",
    ),
    (
        "a loan was made to a patron of another group",
        "select 1 from walk_seen where what = 'lent to a patron of another group'",
    ),
    (
        "a loan was made to a patron who has enough",
        "select 1 from walk_seen where what = 'lent to a patron who has enough'",
    ),
];
