//! Slows down guessing of passwords and PINs, and asking for e-mails about forgotten ones.
//!
//! Attempts are counted by place, which is a user and an address; by address; and by user, over all addresses from which that user never
//! logged in. After a few failures the next check has to wait, each time twice as long, up to a bound. An attempt counts as failed from
//! before the password is checked until it turns out right, so that many attempts at once do not get around the limit. Few attempts are
//! checked at once; the others wait. At a place where a user has logged in before, only failures at that place count: nobody elsewhere can
//! keep the user out.
//!
//! Addresses are kept as keyed hashes.

use std::net::{IpAddr, Ipv6Addr};

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use octavo_engine::{Context, Request};
use octavo_kernel::{Fault, Outcome, Refusal, folio_time, parse_time};
use octavo_pg::{Statement, read_each};
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::sync::SemaphorePermit;
use uuid::Uuid;

use super::queue::Queue;

/// Failures are forgotten when this time has passed without another one.
const FAILURE_MEMORY: SignedDuration = SignedDuration::from_hours(1);
/// After this time without a log-in, a place no longer counts as one where the user has logged in before.
const KNOWN_PLACE_TIME: SignedDuration = SignedDuration::from_hours(180 * 24);

/// How many failures cost no wait, and the longest wait in seconds after further ones.
#[derive(Debug, Clone, Copy)]
struct WaitPolicy {
    free_failures: i64,
    longest_wait_seconds: i64,
}

/// Five failures cost no wait, as many as FOLIO allows before it blocks the user.
const PLACE_POLICY: WaitPolicy = WaitPolicy { free_failures: 5, longest_wait_seconds: 300 };
const ADDRESS_POLICY: WaitPolicy = WaitPolicy { free_failures: 50, longest_wait_seconds: 60 };
const STRANGERS_POLICY: WaitPolicy = WaitPolicy { free_failures: 20, longest_wait_seconds: 60 };

/// How many attempts are under way at once in this process, from before they are counted until their outcome is recorded: fewer than
/// the failures that cost no wait, so that correct passwords that arrive at the same moment are not taken for guesses.
static ATTEMPTS: Queue = Queue::new(PLACE_POLICY.free_failures as usize - 1);

/// The kind of secret whose wrong attempts are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    Password,
    /// The PIN of a patron, at a self-service machine that has a token of its own.
    Pin,
    /// No secret is checked: the request is for an e-mail about a forgotten user name or password.
    Forgotten,
}

/// The failed attempts of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct FailureCount {
    failures: i64,
    last_attempt: Option<Timestamp>,
    logged_in: bool,
}

impl FailureCount {
    fn read(document: &Value) -> FailureCount {
        FailureCount {
            failures: document["failures"].as_i64().unwrap_or(0),
            last_attempt: document["lastAttempt"].as_str().and_then(parse_time),
            logged_in: document["lastSuccess"].is_string(),
        }
    }

    /// Seconds until the next attempt may be made.
    fn wait_seconds(self, patience: WaitPolicy, now: Timestamp) -> i64 {
        let Some(last) = self.last_attempt else { return 0 };
        let passed = now.duration_since(last);
        if passed > FAILURE_MEMORY || self.failures < patience.free_failures {
            return 0;
        }
        let doublings = u32::try_from((self.failures - patience.free_failures).min(16)).unwrap_or(16);
        let wait = (1_i64 << doublings).min(patience.longest_wait_seconds);
        (wait - passed.as_secs()).max(0)
    }
}

/// An attempt before its outcome is known.
#[derive(Debug)]
pub(crate) struct Attempt {
    place: Uuid,
    /// The ids beside the place under which the attempt was counted. There are none for PINs, and none at a place where the user has logged
    /// in before.
    counted_ids: Vec<Uuid>,
    user: Option<Uuid>,
    /// Whether its failure counts for FOLIO's lock-out.
    pub(crate) may_block: bool,
    /// A place in the queue of this process.
    queue_place: Option<SemaphorePermit<'static>>,
}

