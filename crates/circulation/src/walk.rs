//! A random walk: thousands of commands over a small library that lives in memory, one plan after the other applied to it.
//! After every command the library is in order, a refused command has changed nothing, and now and then a command is
//! undone at once, which leaves the library as it was.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use octavo_kernel::{Outcome, Permissions};
use serde_json::{Value, json};

use crate::command::{
    ChangeDueDate, CheckIn, CheckOut, ClaimReturned, DeclareLost, MarkMissing, Renew, RenewByBarcode,
};
use crate::desk::{facts, patron, policies, three_weeks};
use crate::document::{remove, set};
use crate::facts::{Account, Charging, Facts, FeeFineAction, Loan, LostFees};
use crate::fees::{self, Details, FeeFacts, NamedAccounts, Settlement};
use crate::plan::{Plan, RecordKind, Write};
use crate::remembered::{StoredDecision, remember, remember_by_clock};
use crate::undo::{UndoFacts, undo};
use crate::{Money, Undecided};

const PATRONS: usize = 4;
const ITEMS: usize = 6;

type Records = BTreeMap<(RecordKind, String), Value>;

/// A small library. The seed is all that tells two walks apart.
#[derive(Clone)]
struct Library {
    seed: u64,
    now: Timestamp,
    ids: usize,
    base: Facts,
    records: Records,
    /// Commands that were carried out, by name.
    done: BTreeMap<&'static str, usize>,
}

/// An item without the members that circulation changes. By these alone no item is searched or harvested, so triggers that care for
/// searches and harvests are spared its changes.
fn without_whereabouts(item: &Value) -> Value {
    let mut item = item.clone();
    for member in ["status", "lastCheckIn", "inTransitDestinationServicePointId", "metadata"] {
        remove(&mut item, member);
    }
    item
}

impl Library {
    fn open(seed: u64) -> Library {
        let mut base = facts();
        base.permissions = Permissions::all();
        base.staff = Some(patron("clerk", "1"));
        let rules = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost";
        let mut policies = policies(rules, three_weeks());
        let fine = json!({"id": "fine", "countClosed": true, "forgiveOverdueFine": false, "maxOverdueFine": 10,
            "overdueFine": {"quantity": 0.35, "intervalId": "day"}});
        let lost = json!({"id": "lost", "chargeAmountItem": {"chargeType": "anotherCost", "amount": 12.5},
            "lostItemProcessingFee": 2.25, "chargeAmountItemPatron": true, "chargeAmountItemSystem": true,
            "returnedLostItemProcessingFee": true, "lostItemReturned": "Charge",
            "feesFinesShallRefunded": {"duration": 6, "intervalId": "Weeks"},
            "itemAgedLostOverdue": {"duration": 2, "intervalId": "Weeks"},
            "patronBilledAfterAgedLost": {"duration": 2, "intervalId": "Days"}});
        policies.overdue_fine.insert("fine".into(), serde_json::from_value(fine).unwrap());
        policies.lost_item.insert("lost".into(), serde_json::from_value(lost).unwrap());
        base.policies = policies.into();
        let kinds = ["Overdue fine", "Lost item fee", "Lost item processing fee"]
            .map(|name| json!({"id": name, "feeFineType": name, "automatic": true}));
        let owner = json!({"id": "owner", "owner": "Main", "servicePointOwner": [{"value": "desk-1"}]});
        base.charging = Charging::read(kinds.iter(), [owner].iter()).into();
        let mut records = Records::new();
        for at in 0..ITEMS {
            let mut item = base.item.clone().unwrap().record;
            set(&mut item, "id", format!("item-{at}"));
            set(&mut item, "barcode", format!("i{at}"));
            records.insert((RecordKind::Item, format!("item-{at}")), Value::clone(&item));
        }
        Library { seed, now: base.now, ids: 0, base, records, done: BTreeMap::new() }
    }

