//! Measures where the time of one transaction goes: a few loops of a single user without pauses, before the load. Octavo reports its own
//! share of the time when the client asks with the header `x-octavo-trace`; of other servers only the time of each call is known.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::clock;

use super::plan::Plan;
use super::record::Recorder;
use super::stop::RunEnd;
use super::told::{ServerTrace, TracedAnswer, TracedAnswers};
use super::user::User;

const LONGEST_TRACE: Duration = Duration::from_secs(60);

/// What one transaction cost, as the mean of its traced loops.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TransactionTrace {
    pub(crate) transaction: String,
    pub(crate) loops: u64,
    /// Loops that did not come to their end.
    pub(crate) failed: u64,
    /// The calls in the order in which they are first made.
    pub(crate) calls: Vec<CallTrace>,
}

/// What a call cost in one transaction, with all its repetitions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallTrace {
    pub(crate) name: String,
    /// How often the call is made in each transaction.
    pub(crate) times: f64,
    /// The time of all calls of this name in one transaction, in milliseconds, measured by the client.
    pub(crate) millis: f64,
    /// The figures that the server reported for them, if it did.
    pub(crate) told: Option<ServerTrace>,
}

/// Traces each transaction `loops` times, after one loop that warms up.
pub(crate) async fn trace_transactions(plan: &Rc<Plan>, loops: u64) -> Result<Vec<TransactionTrace>> {
    let began = clock::now();
    let stop = RunEnd::at(began + LONGEST_TRACE);
    let recorder = Rc::new(RefCell::new(Recorder::new(began, &plan.labels(), &plan.transaction_names())));
    let hearing = TracedAnswers::default();
    let mut user = User::new(plan, plan.new_session(0), &recorder, &stop, 0);
    user.traced_answers = Some(Rc::clone(&hearing));
    user.start().await?;
    let mut traced = Vec::new();
    for at in 0..plan.workflow.transactions.len() {
        user.run_transaction(at).await;
        hearing.borrow_mut().clear();
        let done = |recorder: &Recorder| recorder.transactions[at].real.len();
        let before = done(&recorder.borrow());
        let mut made = 0;
        while made < loops {
            user.run_transaction(at).await;
            made += 1;
            if stop.is_over() {
                break;
            }
        }
        let whole = done(&recorder.borrow()) - before;
        let heard = std::mem::take(&mut *hearing.borrow_mut());
        traced.push(TransactionTrace {
            transaction: plan.workflow.transactions[at].name.clone(),
            loops: made,
            failed: made - whole.min(made),
            calls: call_traces(&plan.labels(), &heard, made),
        });
    }
    Ok(traced)
}

fn call_traces(labels: &[String], heard: &[TracedAnswer], loops: u64) -> Vec<CallTrace> {
    let by = 1.0 / loops.max(1) as f64;
    let mut links: Vec<CallTrace> = Vec::new();
    for one in heard {
        let name = &labels[one.label];
        let at = links.iter().position(|link| link.name == *name).unwrap_or_else(|| {
            links.push(CallTrace { name: name.clone(), ..CallTrace::default() });
            links.len() - 1
        });
        let link = &mut links[at];
        link.times += by;
        link.millis += one.real.as_secs_f64() * 1e3 * by;
        if let Some(told) = &one.trace {
            link.told.get_or_insert_default().add_scaled(told, by);
        }
    }
    links
}

impl TransactionTrace {
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
            let told = Some(ServerTrace { statements: 3.0, ..ServerTrace::default() });
            TracedAnswer { label, real: Duration::from_millis(millis), trace: told }
        };
        let labels = ["GET /a".to_owned(), "GET /b".to_owned()];
        let links = call_traces(
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
