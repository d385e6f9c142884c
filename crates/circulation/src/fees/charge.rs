//! Automatic fees: an account and its first action.

use octavo_kernel::folio_time;
use serde_json::{Value, json};

use super::overdue::{Overdue, compute_fine};
use crate::Money;
use crate::document::{set, set_some, text, value_at};
use crate::facts::{Facts, Item, Loan, NamedRecord};
use crate::governing::apply_rules;
use crate::plan::{Plan, RecordKind};
use crate::policy::LoanPolicy;
use crate::status::{ItemStatus, OpenOrClosed, PaymentStatus};
use crate::trace::Step;

pub(crate) const OVERDUE_FINE: &str = "Overdue fine";

/// The operation on an overdue loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion<'a> {
    /// `loan` is as the check-in leaves it.
    Return { service_point_id: &'a str },
    /// `loan` is as it was before.
    Renewal,
}

/// Charges an overdue fine if there is one. `item` has its state before the operation. Without an owner or type for the fine, nothing is
/// charged.
pub(crate) fn charge_overdue_fine(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    occasion: Occasion<'_>,
    plan: &mut Plan,
) {
    let Some(amount) = fine(facts, loan, item, occasion, &mut plan.trace) else { return };
    let owner = facts.charging.owner_of_location(item.location.as_deref());
    let (Some(kind), Some(owner)) = (facts.charging.automatic_type(OVERDUE_FINE), owner) else { return };
    let ids = Ids { account: &facts.fresh_ids.account, action: &facts.fresh_ids.fee_fine_action };
    let service_point_id = match occasion {
        Occasion::Return { service_point_id } => Some(service_point_id),
        Occasion::Renewal => None,
    };
    let (account_id, told) = (ids.account.to_owned(), amount.to_string());
    let fine = Charge { ids, kind, owner, amount, service_point_id, by_clock: false };
    charge(facts, loan, item, &fine, None, plan);
    plan.add_step(Step::OverdueFineCharged { account_id, amount: told });
}

pub(crate) struct Ids<'a> {
    pub(crate) account: &'a str,
    pub(crate) action: &'a str,
}

pub(crate) struct Charge<'a> {
    pub(crate) ids: Ids<'a>,
    pub(crate) kind: &'a NamedRecord,
    pub(crate) owner: &'a NamedRecord,
    pub(crate) amount: Money,
    pub(crate) service_point_id: Option<&'a str>,
    /// Whether a timer charged it, and no member of staff.
    pub(crate) by_clock: bool,
}

/// Writes the account and its first action, and publishes the event about both.
pub(super) fn charge(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    charge: &Charge<'_>,
    comments: Option<String>,
    plan: &mut Plan,
) {
    record_charge(facts, account(facts, loan, item, charge), charge, comments, plan);
}

pub(crate) fn record_charge(
    facts: &Facts,
    account: Value,
    charge: &Charge<'_>,
    comments: Option<String>,
    plan: &mut Plan,
) {
    let amount = charge.amount.to_json();
    let mut action = json!({
        "id": charge.ids.action,
        "accountId": account["id"],
        "userId": account["userId"],
        "typeAction": charge.kind.name,
        "amountAction": amount,
        "balance": amount,
        "transactionInformation": "-",
        "notify": false,
        "dateAction": folio_time(facts.now()),
    });
    let staff = || facts.staff.as_ref().map(|staff| staff.personal_name());
    let source = if charge.by_clock { Some("System".to_owned()) } else { staff() };
    set_some(&mut action, "source", source);
    set_some(&mut action, "createdAt", charge.service_point_id);
    set_some(&mut action, "comments", comments);
    plan.publish_change(&account);
    plan.insert(RecordKind::Account, charge.ids.account, account);
    plan.insert(RecordKind::FeeFineAction, charge.ids.action, action);
}