/// Counts an attempt; 429 with the seconds to wait if there were too many failures. `user` is `None` for a name that no user has.
pub(crate) async fn count_attempt(request: &Request, secret: Secret, user: Option<Uuid>) -> Outcome<Attempt> {
    let under_way = ATTEMPTS.wait_for_place().await?;
    let context = &request.context;
    let who = user.map(|user| user.to_string()).unwrap_or_default();
    let address = client_network(&request.client);
    let keys = context.platform.token_keys.get().await?;
    let id = |user: &str, address: &str| place_id(context, &keys.first, secret, user, address);
    let [place, strangers, address] = [id(&who, &address), id(&who, ""), id("", &address)];
    let mut session = context.session().await?;
    let now = folio_time(context.now);
    let forgotten = folio_time(time_before(context.now, FAILURE_MEMORY));
    let read = session
        .begin(vec![
            // Attempts on the same user, or with unknown names from the same address, wait for each other.
            Statement::new(LOCK).uuid(if user.is_some() { strangers } else { address }),
            Statement::new(READ).uuids(vec![place, strangers, address]).maybe_uuid(user),
            Statement::new(FORGET).text(&forgotten),
        ])
        .await?;
    let ((), counts): ((), Vec<(Uuid, Option<Value>, bool)>) = read_each(&read);
    let count = |id: Uuid| {
        let stored = counts.iter().find(|(of, ..)| *of == id).and_then(|(_, count, _)| count.as_ref());
        stored.map(FailureCount::read).unwrap_or_default()
    };
    let known_elsewhere = counts.iter().any(|(.., known)| *known);
    // An attempt with a name that no user has is counted by the address alone.
    let here = if user.is_some() { count(place) } else { FailureCount::default() };
    let counted = match (here.logged_in, secret) {
        _ if user.is_none() => vec![address],
        (true, _) | (_, Secret::Pin) => Vec::new(),
        (false, _) => vec![strangers, address],
    };
    let wait = |id: &Uuid, patience| count(*id).wait_seconds(patience, context.now);
    let waits =
        counted.iter().map(|id| wait(id, if *id == address { ADDRESS_POLICY } else { STRANGERS_POLICY }));
    let wait = waits.chain([here.wait_seconds(PLACE_POLICY, context.now)]).max().unwrap_or(0);
    if wait > 0 {
        session.rollback().await?;
        return Err(wait_fault(wait));
    }
    let write = |id: Uuid, user: Option<Uuid>| {
        let mut document = json!({"id": id, "failures": 1, "lastAttempt": now});
        if let Some(user) = user {
            document["userId"] = json!(user);
        }
        Statement::new(COUNT).uuid(id).text(document.to_string()).text(&forgotten)
    };
    let mut writes: Vec<Statement> = user.map(|_| write(place, user)).into_iter().collect();
    writes.extend(counted.iter().map(|id| write(*id, None)));
    session.commit(writes).await?;
    let may_block = may_block(here.logged_in, known_elsewhere);
    Ok(Attempt { place, counted_ids: counted, user, may_block, queue_place: Some(under_way) })
}

/// Failures at a place where the user never logged in do not block a user who is known elsewhere.
fn may_block(known_here: bool, known_elsewhere: bool) -> bool {
    known_here || !known_elsewhere
}

impl Attempt {
    /// Gives the place in the queue to other attempts, because another server checks the password. The caller has to bound how many such
    /// checks run.
    pub(crate) fn release_queue_place(&mut self) {
        drop(self.queue_place.take());
    }

    /// The statements that take the counted failure back, because nobody could say whether the password is right.
    pub(crate) fn undo_statements(&self) -> Vec<Statement> {
        // In the order in which attempts lock these rows.
        let counted = self.user.map(|_| self.place).into_iter().chain(self.counted_ids.iter().copied());
        counted.map(|id| Statement::new(GIVE_BACK).uuid(id)).collect()
    }

    /// The statements that record the success after the right password.
    pub(crate) fn success_statements(&self, context: &Context) -> Vec<Statement> {
        let old = folio_time(time_before(context.now, KNOWN_PLACE_TIME));
        let mut statements = vec![Statement::new(SUCCEEDED).uuid(self.place).text(folio_time(context.now))];
        // One by one, so that rows are locked in the order in which attempts lock them.
        statements.extend(self.counted_ids.iter().map(|id| Statement::new(GIVE_BACK).uuid(*id)));
        statements.push(Statement::new(NO_LONGER_KNOWN).maybe_uuid(self.user).text(old));
        statements
    }
}

pub(crate) fn forget_failures(user: Uuid) -> Statement {
    Statement::new(FORGET_FAILURES).uuid(user)
}

fn wait_fault(wait: i64) -> Fault {
    let mut fault = Fault::from(
        Refusal::new(format!("Too many attempts; try again in {wait} seconds"))
            .kind("error")
            .code("password.attempts.wait")
            .about("seconds", wait.to_string()),
    );
    fault.status = 429;
    fault
}

fn time_before(now: Timestamp, duration: SignedDuration) -> Timestamp {
    now.checked_sub(duration).unwrap_or(Timestamp::MIN)
}