    /// Below the limit.
    fn random_below(&mut self, limit: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.seed >> 33).unwrap() % limit
    }

    fn fresh_id(&mut self) -> String {
        self.ids += 1;
        format!("id-{:07}", self.ids)
    }

    fn records_of_kind(&self, kind: RecordKind) -> impl Iterator<Item = &Value> {
        self.records.iter().filter(move |((record, _), _)| *record == kind).map(|(_, document)| document)
    }

    fn open_loan(&self, item: &str) -> Option<Loan> {
        let open = |loan: &&Value| loan["itemId"] == item && loan["status"]["name"] == "Open";
        self.records_of_kind(RecordKind::Loan).find(open).map(|record| Loan { record: record.clone().into() })
    }

    fn last_loan(&self, item: &str) -> Option<Loan> {
        let of_item = self.records_of_kind(RecordKind::Loan).filter(|loan| loan["itemId"] == item);
        of_item.last().map(|record| Loan { record: record.clone().into() })
    }

    fn fees_of(&self, loan: &str) -> (Vec<Account>, Vec<FeeFineAction>) {
        let accounts = self.records_of_kind(RecordKind::Account).filter(|account| account["loanId"] == loan);
        let accounts: Vec<Account> = accounts.map(|record| Account { record: record.clone() }).collect();
        let of_account =
            |action: &&Value| accounts.iter().any(|account| action["accountId"] == account.record["id"]);
        let actions = self.records_of_kind(RecordKind::FeeFineAction).filter(of_account);
        let actions = actions.map(|record| FeeFineAction { record: record.clone() }).collect();
        (accounts, actions)
    }

    fn facts(&mut self, item: usize, borrower: usize) -> Facts {
        let mut facts = self.base.clone();
        facts.now = self.now;
        let id = format!("item-{item}");
        let record = self.records[&(RecordKind::Item, id.clone())].clone();
        if let Some(item) = &mut facts.item {
            item.record = record.into();
            item.permanent_location = item.location.clone();
        }
        let open = self.open_loan(&id);
        let user = open
            .as_ref()
            .and_then(|loan| loan.user_id())
            .map_or_else(|| format!("p{borrower}"), str::to_owned);
        facts.patron = Some(patron(&user, &user));
        facts.open_loans_of_item = open.clone().into_iter().collect();
        facts.loan = open.clone();
        let concerned = open.or_else(|| self.last_loan(&id));
        let (accounts, actions) = concerned.as_ref().map(|loan| self.fees_of(loan.id())).unwrap_or_default();
        let count = 2 * (accounts.len() + actions.len());
        let fresh_ids = (0..count).map(|_| self.fresh_id()).collect();
        facts.lost = LostFees { loan: concerned, accounts, actions, actual_costs: Vec::new(), fresh_ids };
        for id in [
            &mut facts.fresh_ids.loan,
            &mut facts.fresh_ids.check_in,
            &mut facts.fresh_ids.session,
            &mut facts.fresh_ids.account,
            &mut facts.fresh_ids.fee_fine_action,
            &mut facts.fresh_ids.second_account,
            &mut facts.fresh_ids.second_fee_fine_action,
            &mut facts.fresh_ids.note,
            &mut facts.fresh_ids.decision,
        ] {
            *id = self.fresh_id();
        }
        facts
    }

    fn apply(&mut self, plan: &Plan) {
        for write in &plan.writes {
            match write {
                Write::Insert { record, id, document } => {
                    let before = self.records.insert((*record, id.clone()), Value::clone(document));
                    assert_eq!(before, None, "{record:?} {id} is made twice");
                }
                Write::Remember { id, text, .. } => {
                    let document = serde_json::from_str(text).unwrap();
                    let before = self.records.insert((RecordKind::Decision, id.clone()), document);
                    assert_eq!(before, None, "decision {id} is made twice");
                }
                Write::Update { record, id, document } => {
                    let before = self.records.insert((*record, id.clone()), Value::clone(document));
                    let Some(before) = before else {
                        panic!("{record:?} {id} is changed and was never made")
                    };
                    if *record == RecordKind::Item {
                        assert_eq!(without_whereabouts(&before), without_whereabouts(document), "item {id}");
                    }
                }
                Write::Delete { record, id } => {
                    assert!(
                        self.records.remove(&(*record, id.clone())).is_some(),
                        "{record:?} {id} is not there"
                    );
                }
                Write::Places(_) => {}
            }
        }
    }

    fn step(&mut self) {
        let minutes = i64::try_from(self.random_below(60 * 40)).unwrap();
        self.now += SignedDuration::from_mins(minutes);
        match self.random_below(20) {
            0..4 => self.settle(),
            4 => self.undo_last(),
            what => self.at_the_desk(what),
        }
    }

    fn at_the_desk(&mut self, what: usize) {
        let (item, borrower) = (self.random_below(ITEMS), self.random_below(PATRONS));
        let before = self.records.clone();
        let Some((name, decision)) = self.carry_out(what, item, borrower) else { return };
        if self.random_below(10) == 0
            && let Some(kept) = self.records.get(&(RecordKind::Decision, decision))
            && kept["byClock"] != true
        {
            let loan = kept["loanId"].as_str().unwrap().to_owned();
            self.undo(&loan).unwrap();
            assert_eq!(
                without_bookkeeping(&self.records),
                without_bookkeeping(&before),
                "{name} is not undone"
            );
        }
    }

    /// Carries a command out. Returns the command's name and the id of the stored decision, or `None` if the command was refused.
    fn carry_out(&mut self, what: usize, item: usize, borrower: usize) -> Option<(&'static str, String)> {
        let facts = self.facts(item, borrower);
        let loan = facts.loan.as_ref().map(|loan| loan.id().to_owned()).unwrap_or_default();
        let (name, decided): (&'static str, Result<Plan, Undecided>) = match what {
            5..8 => {
                let body = json!({"itemBarcode": format!("i{item}"), "userBarcode": format!("p{borrower}"), "servicePointId": "desk-1"});
                let command: CheckOut = serde_json::from_value(body).unwrap();
                ("check-out", crate::check_out(&facts, &command))
            }
            8..11 => {
                let body = json!({"itemBarcode": format!("i{item}"), "servicePointId": "desk-1",
                    "checkInDate": self.now.to_string(), "claimedReturnedResolution": "Returned by patron"});
                let command: CheckIn = serde_json::from_value(body).unwrap();
                ("check-in", crate::check_in(&facts, &command))
            }
            11 | 12 => {
                let user = facts.patron.as_ref().map(|patron| patron.id().to_owned());
                let mut body = json!({"itemBarcode": format!("i{item}"), "userBarcode": user});
                if what == 12 {
                    let due = (self.now + SignedDuration::from_hours(24 * 30)).to_string();
                    body["overrideBlocks"] =
                        json!({"comment": "c", "renewalDueDateRequiredBlock": {"dueDate": due}});
                }
                let command: RenewByBarcode = serde_json::from_value(body).unwrap();
                ("renewal", crate::renew(&facts, &Renew::ByBarcode(command)).map_err(Undecided::from))
            }
            13 => {
                let command =
                    DeclareLost { service_point_id: Some("desk-1".into()), ..DeclareLost::default() };
                ("declaration of loss", crate::declare_lost(&facts, &loan, &command).map_err(Undecided::from))
            }
            14 => {
                let at = Some(self.now.to_string());
                let command = ClaimReturned { item_claimed_returned_date_time: at, comment: None };
                ("claim", crate::claim_returned(&facts, &loan, &command).map_err(Undecided::from))
            }
            15 => {
                let command = MarkMissing { comment: Some("c".into()) };
                (
                    "declaration as missing",
                    crate::mark_missing(&facts, &loan, &command).map_err(Undecided::from),
                )
            }
            16 => {
                let due = (self.now + SignedDuration::from_hours(24 * 7)).to_string();
                let command = ChangeDueDate { due_date: Some(due) };
                (
                    "change of the due date",
                    crate::change_due_date(&facts, &loan, &command).map_err(Undecided::from),
                )
            }
            17 => ("ageing", Ok(crate::age_to_lost(&facts).unwrap_or_default())),
            _ => {
                ("billing", crate::bill_aged(&facts).map(Option::unwrap_or_default).map_err(Undecided::from))
            }
        };
        let mut plan = decided.ok().filter(|plan| !plan.writes.is_empty())?;
        *self.done.entry(name).or_default() += 1;
        match name {
            "ageing" | "billing" => remember_by_clock(&facts, name, &mut plan),
            _ => remember(&facts, name, &mut plan),
        }
        self.apply(&plan);
        Some((name, facts.fresh_ids.decision))
    }

    /// Something is paid, waived, transferred, refunded or cancelled; a lost item that is paid ends its loan.
    fn settle(&mut self) {
        let accounts: Vec<Value> = self.records_of_kind(RecordKind::Account).cloned().collect();
        if accounts.is_empty() {
            return;
        }
        let at = self.random_below(accounts.len());
        let record = accounts[at].clone();
        let id = record["id"].as_str().unwrap().to_owned();
        let actions = self
            .records_of_kind(RecordKind::FeeFineAction)
            .filter(|action| action["accountId"] == id.as_str());
        let actions: Vec<FeeFineAction> =
            actions.map(|record| FeeFineAction { record: record.clone() }).collect();
        let fresh_ids = (0..2 + 2 * actions.len()).map(|_| self.fresh_id()).collect();
        let money = FeeFacts {
            now: self.now,
            acting_user_id: None,
            accounts: vec![Account { record: record.clone() }],
            actions,
            fresh_ids,
        };
        let owed = money.accounts[0].remaining();
        let cents = i64::try_from(self.random_below(900)).unwrap() + 1;
        let amount =
            if self.random_below(2) == 0 && owed.is_positive() { owed } else { Money::from_cents(cents) };
        let named = NamedAccounts::One(id.clone());
        let details = Details { payment_method: Some("Bursar".into()), ..Details::default() };
        let amount = fees::Amount { accounts: named.clone(), text: amount.to_string() };
        let command = Settlement { amount, details: details.clone() };
        let (name, decided) = match self.random_below(9) {
            0..3 => ("pay", fees::pay(&money, &command)),
            3 | 4 => ("waive", fees::waive(&money, &command)),
            5 | 6 => ("transfer", fees::transfer(&money, &command)),
            7 => ("refund", fees::refund(&money, &command)),
            _ => (
                "cancel",
                fees::cancel(&money, &fees::Cancellation { accounts: named, reason: None, details }),
            ),
        };
        let Ok(plan) = decided else { return };
        *self.done.entry(name).or_default() += 1;
        let item = record["itemId"].as_str().unwrap_or_default();
        let at = item.strip_prefix("item-").and_then(|at| at.parse().ok()).unwrap();
        let facts = self.facts(at, 0);
        self.apply(&plan);
        if facts.loan.as_ref().is_some_and(|loan| record["loanId"] == loan.id())
            && let Some(end) = crate::close_paid(&facts, &plan)
        {
            *self.done.entry("end of a lost item's loan").or_default() += 1;
            self.apply(&end);
        }
    }

    fn undo_last(&mut self) {
        let loans: Vec<String> = self
            .records_of_kind(RecordKind::Loan)
            .filter_map(|loan| Some(loan["id"].as_str()?.to_owned()))
            .collect();
        if !loans.is_empty() {
            let loan = loans[self.random_below(loans.len())].clone();
            if self.undo(&loan).is_ok() {
                *self.done.entry("undoing").or_default() += 1;
            }
        }
    }

    fn undo(&mut self, loan: &str) -> Outcome<()> {
        let of_loan = |kept: &StoredDecision| kept.loan_id == loan && !kept.undone;
        let kept = self
            .records_of_kind(RecordKind::Decision)
            .filter_map(|kept| serde_json::from_value(kept.clone()).ok());
        let decision = kept.filter(of_loan).max_by_key(|kept| (kept.at.clone(), kept.id.clone()));
        let (accounts, _) = self.fees_of(loan);
        let facts = UndoFacts {
            now: self.now,
            acting_user_id: None,
            decision,
            records: self.records.iter().map(|((kind, _), document)| (*kind, document.clone())).collect(),
            queue_lengths: Vec::new(),
            fees: accounts.iter().map(|account| account.id().to_owned()).collect(),
        };
        let plan = undo(&facts)?;
        self.apply(&plan);
        Ok(())
    }

    fn is_in_order(&self) {
        for item in self.records_of_kind(RecordKind::Item) {
            let id = item["id"].as_str().unwrap();
            let open = |loan: &&Value| loan["itemId"] == id && loan["status"]["name"] == "Open";
            let open: Vec<&Value> = self.records_of_kind(RecordKind::Loan).filter(open).collect();
            assert!(open.len() <= 1, "{id} is lent twice");
            let status = item["status"]["name"].as_str().unwrap();
            let out = ["Checked out", "Declared lost", "Aged to lost", "Claimed returned"].contains(&status);
            assert_eq!(out, open.len() == 1, "{id} is {status}");
            for loan in open {
                assert_eq!(loan["itemStatus"], status, "{loan:#}");
            }
        }
        for account in self.records_of_kind(RecordKind::Account) {
            let account = Account { record: account.clone() };
            let actions = self.records_of_kind(RecordKind::FeeFineAction);
            let of_account = actions.filter(|action| action["accountId"] == account.id());
            let mut balance = Money::read(&account.record["amount"]).unwrap();
            let mut of_account: Vec<&Value> = of_account.collect();
            of_account.sort_by_key(|action| (action["dateAction"].to_string(), action["id"].to_string()));
            for action in of_account {
                let amount = Money::read(&action["amountAction"]).unwrap();
                match action["typeAction"].as_str().unwrap().split(' ').next() {
                    Some("Paid" | "Waived" | "Transferred") => balance = balance - amount,
                    Some("Refunded") => balance = balance + amount,
                    Some("Cancelled") => balance = Money::ZERO,
                    _ => {}
                }
            }
            assert_eq!(balance, account.remaining(), "{:#}", account.record);
            let closed = account.record["status"]["name"] == "Closed";
            assert_eq!(closed, account.remaining() == Money::ZERO, "{:#}", account.record);
        }
    }
}