fn fine(
    facts: &Facts,
    loan: &Loan,
    item: &Item,
    occasion: Occasion<'_>,
    trace: &mut Vec<Step>,
) -> Option<Money> {
    let policy = facts.policies.overdue_fine.get(loan.overdue_fine_policy_id()?)?;
    if occasion == Occasion::Renewal && policy.forgives_on_renewal() {
        return None;
    }
    if item.is_one_of(ItemStatus::LOST) && !lost_item_is_charged(facts, loan) {
        return None;
    }
    let until = match occasion {
        Occasion::Return { .. } => crate::document::time(&loan.record, &["returnDate"])?,
        Occasion::Renewal => facts.now(),
    };
    let overdue = Overdue {
        due: loan.due_date()?,
        until,
        recalled: loan.due_date_was_changed_by_recall(),
        grace_minutes: grace_minutes(facts, item),
        zone: &facts.time_zone,
        calendar: facts.calendar.as_deref(),
        service_point_id: item.location.as_ref().and_then(|place| place.primary_service_point_id.as_deref()),
    };
    let about = trace.len();
    let fine = compute_fine(policy, &overdue, trace);
    if trace.len() > about {
        let name = policy.name.clone().unwrap_or_default();
        trace.insert(about, Step::FinePolicy { id: policy.id.clone(), name });
    }
    fine
}

/// Whether a lost item that turns up is charged an overdue fine: if the policy says so, and only while lost fees would be refunded.
fn lost_item_is_charged(facts: &Facts, loan: &Loan) -> bool {
    let policy = loan.lost_item_policy_id().and_then(|id| facts.policies.lost_item.get(id));
    policy.is_some_and(|policy| {
        policy.charges_overdue_fine_on_return() && policy.still_refunds(loan.lost_date(), facts.now())
    })
}

/// The grace period of the loan policy that the rules choose now.
fn grace_minutes(facts: &Facts, item: &Item) -> i64 {
    let found = apply_rules(&facts.policies, item, facts.patron.as_ref()).ok();
    let policy = found.and_then(|found| facts.policies.loan.get(&found.policies.loan));
    policy.map_or(0, LoanPolicy::grace_minutes)
}

fn account(facts: &Facts, loan: &Loan, item: &Item, charge: &Charge<'_>) -> Value {
    let contributors: Vec<Value> =
        item.contributors.iter().map(|contributor| json!({"name": contributor.name})).collect();
    let place = item.location.as_ref().and_then(|place| place.name.as_deref());
    let mut account = charge.account(loan);
    set(&mut account, "loanId", loan.id());
    set(&mut account, "userId", loan.record["userId"].clone());
    set(&mut account, "itemId", loan.record["itemId"].clone());
    set(&mut account, "contributors", contributors);
    for (key, text) in [
        ("title", item.title.as_deref()),
        ("barcode", item.barcode()),
        ("callNumber", text(&item.record, &["effectiveCallNumberComponents", "callNumber"])),
        ("location", place),
        ("materialType", item.material_type_name.as_deref()),
        ("materialTypeId", item.material_type_id()),
    ] {
        set_some(&mut account, key, text);
    }
    facts.set_metadata(&mut account);
    account
}

