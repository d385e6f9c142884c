//! A small library for tests: two service points, one patron, one book, rules that lend it for three weeks.
//! Tests change what they are about.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::tz::TimeZone;
use octavo_kernel::{Body, Fault, Permissions};
use serde_json::{Value, json};

use crate::Undecided;
use crate::document::set;
use crate::facts::{
    Contributor, Facts, FreshIds, Item, Loan, Location, LostFees, Patron, PatronGroup, QueuePart,
    QueuedRequest,
};
use crate::plan::{Plan, RecordKind};
use crate::policy::{LoanPolicy, Policies};
use crate::rules::Rules;

pub(crate) const NOW: &str = "2026-03-02T10:00:00Z";
const RULES: &str = "priority: last-line
fallback-policy: l three-weeks r any n none o fine i lost
g staff: l three-weeks r any n none o fine i lost";

/// Facts in which a check-out, a check-in at home and, with [`on_loan`], a renewal succeed.
pub(crate) fn facts() -> Facts {
    Facts {
        now: NOW.parse().unwrap(),
        time_zone: TimeZone::get("Europe/Berlin").unwrap(),
        permissions: Permissions::default(),
        acting_user_id: Some("clerk".into()),
        fresh_ids: FreshIds {
            loan: "new-loan".into(),
            check_in: "new-check-in".into(),
            session: "new-session".into(),
            account: "new-account".into(),
            fee_fine_action: "new-action".into(),
            second_account: "second-account".into(),
            second_fee_fine_action: "second-action".into(),
            actual_cost: "actual-cost".into(),
            note: "new-note".into(),
            decision: "decision".into(),
        },
        policies: Arc::new(policies(RULES, three_weeks())),
        calendar: None,
        service_points: Arc::new(service_points()),
        patron: Some(patron("ada", "100")),
        proxy: None,
        item: Some(book()),
        loan: None,
        lost: LostFees::default(),
        open_loans_of_item: Vec::new(),
        open_loans_of_patron: Vec::new(),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        charging: Arc::default(),
        title_templates: Arc::default(),
        remote_storages: Arc::default(),
        person_names: Arc::default(),
        general_note_type: Some("general".into()),
        staff: None,
        queue: Vec::new(),
        queue_part: QueuePart::default(),
    }
}

/// The book is out to Ada since 20 February, due on 13 March.
pub(crate) fn on_loan() -> Facts {
    let mut facts = facts();
    if let Some(item) = &mut facts.item {
        set(&mut item.record, "status", json!({"name": "Checked out"}));
    }
    facts.open_loans_of_item = vec![Loan {
        record: json!({
            "id": "loan-1", "userId": "ada", "itemId": "book-1", "status": {"name": "Open"}, "action": "checkedout",
            "loanDate": "2026-02-20T10:00:00.000+00:00", "dueDate": "2026-03-13T22:59:59.000+00:00",
            "itemStatus": "Checked out", "loanPolicyId": "three-weeks", "overdueFinePolicyId": "fine",
            "lostItemPolicyId": "lost", "checkoutServicePointId": "desk-1", "shelfMark": "kept",
        }).into(),
    }];
    facts
}

/// The same, as an operation on that loan finds it.
pub(crate) fn about_loan() -> Facts {
    let mut facts = on_loan();
    facts.loan = facts.open_loans_of_item.pop();
    facts
}

pub(crate) fn set_item_status(facts: &mut Facts, status: &str) {
    if let Some(item) = &mut facts.item {
        set(&mut item.record, "status", json!({"name": status}));
    }
}

/// The loan policy of the usual rules.
pub(crate) fn three_weeks() -> Value {
    json!({
        "id": "three-weeks", "name": "Three weeks", "loanable": true, "renewable": true,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"},
        "renewalsPolicy": {"unlimited": false, "numberAllowed": 2, "renewFromId": "SYSTEM_DATE"},
    })
}

pub(crate) fn policies(rules: &str, loan_policy: Value) -> Policies {
    let loan_policy: LoanPolicy = serde_json::from_value(loan_policy).unwrap();
    let named =
        |id: &str, name: &str| json!({"id": id, "name": name, "requestTypes": ["Hold", "Page", "Recall"]});
    let read = serde_json::from_value;
    Policies {
        rules: Some(Rules::parse(rules).unwrap()),
        loan: HashMap::from([(loan_policy.id.clone(), loan_policy)]),
        fixed_due_date_schedules: HashMap::new(),
        overdue_fine: HashMap::from([("fine".into(), read(named("fine", "Ten cents")).unwrap())]),
        lost_item: HashMap::from([(
            "lost".into(),
            serde_json::from_value(named("lost", "Full price")).unwrap(),
        )]),
        request: HashMap::from([("any".into(), serde_json::from_value(named("any", "Everything")).unwrap())]),
        notice: HashMap::new(),
    }
}