/// The address of a client; for IPv6 its network, because one client has all addresses of it.
fn client_network(client: &str) -> String {
    match client.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V6(address)) => {
            let mut network = address.octets();
            network[8..].fill(0);
            Ipv6Addr::from(network).to_string()
        }
        Ok(IpAddr::V4(address)) => address.to_string(),
        Err(_) => client.to_owned(),
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn place_id(context: &Context, key: &[u8], secret: Secret, user: &str, address: &str) -> Uuid {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(format!("{} {secret:?} {user} {address}", context.tenant.id).as_bytes());
    let mut id = [0; 16];
    id.copy_from_slice(&mac.finalize().into_bytes()[..16]);
    uuid::Builder::from_random_bytes(id).into_uuid()
}

const LOCK: &str = "select pg_advisory_xact_lock(hashtextextended($1::uuid::text, 0))::text";
const READ: &str = "\
select id, doc::text,
  \"userId\" = $2 and doc ->> 'lastSuccess' is not null
from auth_places
where id = any($1) or \"userId\" = $2";
/// Deletes places where no user ever logged in and whose last attempt was before `$1`.
const FORGET: &str = "\
delete from auth_places
where id in (
  select id from auth_places
  where \"lastAttempt\" < $1 and doc ->> 'lastSuccess' is null
  limit 100
  for update skip locked
)";
const COUNT: &str = "\
insert into auth_places as p (id, doc) values ($1, $2::text::json)
on conflict (id) do update
set doc = p.doc::jsonb || jsonb_build_object(
  'lastAttempt', excluded.doc -> 'lastAttempt',
  'failures', case when p.\"lastAttempt\" < $3 then 1 else coalesce((p.doc ->> 'failures')::int8, 0) + 1 end)";
const SUCCEEDED: &str = "\
update auth_places
set doc = (doc::jsonb || jsonb_build_object('failures', 0, 'lastSuccess', $2::text)) - 'lastAttempt'
where id = $1";
const GIVE_BACK: &str = "\
update auth_places
set doc = doc::jsonb || jsonb_build_object('failures', greatest((doc ->> 'failures')::int8 - 1, 0))
where id = $1";
const NO_LONGER_KNOWN: &str = "\
delete from auth_places
where \"userId\" = $1 and doc ->> 'lastSuccess' < $2";
const FORGET_FAILURES: &str = "\
update auth_places
set doc = (doc::jsonb || jsonb_build_object('failures', 0)) - 'lastAttempt'
where \"userId\" = $1";

octavo_pg::statements! {
    hot = [LOCK, READ, FORGET, COUNT, SUCCEEDED, GIVE_BACK, NO_LONGER_KNOWN, FORGET_FAILURES],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_are_forgotten() {
        let now: Timestamp = "2026-11-23T12:00:00Z".parse().unwrap();
        let ago = |seconds| now.checked_sub(SignedDuration::from_secs(seconds)).unwrap();
        let wait = |failures, seconds, patience| {
            FailureCount { failures, last_attempt: Some(ago(seconds)), logged_in: false }
                .wait_seconds(patience, now)
        };
        for (failures, seconds, expected) in [
            (4, 0, 0),
            (5, 0, 1),
            (5, 1, 0),
            (6, 0, 2),
            (8, 3, 5),
            (13, 0, 256),
            (14, 0, 300),
            (1_000_000, 0, 300),
            (1_000_000, 299, 1),
            (1_000_000, 3_601, 0),
        ] {
            assert_eq!(
                wait(failures, seconds, PLACE_POLICY),
                expected,
                "{failures} failures, {seconds} s ago"
            );
        }
        assert_eq!((wait(49, 0, ADDRESS_POLICY), wait(70, 0, ADDRESS_POLICY)), (0, 60));
        assert_eq!((wait(19, 0, STRANGERS_POLICY), wait(40, 0, STRANGERS_POLICY)), (0, 60));
        assert_eq!(FailureCount::default().wait_seconds(PLACE_POLICY, now), 0);
    }

    #[test]
    fn a_stranger_blocks_nobody_who_is_known_elsewhere() {
        for (known_here, known_elsewhere, blocks) in
            [(false, false, true), (true, true, true), (true, false, true), (false, true, false)]
        {
            assert_eq!(may_block(known_here, known_elsewhere), blocks, "{known_here} {known_elsewhere}");
        }
    }

    #[test]
    fn an_address_is_a_network_of_ipv6_or_one_of_ipv4() {
        for (client, expected) in [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("192.0.2.7", "192.0.2.7"),
            ("", ""),
        ] {
            assert_eq!(client_network(client), expected);
        }
    }
}