impl Charge<'_> {
    /// The account, without the patron and the item.
    pub(crate) fn account(&self, loan: &Loan) -> Value {
        let amount = self.amount.to_json();
        let mut account = json!({
            "id": self.ids.account,
            "ownerId": self.owner.id,
            "feeFineId": self.kind.id,
            "amount": amount,
            "remaining": amount,
            "feeFineType": self.kind.name,
            "feeFineOwner": self.owner.name,
            "paymentStatus": {"name": PaymentStatus::Outstanding},
            "status": {"name": OpenOrClosed::Open},
        });
        for (to, from) in [
            ("dueDate", "dueDate"),
            ("returnedDate", "returnDate"),
            ("loanPolicyId", "loanPolicyId"),
            ("overdueFinePolicyId", "overdueFinePolicyId"),
            ("lostItemFeePolicyId", "lostItemPolicyId"),
        ] {
            set_some(&mut account, to, value_at(&loan.record, &[from]).cloned());
        }
        account
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::command::{CheckIn, Renew, RenewByBarcode};
    use crate::desk::{on_loan, patron, set_item_status, three_weeks, written_document};
    use crate::facts::Charging;
    use crate::plan::Plan;
    use crate::policy::Policies;

    /// Ada's book, overdue for a day, at a desk that charges a euro a day.
    fn overdue(change: impl FnOnce(&mut Value)) -> Facts {
        let mut facts = on_loan();
        set(&mut facts.open_loans_of_item[0].record, "dueDate", "2026-03-01T10:00:00.000+00:00");
        let mut policy = json!({"id": "fine", "countClosed": true, "forgiveOverdueFine": false, "maxOverdueFine": 10,
            "overdueFine": {"quantity": 1, "intervalId": "day"}});
        change(&mut policy);
        let rules = "priority: last-line\nfallback-policy: l three-weeks r any n none o fine i lost";
        let mut policies: Policies = crate::desk::policies(rules, three_weeks());
        policies.overdue_fine.insert("fine".into(), serde_json::from_value(policy).unwrap());
        facts.policies = policies.into();
        let kind = json!({"id": "type-1", "feeFineType": "Overdue fine", "automatic": true});
        let owner =
            json!({"id": "owner-1", "owner": "Main Circ", "servicePointOwner": [{"value": "desk-1"}]});
        facts.charging = Charging::read([kind].iter(), [owner].iter()).into();
        facts.staff = Some(patron("clerk", "1"));
        facts
    }

    fn check_in(facts: &Facts, more: &Value) -> Plan {
        let mut body =
            json!({"itemBarcode": "200", "servicePointId": "desk-2", "checkInDate": "2026-03-02T10:00:00Z"});
        for (key, value) in more.as_object().unwrap() {
            body[key] = value.clone();
        }
        let command: CheckIn = serde_json::from_value(body).unwrap();
        crate::check_in(facts, &command).unwrap()
    }

    fn renew(facts: &Facts) -> Plan {
        let command: RenewByBarcode =
            serde_json::from_value(json!({"itemBarcode": "200", "userBarcode": "100"})).unwrap();
        crate::renew(facts, &Renew::ByBarcode(command)).unwrap()
    }

    fn charged(plan: &Plan) -> Option<String> {
        written_document(plan, RecordKind::Account).map(|account| account["amount"].to_string())
    }

    #[test]
    fn an_item_that_comes_back_late_is_charged_to_its_borrower() {
        let plan = check_in(&overdue(|_| {}), &json!({}));
        let account = written_document(&plan, RecordKind::Account).unwrap();
        for (member, value) in [
            ("id", json!("new-account")),
            ("amount", json!(1.0)),
            ("remaining", json!(1.0)),
            ("status", json!({"name": "Open"})),
            ("paymentStatus", json!({"name": "Outstanding"})),
            ("feeFineType", json!("Overdue fine")),
            ("feeFineOwner", json!("Main Circ")),
            ("userId", json!("ada")),
            ("loanId", json!("loan-1")),
            ("itemId", json!("book-1")),
            ("title", json!("Notes")),
            ("barcode", json!("200")),
            ("callNumber", json!("QA 76")),
            ("location", json!("Stacks")),
            ("materialType", json!("Book")),
            ("contributors", json!([{"name": "Menabrea, L. F."}])),
            ("dueDate", json!("2026-03-01T10:00:00.000+00:00")),
            ("returnedDate", json!("2026-03-02T10:00:00.000+00:00")),
            ("overdueFinePolicyId", json!("fine")),
            ("lostItemFeePolicyId", json!("lost")),
        ] {
            assert_eq!(account[member], value, "{member}");
        }
        assert_eq!(
            written_document(&plan, RecordKind::FeeFineAction).unwrap(),
            &json!({"id": "new-action", "accountId": "new-account", "userId": "ada", "typeAction": "Overdue fine",
                "amountAction": 1.0, "balance": 1.0, "transactionInformation": "-", "notify": false,
                "dateAction": "2026-03-02T10:00:00.000+00:00", "source": "Lovelace, Ada", "createdAt": "desk-2"})
        );
        assert!(plan.events.iter().any(|event| event.name == "FEE_FINE_BALANCE_CHANGED"));
        let sentence = "An overdue fine of 1.00 is charged as fee/fine new-account.";
        assert!(plan.sentences().iter().any(|told| told == sentence));
    }

    #[test]
    fn a_renewal_charges_unless_the_policy_forgives() {
        let plan = renew(&overdue(|_| {}));
        assert_eq!(charged(&plan).as_deref(), Some("1.0"));
        let account = written_document(&plan, RecordKind::Account).unwrap();
        assert_eq!(account["dueDate"], "2026-03-01T10:00:00.000+00:00");
        assert!(account.get("returnedDate").is_none());
        assert!(written_document(&plan, RecordKind::FeeFineAction).unwrap().get("createdAt").is_none());

        let forgiving = overdue(|policy| policy["forgiveOverdueFine"] = json!(true));
        assert_eq!(charged(&renew(&forgiving)), None);
        assert_eq!(charged(&check_in(&forgiving, &json!({}))).as_deref(), Some("1.0"));
    }

    #[test]
    fn what_is_not_overdue_or_has_nobody_to_charge_costs_nothing() {
        let cases: [(&str, fn(&mut Facts)); 6] = [
            ("in time", |facts| {
                set(&mut facts.open_loans_of_item[0].record, "dueDate", "2026-03-02T10:00:00.000+00:00");
            }),
            ("no type and no owner", |facts| facts.charging = std::sync::Arc::default()),
            ("another desk's owner", |facts| {
                let place = facts.item.as_mut().unwrap().location.as_mut().unwrap();
                std::sync::Arc::make_mut(place).primary_service_point_id = Some("desk-2".into());
            }),
            ("no location", |facts| facts.item.as_mut().unwrap().location = None),
            ("an unknown policy", |facts| {
                set(&mut facts.open_loans_of_item[0].record, "overdueFinePolicyId", "gone");
            }),
            ("lost, and the policy does not charge", |facts| set_item_status(facts, "Aged to lost")),
        ];
        for (told, change) in cases {
            let mut facts = overdue(|_| {});
            change(&mut facts);
            assert_eq!(charged(&check_in(&facts, &json!({}))), None, "{told}");
        }
    }

    #[test]
    fn the_time_until_the_return_counts_and_not_until_it_is_told() {
        let facts = overdue(|_| {});
        let back = |date: &str| charged(&check_in(&facts, &json!({"checkInDate": date})));
        assert_eq!(back("2026-03-01T09:00:00Z"), None);
        assert_eq!(back("2026-03-01T10:05:00Z").as_deref(), Some("1.0"));
        assert_eq!(back("2026-03-03T10:01:00Z").as_deref(), Some("3.0"));
    }

    #[test]
    fn an_item_that_the_library_found_on_its_own_shelf_costs_nothing() {
        let mut facts = overdue(|_| {});
        set_item_status(&mut facts, "Claimed returned");
        let resolved =
            |resolution: &str| charged(&check_in(&facts, &json!({"claimedReturnedResolution": resolution})));
        assert_eq!(resolved("Found by library"), None);
        assert_eq!(resolved("Returned by patron").as_deref(), Some("1.0"));
    }

    #[test]
    fn a_lost_item_that_turns_up_is_charged_while_its_fees_are_refunded() {
        for (policy, charge) in [
            (json!({"lostItemReturned": "Charge"}), true),
            (json!({"lostItemReturned": "Remove"}), false),
            (
                json!({"lostItemReturned": "Charge", "feesFinesShallRefunded": {"duration": 6, "intervalId": "Weeks"}}),
                true,
            ),
            (
                json!({"lostItemReturned": "Charge", "feesFinesShallRefunded": {"duration": 1, "intervalId": "Hours"}}),
                false,
            ),
        ] {
            let mut facts = overdue(|_| {});
            set_item_status(&mut facts, "Declared lost");
            set(&mut facts.open_loans_of_item[0].record, "declaredLostDate", "2026-03-02T08:00:00.000+00:00");
            let mut lost = policy.clone();
            set(&mut lost, "id", "lost");
            let policies = std::sync::Arc::get_mut(&mut facts.policies).unwrap();
            policies.lost_item.insert("lost".into(), serde_json::from_value(lost).unwrap());
            assert_eq!(charged(&check_in(&facts, &json!({}))).is_some(), charge, "{policy}");
        }
    }
}
