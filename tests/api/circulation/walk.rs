//! Several clients at once do whatever comes to their minds to a few items. Whatever they were told, the library is in order
//! afterwards, as the database sees it.

mod client;
mod facts;
mod order;
mod servers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use octavo_testkit::reference::{ALLOW_ALL, LOST_ITEM_FEE, OVERDUE_FINE, SEND_NO_NOTICES};
use octavo_testkit::{Library, Reply, fresh_id};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use self::client::{Client, NEVER_REFUSED};
use self::facts::{Facts, install_witness, set_limits};
use self::order::{count_checks, disorder};
use self::servers::Servers;
use super::requests::instance_of;
use super::timers::Branch;

/// The number of clients in a short walk.
const CLIENTS: u64 = 4;
const MANY_CLIENTS: u64 = 8;

async fn branch() -> Branch {
    let branch = Branch::open().await;
    let path = format!("/lost-item-fees-policies/{LOST_ITEM_FEE}");
    let mut policy = branch.get(&path).await.expect(200).json();
    policy["chargeAmountItem"] = json!({"chargeType": "anotherCost", "amount": 10.0});
    policy["lostItemProcessingFee"] = json!(5.0);
    policy["chargeAmountItemPatron"] = json!(true);
    policy["returnedLostItemProcessingFee"] = json!(true);
    policy["itemAgedLostOverdue"] = json!({"duration": 1, "intervalId": "Minutes"});
    policy["patronBilledAfterAgedLost"] = json!({"duration": 1, "intervalId": "Weeks"});
    branch.put(&path, &policy).await.expect(204);
    branch.charge_overdue_fines(0.5, "day", false).await;
    set_limits(&branch).await;
    branch
}

/// Rules that give this loan policy to all.
fn rules(policy: &str) -> Value {
    let policies = format!("l {policy} r {ALLOW_ALL} n {SEND_NO_NOTICES} o {OVERDUE_FINE} i {LOST_ITEM_FEE}");
    json!({"rulesAsText": format!("priority: t, s, c, b, a, m, g\nfallback-policy: {policies}")})
}

/// A second loan policy beside that of the branch, both noted as they are at the beginning.
async fn create_second_policy(branch: &Branch, facts: &Facts) -> [String; 2] {
    let first = branch.loan_policy.to_string();
    let mut policy =
        branch.get(&format!("/loan-policy-storage/loan-policies/{first}")).await.expect(200).json();
    let second = fresh_id().to_string();
    policy["id"] = json!(second);
    policy["name"] = json!("Another");
    branch.post("/loan-policy-storage/loan-policies", &policy).await.expect(201);
    let span = facts.end(facts.begin());
    facts.note_change("the rules", span, &first);
    facts.note_change(&first, span, "loanable");
    facts.note_change(&second, span, "loanable");
    [first, second]
}

/// What clients did: by command, how often it was carried out, and how often it was refused for which reason.
#[derive(Default)]
struct Tally {
    commands: BTreeMap<&'static str, (usize, BTreeMap<String, usize>)>,
}

impl Tally {
    fn note(&mut self, command: &'static str, reply: &Reply) {
        let (done, refused) = self.commands.entry(command).or_default();
        match reply.status {
            200..300 => *done += 1,
            _ => *refused.entry(reason(reply)).or_default() += 1,
        }
    }

    fn add(&mut self, other: Tally) {
        for (command, (done, refused)) in other.commands {
            let mine = self.commands.entry(command).or_default();
            mine.0 += done;
            for (reason, times) in refused {
                *mine.1.entry(reason).or_default() += times;
            }
        }
    }

    fn done(&self) -> usize {
        self.commands.values().map(|(done, _)| done).sum()
    }

    fn refused(&self) -> usize {
        self.commands.values().flat_map(|(_, refused)| refused.values()).sum()
    }

    fn to_text(&self) -> String {
        let mut lines = String::new();
        for (command, (done, refused)) in &self.commands {
            let times: usize = refused.values().sum();
            lines.push_str(&format!("{command}: {done} carried out, {times} refused\n"));
            let mut reasons: Vec<_> = refused.iter().collect();
            reasons.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
            reasons.iter().for_each(|(reason, times)| lines.push_str(&format!("    {times} {reason}\n")));
        }
        lines
    }
}

/// The first reason for a refusal, without what differs from one time to the next.
fn reason(reply: &Reply) -> String {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let message = [&body["errors"][0]["message"], &body["errorMessage"]].into_iter().find_map(Value::as_str);
    let message = message.map_or_else(|| reply.text(), str::to_owned);
    let plain = |word: &str| {
        if word.contains(|c: char| c.is_ascii_digit()) { "…".to_owned() } else { word.to_owned() }
    };
    let words: Vec<String> = message.split_whitespace().map(plain).collect();
    format!("{} {}", reply.status, words.join(" "))
}

