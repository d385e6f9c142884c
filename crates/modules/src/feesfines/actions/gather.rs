//! Accounts and, for refunds, their actions: one round trip.

use octavo_circulation::fees::{Account, FeeFacts, FeeFineAction, Named};
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement};
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    Accounts,
    AccountsAndActions,
}

/// For a check, which changes nothing.
pub(super) async fn unlocked(
    context: &Context,
    session: &mut Session,
    named: &Named,
    reads: Reads,
) -> Outcome<FeeFacts> {
    let answers = session.batch(statements(ACCOUNTS, named, reads)).await?;
    Ok(facts(context, answers))
}

/// Locks the accounts too, so that what is read stays so until the commit.
pub(super) fn locking(named: &Named, reads: Reads) -> Vec<Statement> {
    statements(LOCKED_ACCOUNTS, named, reads)
}

/// What is no UUID is the id of no account.
pub(super) fn ids(named: &Named) -> Vec<Uuid> {
    named.ids().iter().filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

fn statements(accounts: &'static str, named: &Named, reads: Reads) -> Vec<Statement> {
    let ids = ids(named);
    let mut statements = vec![Statement::new(accounts).uuids(ids.clone())];
    if reads == Reads::AccountsAndActions {
        statements.push(Statement::new(ACTIONS).uuids(ids));
    }
    statements
}

pub(super) fn facts(context: &Context, answers: Vec<Vec<Row>>) -> FeeFacts {
    let mut answers = answers.into_iter();
    let mut documents = || {
        let rows = answers.next().unwrap_or_default();
        rows.into_iter().filter_map(|row| row.json(0)).collect::<Vec<_>>()
    };
    let accounts: Vec<Account> = documents().into_iter().map(|record| Account { record }).collect();
    let actions: Vec<FeeFineAction> =
        documents().into_iter().map(|record| FeeFineAction { record }).collect();
    let ids = 2 * (accounts.len() + actions.len());
    FeeFacts {
        now: context.now,
        acting_user_id: context.caller.user_id.map(|id| id.to_string()),
        fresh_ids: (0..ids).map(|_| context.fresh_id().to_string()).collect(),
        accounts,
        actions,
    }
}

const ACCOUNTS: &str = "select doc::text from accounts where id = any($1) order by id";

/// In the order of their ids: two requests about the same accounts never wait for each other in a circle.
const LOCKED_ACCOUNTS: &str = "\
select doc::text
from accounts
where id = any($1)
order by id
for no key update";

const ACTIONS: &str = "\
select doc::text
from feefineactions
where \"accountId\" = any($1)
order by doc ->> 'dateAction', id";

octavo_pg::statements!(hot = [ACCOUNTS, LOCKED_ACCOUNTS, ACTIONS]);
