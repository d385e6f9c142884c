//! Accounts and, for refunds, their actions: one round trip.

use octavo_circulation::facts::{Account, FeeFineAction};
use octavo_circulation::fees::{FeeFacts, NamedAccounts};
use octavo_engine::Context;
use octavo_pg::{AnswerHandle, Answers, Batch, Statement};
use serde_json::Value;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    Accounts,
    AccountsAndActions,
}

pub(super) struct Questions {
    accounts: AnswerHandle<Option<Value>>,
    actions: Option<AnswerHandle<Option<Value>>>,
}

impl Questions {
    /// Locks the accounts, so that they do not change before the commit.
    pub(super) fn ask_and_lock(batch: &mut Batch, accounts: &[Uuid], reads: Reads) -> Questions {
        Self::ask(batch, LOCKED_ACCOUNTS, accounts, reads)
    }

    /// For a check, which changes nothing.
    pub(super) fn ask_without_lock(batch: &mut Batch, accounts: &[Uuid], reads: Reads) -> Questions {
        Self::ask(batch, ACCOUNTS, accounts, reads)
    }

    fn ask(batch: &mut Batch, sql: &'static str, accounts: &[Uuid], reads: Reads) -> Questions {
        let of_accounts = |sql: &'static str| Statement::new(sql).uuids(accounts.to_vec());
        Questions {
            accounts: batch.ask(of_accounts(sql)),
            actions: (reads == Reads::AccountsAndActions).then(|| batch.ask(of_accounts(ACTIONS))),
        }
    }

    pub(super) fn facts(&self, context: &Context, answers: &Answers) -> FeeFacts {
        let accounts = answers.all(self.accounts).into_iter().flatten();
        let accounts: Vec<Account> = accounts.map(|record| Account { record }).collect();
        let actions = answers.all(self.actions).into_iter().flatten();
        let actions: Vec<FeeFineAction> = actions.map(|record| FeeFineAction { record }).collect();
        let ids = 2 * (accounts.len() + actions.len());
        FeeFacts {
            now: context.now,
            acting_user_id: context.caller.user_id.map(|id| id.to_string()),
            fresh_ids: (0..ids).map(|_| context.fresh_id().to_string()).collect(),
            accounts,
            actions,
        }
    }
}

/// A text that is no UUID is the id of no account.
pub(super) fn ids(named: &NamedAccounts) -> Vec<Uuid> {
    named.ids().iter().filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

const ACCOUNTS: &str = "select doc::text from accounts where id = any($1) order by id";

/// Locks accounts in the order of their ids, so that two requests about the same accounts never wait for each other in a circle.
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