/// Lets each client send so many commands while overdue items age to lost; then checks the library.
async fn round(library: &Library, clients: &mut Vec<Client>, commands: usize) -> Tally {
    let (library, done) = (library.clone(), Arc::<AtomicBool>::default());
    let over = Arc::clone(&done);
    let ageing = tokio::spawn(async move {
        while !over.load(Ordering::Relaxed) {
            library.run_job("/circulation/scheduled-age-to-lost").await;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let mut walking = JoinSet::new();
    for mut client in clients.drain(..) {
        walking.spawn(async move {
            let mut tally = Tally::default();
            for _ in 0..commands {
                let (command, reply) = client.do_something().await;
                assert!(reply.status < 500, "{reply}");
                tally.note(command, &reply);
            }
            (client, tally)
        });
    }
    let mut tally = Tally::default();
    for (client, did) in walking.join_all().await {
        clients.push(client);
        tally.add(did);
    }
    done.store(true, Ordering::Relaxed);
    ageing.await.expect("the job runs");
    tally
}

async fn walk(
    (clients, programs): (u64, Option<String>),
    rounds: usize,
    commands: usize,
    tell: impl Fn(usize, &Tally),
) -> Tally {
    let branch = branch().await;
    let (items, mut patrons) = (branch.items(5).await, Vec::new());
    for _ in 0..3 {
        patrons.push(branch.patron().await);
    }
    let instance = instance_of(&branch, &items[0]).await;
    let servers = Servers::start(programs).await;
    let facts = Arc::<Facts>::default();
    let (policies, group) =
        (create_second_policy(&branch, &facts).await, install_witness(&branch.library).await);
    let path = format!("/loan-policy-storage/loan-policies/{}", branch.loan_policy);
    let lending = branch.get(&path).await.expect(200).json()["loansPolicy"].take();
    let client = |whim: u64| Client {
        desk: servers.desk(&branch.desk, usize::try_from(whim).unwrap()),
        items: items.clone(),
        patrons: patrons.clone(),
        instance: instance.clone(),
        policies: policies.clone(),
        lending: lending.clone(),
        group: group.clone(),
        facts: Arc::clone(&facts),
        random_state: whim,
    };
    let mut clients: Vec<Client> = (0..clients).map(client).collect();
    let (mut tally, tolerated) = (Tally::default(), tolerated_faults());
    for number in 1..=rounds {
        tally.add(round(&branch.library, &mut clients, commands).await);
        let mut disorder = disorder(&branch.library).await;
        disorder.retain(|wrong| !tolerated.iter().any(|known| known == wrong));
        assert_eq!(disorder, [""; 0], "after round {number}\n{}", tally.to_text());
        assert_eq!(facts.stale_uses(), [""; 0], "after round {number}");
        tell(number, &tally);
    }
    tally
}

#[tokio::test]
async fn whatever_several_clients_do_the_library_is_in_order() {
    let tally = walk((CLIENTS, None), 2, 40, |_, _| {}).await;
    assert!(tally.done() > 40, "{}", tally.to_text());
}

/// `docs/testing.md` says how.
#[tokio::test]
#[ignore = "100,000 commands take long"]
async fn whatever_several_clients_do_for_long_the_library_is_in_order() {
    let started = started();
    let rounds = rounds();
    let tell = |round: usize, tally: &Tally| {
        let (done, refused, took) = (tally.done(), tally.refused(), started.elapsed());
        let rate = (done + refused) as f64 / took.as_secs_f64().max(1.0);
        eprintln!(
            "{round} of {rounds}: {} commands, {rate:.0} a second; {done} carried out, {refused} refused",
            done + refused
        );
    };
    let tally = walk((MANY_CLIENTS, programs()), rounds, 1_000 / MANY_CLIENTS as usize, tell).await;
    let took = Duration::from_secs(started.elapsed().as_secs());
    let (held, overlooked) = (count_checks() + 1 - tolerated_faults().len(), tolerated_faults());
    eprintln!(
        "{}{held} invariants held {rounds} times, {took:?}; overlooked: {overlooked:?}",
        tally.to_text()
    );
    for (command, (done, refused)) in &tally.commands {
        let may_be_refused = !NEVER_REFUSED.contains(command);
        assert!(*done > 0 && refused.is_empty() != may_be_refused, "{command} was always refused, or never");
    }
}

#[expect(clippy::disallowed_methods, reason = "no setting of Octavo: which programs a walk goes through")]
fn programs() -> Option<String> {
    std::env::var("OCTAVO_WALK_PROGRAMS").ok()
}

/// What a release in the walk is known to do wrong.
#[expect(
    clippy::disallowed_methods,
    reason = "no setting of Octavo: what a walk of an older release overlooks"
)]
fn tolerated_faults() -> Vec<String> {
    let known = std::env::var("OCTAVO_WALK_TOLERATES").unwrap_or_default();
    known.split(';').filter(|wrong| !wrong.is_empty()).map(str::to_owned).collect()
}

/// Of a thousand commands each.
#[expect(clippy::disallowed_methods, reason = "no setting of Octavo: how long a walk is to be")]
fn rounds() -> usize {
    std::env::var("OCTAVO_WALK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(100)
}

#[expect(clippy::disallowed_methods, reason = "tells how long a walk takes")]
fn started() -> Instant {
    Instant::now()
}
