//! Patrons whom staff or a limit has blocked.

use octavo_kernel::Refusal;

use crate::facts::{AutomatedBlock, Facts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Borrowing,
    Renewing,
    Requesting,
}

/// One manual block in force is enough; the reason then names all the patron's blocks.
pub(crate) fn refuse_manually_blocked(facts: &Facts, action: Action) -> Option<Refusal> {
    let (field, message) = match action {
        Action::Borrowing => ("borrowing", "Patron blocked from borrowing"),
        Action::Renewing => ("renewals", "Patron blocked from renewing"),
        Action::Requesting => ("requests", "Patron blocked from requesting"),
    };
    let blocked = facts.manual_blocks.iter().any(|block| block.blocks(field, facts.now()));
    let descriptions: Vec<&str> = facts.manual_blocks.iter().map(|block| block.description()).collect();
    blocked.then(|| Refusal::new(message).about("reason", descriptions.join(";")))
}

pub(crate) fn refuse_automatically_blocked(facts: &Facts, action: Action) -> Vec<Refusal> {
    let applies = |block: &&AutomatedBlock| match action {
        Action::Borrowing => block.borrowing,
        Action::Renewing => block.renewals,
        Action::Requesting => block.requests,
    };
    facts.automated_blocks.iter().filter(applies).map(|block| Refusal::new(&block.message)).collect()
}