/// The records without the parts that undoing is allowed to change: who changed a record last, and the stored decisions.
fn without_bookkeeping(records: &Records) -> Records {
    let mut bare = records.clone();
    bare.retain(|(kind, _), _| *kind != RecordKind::Decision);
    for document in bare.values_mut() {
        remove(document, "metadata");
    }
    bare
}

/// Libraries grow, and every look goes over all of their records: each lives for a few hundred commands.
fn walk(commands: usize) {
    let mut done: BTreeMap<&'static str, usize> = BTreeMap::new();
    for seed in 0..commands.div_ceil(250) {
        let mut library = Library::open(u64::try_from(seed).unwrap());
        for _ in 0..250 {
            library.step();
        }
        library.is_in_order();
        for (name, count) in library.done {
            *done.entry(name).or_default() += count;
        }
    }
    for name in [
        "check-out",
        "check-in",
        "renewal",
        "declaration of loss",
        "claim",
        "declaration as missing",
        "change of the due date",
        "ageing",
        "billing",
        "pay",
        "waive",
        "transfer",
        "refund",
        "cancel",
        "end of a lost item's loan",
        "undoing",
    ] {
        assert!(done.contains_key(name), "nothing came to {name}: {done:?}");
    }
}

#[test]
fn a_random_walk_leaves_the_library_in_order() {
    walk(4_000);
}

