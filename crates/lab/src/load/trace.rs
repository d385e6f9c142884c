//! Where the time of one transaction goes: a few loops of one user alone, without pauses, before the load. A server that tells where
//! its own time went, as Octavo does when it is asked with `x-octavo-trace`, is asked; of any other the time of each call is known.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::clock;

use super::plan::Plan;
use super::record::Recorder;
use super::stop::Stop;
use super::told::{Heard, Hearing, Told};
use super::user::User;

const LONGEST: Duration = Duration::from_secs(60);

/// What one transaction took, as the mean of its traced loops.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Traced {
    pub(crate) transaction: String,
    pub(crate) loops: u64,
    /// Loops that did not come to their end.
    pub(crate) failed: u64,
    /// The calls in the order in which they are first made.
    pub(crate) calls: Vec<Link>,
}

/// What a call took in one transaction, all its repetitions together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) name: String,
    /// Times in each transaction.
    pub(crate) times: f64,
    /// The time of all calls of this name in one transaction, in milliseconds, measured by the client.
    pub(crate) millis: f64,
    /// The figures that the server reported for them, if it did.
    pub(crate) told: Option<Told>,
}

/// Traces each transaction `loops` times, after one loop that warms up.
pub(crate) async fn trace(plan: &Rc<Plan>, loops: u64) -> Result<Vec<Traced>> {
    let began = clock::now();
    let stop = Stop::at(began + LONGEST);
    let recorder = Rc::new(RefCell::new(Recorder::new(began, &plan.labels(), &plan.names())));
    let hearing = Hearing::default();
    let mut user = User::new(plan, plan.session(0), &recorder, &stop, 0);
    user.hearing = Some(Rc::clone(&hearing));
    user.begin().await?;
    let mut traced = Vec::new();
    for at in 0..plan.workflow.transactions.len() {
        user.transaction(at).await;
        hearing.borrow_mut().clear();
        let done = |recorder: &Recorder| recorder.transactions[at].real.len();
        let before = done(&recorder.borrow());
        let mut made = 0;
        while made < loops {
            user.transaction(at).await;
            made += 1;
            if stop.is_over() {
                break;
            }
        }
        let whole = done(&recorder.borrow()) - before;
        let heard = std::mem::take(&mut *hearing.borrow_mut());
        traced.push(Traced {
            transaction: plan.workflow.transactions[at].name.clone(),
            loops: made,
            failed: made - whole.min(made),
            calls: links(&plan.labels(), &heard, made),
        });
    }
    Ok(traced)
}

fn links(labels: &[String], heard: &[Heard], loops: u64) -> Vec<Link> {
    let by = 1.0 / loops.max(1) as f64;
    let mut links: Vec<Link> = Vec::new();
    for one in heard {
        let name = &labels[one.label];
        let at = links.iter().position(|link| link.name == *name).unwrap_or_else(|| {
            links.push(Link { name: name.clone(), ..Link::default() });
            links.len() - 1
        });
        let link = &mut links[at];
        link.times += by;
        link.millis += one.real.as_secs_f64() * 1e3 * by;
        if let Some(told) = &one.told {
            link.told.get_or_insert_default().add(told, by);
        }
    }
    links
}

impl Traced {
    pub(crate) fn millis(&self) -> f64 {
        self.calls.iter().map(|call| call.millis).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_made_twice_is_one_line_with_both_times() {
        let heard = |label: usize, millis: u64| {
            let told = Some(Told { statements: 3.0, ..Told::default() });
            Heard { label, real: Duration::from_millis(millis), told }
        };
        let labels = ["GET /a".to_owned(), "GET /b".to_owned()];
        let links = links(
            &labels,
            &[heard(1, 4), heard(0, 10), heard(1, 6), heard(1, 4), heard(0, 10), heard(1, 6)],
            2,
        );
        assert_eq!(
            (links[0].name.as_str(), links[0].times, links[0].told.unwrap().statements),
            ("GET /b", 2.0, 6.0)
        );
        assert!((links[0].millis - 10.0).abs() < 1e-9 && (links[1].millis - 10.0).abs() < 1e-9);
    }
}
