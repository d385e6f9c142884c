//! Hands events over to the consumers of all tenants: to each in the order of their positions, and at least once. A consumer belongs to
//! one process at a time, which claims it for a while; when that process dies, another goes on from the last position.

mod claim;
mod follow;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use octavo_engine::{FairQueue, Platform, Request, Response, outbox};
use octavo_kernel::{Fault, Outcome};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(crate) use claim::consumer_names;
use follow::{WorkResult, deliver_to_consumer};

/// How often the database is searched for consumers that are due, that a dead process has left claimed, or that are new.
const POLL_INTERVAL: Duration = Duration::from_secs(3);
/// How long this process waits before it tries a consumer again that another process has claimed.
const RETRY_CLAIMED_AFTER: Duration = Duration::from_millis(300);
/// The most consumers that a process works for at the same time. Each of them may wait for a remote server.
const MAX_CONSUMERS_AT_ONCE: usize = 32;

/// A tenant and the name of a consumer.
type Consumer = (String, String);

/// The consumers that this process knows, and what it has to do for them.
#[derive(Default)]
struct Worklist {
    known: BTreeMap<String, BTreeSet<String>>,
    waiting: FairQueue<Consumer>,
    working: BTreeSet<Consumer>,
    /// The consumers whose tenants have got new events since the work for the consumer began.
    run_again: BTreeSet<Consumer>,
    retry_at: BTreeMap<Consumer, Instant>,
}

/// Runs until the future is dropped. Events whose delivery has not been recorded by then are delivered again.
pub async fn run(platform: Platform) {
    let process = (platform.entropy.id)();
    let mut list = Worklist::default();
    let mut work = JoinSet::new();
    let mut round = tokio::time::interval(POLL_INTERVAL);
    loop {
        while let Some(consumer) = list.next() {
            let platform = platform.clone();
            work.spawn(async move {
                let (tenant, name) = &consumer;
                let following = deliver_to_consumer(&platform, tenant, name, process);
                let following = claim::with_renewed_claim(&platform, (tenant, name, process), following);
                // A task of this set that panicked would never be removed from the working list.
                let followed = outbox::catch_panics(following).await;
                let ended = followed.unwrap_or_else(|fault| {
                    tracing::error!(tenant, name, %fault, "events are left for later");
                    WorkResult::UpToDate
                });
                (consumer, ended)
            });
        }
        let soonest = list.retry_at.values().min().copied();
        tokio::select! {
            heard = platform.event_notifier.wait_for_tenants() => list.wake_tenants(&heard),
            _ = round.tick() => match claim::due_consumers(&platform).await {
                Ok(due) => list.add_consumers(due),
                Err(fault) => tracing::warn!(%fault, "consumers of events cannot be looked for"),
            },
            Some(Ok((consumer, ended))) = work.join_next(), if !work.is_empty() => list.finish_work(consumer, &ended),
            () = sleep_until_retry(soonest) => list.wake_due_retries(),
        }
    }
}