/// Two commands about different items, in one order and in the other, on copies of one library.
#[test]
fn commands_that_have_nothing_to_do_with_each_other_may_come_in_any_order() {
    let mut both = 0;
    for seed in 1000..1008 {
        let mut library = Library::open(seed);
        for _ in 0..50 {
            library.step();
            let (first, second) = (library.random_below(ITEMS), library.random_below(ITEMS - 1));
            let second = (first + 1 + second) % ITEMS;
            let mut command = |item| (5 + library.random_below(14), item, library.random_below(PATRONS));
            let commands = [command(first), command(second)];
            let after = |order: [usize; 2]| {
                let mut library = library.clone();
                let mut carried_out = 0;
                for at in order {
                    library.ids = 1_000_000 * (at + 1);
                    let (what, item, borrower) = commands[at];
                    carried_out += usize::from(library.carry_out(what, item, borrower).is_some());
                }
                (library.records, carried_out)
            };
            let (one, other) = (after([0, 1]), after([1, 0]));
            assert!(one == other, "{commands:?} of the library with the seed {seed}");
            both += usize::from(one.1 == 2);
        }
    }
    assert!(both > 50, "only {both} pairs were carried out");
}

/// `cargo test -p octavo-circulation -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn a_long_random_walk_leaves_the_library_in_order() {
    walk(100_000);
}
