//! The plan of a run: workflow, values, rows of feeders, server and users.

use std::rc::Rc;

use crate::chance::SeededRandom;
use crate::experiment::Test;
use crate::http::Address;
use crate::workflow::{Body, Workflow};

use super::render::{Values, resolve_amount};
use super::rows::Rows;
use super::session::{Login, Session};

pub(crate) const PREFLIGHT_LABEL: &str = "OPTIONS (preflights)";
pub(crate) const LOG_IN_LABEL: &str = "POST /authn/login (log-in)";

pub(crate) struct Plan {
    pub(crate) workflow: Workflow,
    pub(crate) values: Values,
    pub(crate) feeders: Vec<Rows>,
    pub(crate) address: Rc<Address>,
    pub(crate) tenant: String,
    /// The accounts with which virtual users log in: the first user with the first account and so on, from the beginning again when all are
    /// used.
    pub(crate) logins: Vec<Login>,
    pub(crate) test: Test,
}

impl Plan {
    pub(super) fn draw_transaction(&self, chance: &mut SeededRandom) -> usize {
        chance.weighted_index(self.workflow.transactions.iter().map(|transaction| transaction.share))
    }

    pub(super) fn preflight_label(&self) -> usize {
        self.workflow.labels.len()
    }

    pub(super) fn log_in_label(&self) -> usize {
        self.workflow.labels.len() + 1
    }

    pub(super) fn labels(&self) -> Vec<String> {
        let own = [PREFLIGHT_LABEL, LOG_IN_LABEL].map(str::to_owned);
        self.workflow.labels.iter().cloned().chain(own).collect()
    }

    pub(super) fn transaction_names(&self) -> Vec<String> {
        self.workflow.transactions.iter().map(|one| one.name.clone()).collect()
    }

    pub(super) fn new_session(&self, number: u32) -> Session {
        let login = match self.logins.as_slice() {
            [] => None,
            logins => Some(logins[number as usize % logins.len()].clone()),
        };
        Session::new(&self.address, &self.tenant, login)
    }
}

/// Notes for the report on lists in request bodies that are shorter than the test asks for, because the feeder has too few rows.
pub(crate) fn short_list_notes(plan: &Plan) -> Vec<String> {
    let mut told = Vec::new();
    for call in &plan.workflow.calls {
        if let Some(body) = &call.body {
            add_short_list_notes(body, &plan.values, &plan.feeders, &mut told);
        }
    }
    told
}

fn add_short_list_notes(body: &Body, values: &Values, feeders: &[Rows], told: &mut Vec<String>) {
    match body {
        Body::List(list) => list.iter().for_each(|one| add_short_list_notes(one, values, feeders, told)),
        Body::Object(fields) => {
            fields.iter().for_each(|(_, one)| add_short_list_notes(one, values, feeders, told));
        }
        Body::Feed { feeder, count, grow, most, .. } => {
            let (Ok(count), Ok(grow), Ok(most)) = (
                resolve_amount(*count, values),
                resolve_amount(*grow, values),
                resolve_amount(*most, values),
            ) else {
                return;
            };
            let wanted = if grow > 0 { most } else { count.min(most) };
            let rows = &feeders[*feeder];
            let there = rows.len() as u64;
            if there < wanted {
                told.push(format!(
                    "a request names at most {there} of {}, where {wanted} are wanted: there are no more",
                    rows.name
                ));
            }
        }
        Body::Text(_) | Body::Plain(_) | Body::Raw(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workflow::Amount;

    #[test]
    fn a_list_that_cannot_become_as_long_as_wanted_is_told() {
        let feeders = [Rows::from_texts(&["a", "b", "c"], false)];
        let told = |count: u64, grow: u64, most: u64| {
            let [count, grow, most] = [count, grow, most].map(Amount::Fixed);
            let list = Body::Feed { feeder: 0, field: 0, count, grow, most };
            let mut told = Vec::new();
            let values = Values(Vec::new());
            add_short_list_notes(&Body::Object(vec![("ids".to_owned(), list)]), &values, &feeders, &mut told);
            told
        };
        assert_eq!(told(3, 0, 9), [""; 0]);
        assert_eq!(told(1, 1, 3), [""; 0]);
        assert_eq!(told(1, 1, 9), ["a request names at most 3 of x, where 9 are wanted: there are no more"]);
        assert_eq!(told(50, 0, 100).len(), 1);
    }
}
