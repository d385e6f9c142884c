//! Hands events over to the consumers of all tenants: to each in the order of their positions, and at least once. A consumer belongs to
//! one process at a time, which claims it for a while; when that process dies, another goes on from the last position.

mod claim;
mod follow;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use octavo_engine::{Platform, Request, Response, Turns, outbox};
use octavo_kernel::{Fault, Outcome};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

pub(crate) use claim::names;
use follow::{Ended, follow};

/// How often consumers are looked for that became due, that were left by a process that died, or that are new.
const ROUND: Duration = Duration::from_secs(3);
/// When a consumer is tried again that another process has.
const AGAIN: Duration = Duration::from_millis(300);
/// Consumers that are worked for at once; each may wait for a server of its own.
const AT_ONCE: usize = 32;

/// A tenant and the name of a consumer.
type Consumer = (String, String);

/// Which consumers there are, and what is to be done for them.
#[derive(Default)]
struct Worklist {
    known: BTreeMap<String, BTreeSet<String>>,
    waiting: Turns<Consumer>,
    working: BTreeSet<Consumer>,
    /// Those whose tenant has new events since the work for them began.
    once_more: BTreeSet<Consumer>,
    later: BTreeMap<Consumer, Instant>,
}

/// Runs until it is dropped. What is on its way then is handed over again.
pub async fn run(platform: Platform) {
    let process = (platform.entropy.id)();
    let mut list = Worklist::default();
    let mut work = JoinSet::new();
    let mut round = tokio::time::interval(ROUND);
    loop {
        while let Some(consumer) = list.next() {
            let platform = platform.clone();
            work.spawn(async move {
                let (tenant, name) = &consumer;
                let following = outbox::guarded(follow(&platform, tenant, name, process));
                let followed = claim::kept(&platform, (tenant, name, process), following).await;
                let ended = followed.unwrap_or_else(|fault| {
                    tracing::error!(tenant, name, %fault, "events are left for later");
                    Ended::Done
                });
                (consumer, ended)
            });
        }
        let soonest = list.later.values().min().copied();
        tokio::select! {
            heard = platform.event_bell.heard() => list.rung(&heard),
            _ = round.tick() => match claim::due(&platform).await {
                Ok(due) => list.found(due),
                Err(fault) => tracing::warn!(%fault, "consumers of events cannot be looked for"),
            },
            Some(Ok((consumer, ended))) = work.join_next(), if !work.is_empty() => list.ended(consumer, &ended),
            () = until(soonest) => list.wake(),
        }
    }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

impl Worklist {
    fn next(&mut self) -> Option<Consumer> {
        if self.working.len() >= AT_ONCE {
            return None;
        }
        let working = &self.working;
        let next = self.waiting.next(|consumer| !working.contains(consumer))?;
        self.working.insert(next.clone());
        Some(next)
    }

    /// Consumers for which there is nothing to do are known all the same: the bell wakes them.
    fn found(&mut self, due: Vec<(String, String, bool)>) {
        for (tenant, name, is_behind) in due {
            self.known.entry(tenant.clone()).or_default().insert(name.clone());
            if is_behind {
                self.waiting.wait((tenant, name));
            }
        }
    }

    fn rung(&mut self, tenants: &BTreeSet<String>) {
        for tenant in tenants {
            for name in self.known.get(tenant).into_iter().flatten() {
                let consumer = (tenant.clone(), name.clone());
                match self.working.contains(&consumer) {
                    true => drop(self.once_more.insert(consumer)),
                    false => self.waiting.wait(consumer),
                }
            }
        }
    }

    fn ended(&mut self, consumer: Consumer, ended: &Ended) {
        self.working.remove(&consumer);
        let once_more = self.once_more.remove(&consumer);
        match ended {
            Ended::Gone => {
                if let Some(names) = self.known.get_mut(&consumer.0) {
                    names.remove(&consumer.1);
                }
            }
            Ended::Later(pause) => drop(self.later.insert(consumer, Instant::now() + *pause)),
            Ended::Elsewhere => drop(self.later.insert(consumer, Instant::now() + AGAIN)),
            Ended::Done if once_more => self.waiting.wait(consumer),
            Ended::Done => {}
        }
    }

    fn wake(&mut self) {
        let now = Instant::now();
        let due: Vec<Consumer> = self
            .later
            .iter()
            .filter(|(_, moment)| **moment <= now)
            .map(|(consumer, _)| consumer.clone())
            .collect();
        for consumer in due {
            self.later.remove(&consumer);
            self.waiting.wait(consumer);
        }
    }
}

/// Hands over what there is to every consumer of a tenant, once.
pub async fn deliver(platform: &Platform, tenant: &str) -> Outcome<()> {
    let process = (platform.entropy.id)();
    for name in claim::names(platform, tenant).await? {
        follow(platform, tenant, &name, process).await?;
    }
    Ok(())
}

/// `GET /octavo/event-consumers`: how far each consumer of the tenant has come.
pub(crate) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let consumers = claim::told(&mut session, request.context.tenant.id.as_str()).await?;
    Ok(Response::json(200, &json!({"totalRecords": consumers.len(), "eventConsumers": consumers})))
}

/// `POST /octavo/event-consumers/{name}/retry`: offers the next events at once.
pub(crate) async fn retry(request: Request) -> Outcome<Response> {
    let context = &request.context;
    let mut session = context.session().await?;
    let hurry = claim::hurry(context.tenant.id.as_str(), request.parameter(0));
    if session.rows(hurry).await?.is_empty() {
        return Err(Fault::missing("Not found"));
    }
    context.platform.event_bell.ring(&context.tenant.id);
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
        list.found(vec![("library".to_owned(), "a".to_owned(), false)]);
        assert_eq!(list.next(), None);
        list.rung(&BTreeSet::from(["library".to_owned()]));
        assert_eq!(list.next(), Some(consumer("a")));
    }

    #[test]
    fn what_comes_while_a_consumer_is_worked_for_is_seen_after_it() {
        let mut list = Worklist::default();
        let rung = BTreeSet::from(["library".to_owned(), "other".to_owned()]);
        list.rung(&rung);
        assert_eq!(list.next(), None, "nobody is known");
        list.found(vec![("library".to_owned(), "a".to_owned(), true)]);
        assert_eq!(list.next(), Some(consumer("a")));
        list.rung(&rung);
        assert_eq!(list.next(), None, "one worker for each consumer");
        list.ended(consumer("a"), &Ended::Done);
        assert_eq!(list.next(), Some(consumer("a")), "the bell has rung meanwhile");
        list.ended(consumer("a"), &Ended::Done);
        assert_eq!(list.next(), None);
        list.rung(&rung);
        assert_eq!(list.next(), Some(consumer("a")));
        list.ended(consumer("a"), &Ended::Gone);
        list.rung(&rung);
        assert_eq!(list.next(), None, "it is there no longer");
    }
}