async fn sleep_until_retry(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

impl Worklist {
    fn next(&mut self) -> Option<Consumer> {
        if self.working.len() >= MAX_CONSUMERS_AT_ONCE {
            return None;
        }
        let working = &self.working;
        let next = self.waiting.pop_first(|consumer| !working.contains(consumer))?;
        self.working.insert(next.clone());
        Some(next)
    }

    /// Adds the consumers of all tenants. Those without new events are remembered, so that a notification can wake them.
    fn add_consumers(&mut self, due: Vec<(String, String, bool)>) {
        for (tenant, name, is_behind) in due {
            self.known.entry(tenant.clone()).or_default().insert(name.clone());
            if is_behind {
                self.waiting.push((tenant, name));
            }
        }
    }

    fn wake_tenants(&mut self, tenants: &BTreeSet<String>) {
        for tenant in tenants {
            for name in self.known.get(tenant).into_iter().flatten() {
                let consumer = (tenant.clone(), name.clone());
                match self.working.contains(&consumer) {
                    true => drop(self.run_again.insert(consumer)),
                    false => self.waiting.push(consumer),
                }
            }
        }
    }

    fn finish_work(&mut self, consumer: Consumer, ended: &WorkResult) {
        self.working.remove(&consumer);
        let once_more = self.run_again.remove(&consumer);
        match ended {
            WorkResult::NoSuchConsumer => {
                if let Some(names) = self.known.get_mut(&consumer.0) {
                    names.remove(&consumer.1);
                }
            }
            WorkResult::RetryAfter(pause) => {
                self.retry_at.insert(consumer, Instant::now() + *pause);
            }
            WorkResult::ClaimedElsewhere => {
                self.retry_at.insert(consumer, Instant::now() + RETRY_CLAIMED_AFTER);
            }
            WorkResult::UpToDate if once_more => self.waiting.push(consumer),
            WorkResult::UpToDate => {}
        }
    }

    fn wake_due_retries(&mut self) {
        let now = Instant::now();
        let due: Vec<Consumer> = self
            .retry_at
            .iter()
            .filter(|(_, moment)| **moment <= now)
            .map(|(consumer, _)| consumer.clone())
            .collect();
        for consumer in due {
            self.retry_at.remove(&consumer);
            self.waiting.push(consumer);
        }
    }
}

/// Delivers all events that are waiting, once, to every consumer of a tenant.
pub async fn deliver(platform: &Platform, tenant: &str) -> Outcome<()> {
    let process = (platform.entropy.id)();
    for name in claim::consumer_names(platform, tenant).await? {
        deliver_to_consumer(platform, tenant, &name, process).await?;
    }
    Ok(())
}

/// `GET /octavo/event-consumers`: how far each consumer of the tenant has come.
pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let consumers = claim::load_consumers_json(&mut session, request.context.tenant.id.as_str()).await?;
    Ok(Response::json(200, &json!({"totalRecords": consumers.len(), "eventConsumers": consumers})))
}

/// `POST /octavo/event-consumers/{name}/retry`: delivers the consumer's next events at once, without the pause after a failure.
pub(crate) async fn retry(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let hurry = claim::make_due_statement(context.tenant.id.as_str(), request.path_parameter(0));
    if session.rows(hurry).await?.is_empty() {
        return Err(Fault::not_found_with("Not found"));
    }
    context.platform.event_notifier.notify(&context.tenant.id);
    Ok(Response::no_content())
}

octavo_pg::statements!(within = [claim]);

#[cfg(test)]
mod tests {
    use super::*;

    fn consumer(name: &str) -> Consumer {
        ("library".to_owned(), name.to_owned())
    }

    #[test]
    fn a_consumer_that_has_everything_waits_for_the_bell() {
        let mut list = Worklist::default();
        list.add_consumers(vec![("library".to_owned(), "a".to_owned(), false)]);
        assert_eq!(list.next(), None);
        list.wake_tenants(&BTreeSet::from(["library".to_owned()]));
        assert_eq!(list.next(), Some(consumer("a")));
    }

    #[test]
    fn what_comes_while_a_consumer_is_worked_for_is_seen_after_it() {
        let mut list = Worklist::default();
        let notified = BTreeSet::from(["library".to_owned(), "other".to_owned()]);
        list.wake_tenants(&notified);
        assert_eq!(list.next(), None, "nobody is known");
        list.add_consumers(vec![("library".to_owned(), "a".to_owned(), true)]);
        assert_eq!(list.next(), Some(consumer("a")));
        list.wake_tenants(&notified);
        assert_eq!(list.next(), None, "one worker for each consumer");
        list.finish_work(consumer("a"), &WorkResult::UpToDate);
        assert_eq!(list.next(), Some(consumer("a")), "its tenant was woken meanwhile");
        list.finish_work(consumer("a"), &WorkResult::UpToDate);
        assert_eq!(list.next(), None);
        list.wake_tenants(&notified);
        assert_eq!(list.next(), Some(consumer("a")));
        list.finish_work(consumer("a"), &WorkResult::NoSuchConsumer);
        list.wake_tenants(&notified);
        assert_eq!(list.next(), None, "it is there no longer");
    }
}