/// The usual rules with a changed loan policy.
pub(crate) fn with_loan_policy(facts: &mut Facts, change: impl FnOnce(&mut Value)) {
    let mut policy = three_weeks();
    change(&mut policy);
    facts.policies = Arc::new(policies(RULES, policy));
}

/// The lost item fee policy of the usual rules, with more than its name.
pub(crate) fn with_lost_item_policy(facts: &mut Facts, mut record: Value) {
    set(&mut record, "id", "lost");
    let mut changed = policies(RULES, three_weeks());
    changed.lost_item.insert("lost".to_owned(), serde_json::from_value(record).unwrap());
    facts.policies = Arc::new(changed);
}

pub(crate) fn with_rules(facts: &mut Facts, rules: &str, change: impl FnOnce(&mut Value)) {
    let mut policy = three_weeks();
    change(&mut policy);
    facts.policies = Arc::new(policies(rules, policy));
}

pub(crate) fn patron(id: &str, barcode: &str) -> Patron {
    Patron {
        record: json!({"id": id, "barcode": barcode, "active": true, "patronGroup": "staff",
            "personal": {"firstName": "Ada", "lastName": "Lovelace"}}),
        group: Some(PatronGroup { id: "staff".into(), name: Some("Staff".into()), description: None }),
    }
}

fn book() -> Item {
    Item {
        record:
            json!({"id": "book-1", "barcode": "200", "status": {"name": "Available", "date": "2026-01-01"},
            "materialTypeId": "book", "permanentLoanTypeId": "normal", "effectiveLocationId": "stacks",
            "holdingsRecordId": "holdings-1", "shelfMark": "kept",
            "effectiveCallNumberComponents": {"callNumber": "QA 76", "prefix": "A"}})
            .into(),
        instance_id: Some("instance-1".into()),
        title: Some("Notes".into()),
        contributors: vec![Contributor { name: "Menabrea, L. F.".into(), primary: true }],
        material_type_name: Some("Book".into()),
        loan_type_name: Some("Normal".into()),
        location: Some(Arc::new(Location {
            id: "stacks".into(),
            name: Some("Stacks".into()),
            primary_service_point_id: Some("desk-1".into()),
            service_point_ids: vec!["desk-1".into()],
            ..Location::default()
        })),
        ..Item::default()
    }
}

fn service_points() -> HashMap<String, Value> {
    let period = json!({"duration": 5, "intervalId": "Days"});
    ["desk-1", "desk-2"]
        .map(|id| {
            (
                id.to_owned(),
                json!({"id": id, "name": format!("Name of {id}"), "holdShelfExpiryPeriod": period}),
            )
        })
        .into()
}

/// An open hold-shelf hold for the book, to be picked up at the first desk.
pub(crate) fn queued_hold(id: &str, requester: &str, position: i64) -> QueuedRequest {
    QueuedRequest {
        record:
            json!({"id": id, "requestLevel": "Item", "requestType": "Hold", "status": "Open - Not yet filled",
            "requesterId": requester, "itemId": "book-1", "instanceId": "instance-1", "position": position,
            "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": "desk-1"})
            .into(),
        requester: Some(patron(requester, "300")),
        requester_is_away: false,
    }
}

impl<'a> From<&'a Undecided> for &'a Fault {
    fn from(undecided: &'a Undecided) -> &'a Fault {
        match undecided {
            Undecided::Refused(fault) => fault,
            Undecided::ReadMore => panic!("more facts are needed"),
        }
    }
}

/// Messages of a refusal, or the text of another fault.
pub(crate) fn messages<'a>(fault: impl Into<&'a Fault>) -> Vec<String> {
    let fault = fault.into();
    match &fault.body {
        Body::Refusals(refusals) => refusals.iter().map(|refusal| refusal.message.clone()).collect(),
        other => vec![format!("{} {}", fault.status, other.render())],
    }
}

/// The document that the plan writes for a kind of record, if it writes exactly one.
pub(crate) fn written_document(plan: &Plan, kind: RecordKind) -> Option<&Value> {
    let mut documents = plan.documents(kind).map(|(_, document)| &**document);
    documents.next().filter(|_| documents.next().is_none())
}
