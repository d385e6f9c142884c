//! Everything that a run needs.

use std::rc::Rc;

use crate::chance::Chance;
use crate::experiment::Test;
use crate::http::Address;
use crate::workflow::{Body, Workflow};

use super::render::{Values, amount};
use super::rows::Rows;
use super::session::{Login, Session};

pub(crate) const PREFLIGHT: &str = "OPTIONS (preflights)";
pub(crate) const LOG_IN: &str = "POST /authn/login (log-in)";

pub(crate) struct Plan {
    pub(crate) workflow: Workflow,
    pub(crate) values: Values,
    pub(crate) feeders: Vec<Rows>,
    pub(crate) address: Rc<Address>,
    pub(crate) tenant: String,
    /// Who the virtual users log in as, one after the other, in a ring.
    pub(crate) logins: Vec<Login>,
    pub(crate) test: Test,
}

impl Plan {
    pub(super) fn draw(&self, chance: &mut Chance) -> usize {
        chance.drawn(self.workflow.transactions.iter().map(|transaction| transaction.share))
    }

    pub(super) fn preflight_label(&self) -> usize {
        self.workflow.labels.len()
    }

    pub(super) fn log_in_label(&self) -> usize {
        self.workflow.labels.len() + 1
    }

    pub(super) fn labels(&self) -> Vec<String> {
        let own = [PREFLIGHT, LOG_IN].map(str::to_owned);
        self.workflow.labels.iter().cloned().chain(own).collect()
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.workflow.transactions.iter().map(|one| one.name.clone()).collect()
    }

    pub(super) fn session(&self, number: u32) -> Session {
        let login = match self.logins.as_slice() {
            [] => None,
            logins => Some(logins[number as usize % logins.len()].clone()),
        };
        Session::new(&self.address, &self.tenant, login)
    }
}

/// Lists that are shorter than the test wants them, because there is no more to name; a note of each for the report.
pub(crate) fn short_lists(plan: &Plan) -> Vec<String> {
    let mut told = Vec::new();
    for call in &plan.workflow.calls {
        if let Some(body) = &call.body {
            short(body, &plan.values, &plan.feeders, &mut told);
        }
    }
    told
}

fn short(body: &Body, values: &Values, feeders: &[Rows], told: &mut Vec<String>) {
    match body {
        Body::List(list) => list.iter().for_each(|one| short(one, values, feeders, told)),
        Body::Object(fields) => fields.iter().for_each(|(_, one)| short(one, values, feeders, told)),
        Body::Feed { feeder, count, grow, most, .. } => {
            let (Ok(count), Ok(grow), Ok(most)) =
                (amount(*count, values), amount(*grow, values), amount(*most, values))
            else {
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
            short(&Body::Object(vec![("ids".to_owned(), list)]), &values, &feeders, &mut told);
            told
        };
        assert_eq!(told(3, 0, 9), [""; 0]);
        assert_eq!(told(1, 1, 3), [""; 0]);
        assert_eq!(told(1, 1, 9), ["a request names at most 3 of x, where 9 are wanted: there are no more"]);
        assert_eq!(told(50, 0, 100).len(), 1);
    }
}
