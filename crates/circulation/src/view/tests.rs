//! How loans and items look from outside.

use octavo_kernel::Members;
use serde_json::{Value, json};

use super::*;
use crate::desk;
use crate::document::set;
use crate::facts::PatronGroup;

#[test]
fn a_loan_shows_what_it_refers_to_and_hides_what_is_internal() {
    let facts = desk::on_loan();
    let mut loan = facts.open_loans_of_item[0].record.clone();
    loan["agedToLostDelayedBilling"] = json!({});
    loan["patronGroupIdAtCheckout"] = json!("staff");
    let group = PatronGroup { id: "staff".into(), name: Some("Staff".into()), description: None };
    let shown = loan_view(&LoanView {
        loan: &loan,
        item: facts.item.as_ref(),
        borrower: facts.patron.as_ref(),
        patron_group_at_checkout: Some(&group),
        policies: &facts.policies,
        service_points: &facts.service_points,
        with_service_points: true,
        amount_remaining_to_pay: 1.5,
        due_date_changed_by_hold: false,
        due_date_changed_by_near_expire_user: true,
        computed: &[],
    });
    assert_eq!(
        Value::from(shown),
        json!({
            "id": "loan-1", "userId": "ada", "itemId": "book-1", "status": {"name": "Open"}, "action": "checkedout",
            "loanDate": "2026-02-20T10:00:00.000+00:00", "dueDate": "2026-03-13T22:59:59.000+00:00",
            "loanPolicyId": "three-weeks", "overdueFinePolicyId": "fine", "lostItemPolicyId": "lost",
            "checkoutServicePointId": "desk-1", "shelfMark": "kept",
            "item": {
                "id": "book-1", "holdingsRecordId": "holdings-1", "instanceId": "instance-1", "title": "Notes",
                "barcode": "200", "contributors": [{"name": "Menabrea, L. F."}], "callNumber": "QA 76",
                "callNumberComponents": {"callNumber": "QA 76", "prefix": "A"}, "status": {"name": "Checked out"},
                "location": {"name": "Stacks"}, "materialType": {"name": "Book"},
            },
            "borrower": {"firstName": "Ada", "lastName": "Lovelace", "middleName": null, "barcode": "100"},
            "patronGroupAtCheckout": {"id": "staff", "name": "Staff"},
            "checkoutServicePoint": {"name": "Name of desk-1", "code": null, "discoveryDisplayName": null,
                "description": null, "shelvingLagTime": null, "pickupLocation": null},
            "loanPolicy": {"name": "Three weeks"}, "overdueFinePolicy": {"name": "Ten cents"},
            "lostItemPolicy": {"name": "Full price"}, "feesAndFines": {"amountRemainingToPay": 1.5},
            "dueDateChangedByNearExpireUser": true,
        })
    );
}

#[test]
fn an_anonymous_loan_has_no_borrower() {
    let facts = desk::on_loan();
    let loan = json!({"id": "l"});
    let shown = loan_view(&LoanView {
        loan: &loan,
        item: None,
        borrower: None,
        patron_group_at_checkout: None,
        policies: &facts.policies,
        service_points: &facts.service_points,
        with_service_points: true,
        amount_remaining_to_pay: 0.0,
        due_date_changed_by_hold: false,
        due_date_changed_by_near_expire_user: false,
        computed: &[],
    });
    assert_eq!(
        Value::from(shown),
        json!({"id": "l", "loanPolicy": {"name": null}, "overdueFinePolicy": {"name": null},
        "lostItemPolicy": {"name": null}, "feesAndFines": {"amountRemainingToPay": 0.0}})
    );
}

#[test]
fn items_and_titles_show_no_empty_texts_and_lists() {
    let facts = desk::facts();
    let mut item = facts.item.clone().unwrap();
    item.contributors.clear();
    set(&mut item.record, "volume", "");
    let shown = Value::from(item_summary(&item, &facts.service_points));
    for absent in ["contributors", "volume"] {
        assert_eq!(shown.get(absent), None, "{absent}");
    }
    let shown: Value = serde_json::from_str(item_json(&item, &facts.service_points).get()).unwrap();
    assert_eq!(shown.get("volume"), None);

    let title = json!({"title": "Notes", "identifiers": [], "contributors": [], "publication": []});
    assert_eq!(instance_json(&Members::from_value(&title)).get(), r#"{"title":"Notes"}"#);
    let spaced = r#"{"title":"Notes","editions":[ ],"publication":[ {"place":"London"}]}"#;
    let shown = instance_json(&Members::read(spaced).unwrap());
    assert_eq!(shown.get(), r#"{"title":"Notes","publication":[ {"place":"London"}]}"#);
}

#[test]
fn a_slip_gives_every_word_even_if_it_is_empty() {
    let facts = desk::facts();
    let slip = Value::from(staff_slip_context(&StaffSlip {
        now: facts.now,
        item: facts.item.as_ref().unwrap(),
        request: None,
        from_service_point_id: None,
        service_points: &facts.service_points,
        person_names: &facts.person_names,
    }));
    assert_eq!(slip["currentDateTime"], "2026-03-02T10:00:00.000Z");
    for (word, expected) in [
        ("title", json!("Notes")),
        ("primaryContributor", json!("Menabrea, L. F.")),
        ("copy", json!("")),
        ("volume", Value::Null),
        ("effectiveLocationSpecific", json!("Stacks")),
        ("effectiveLocationPrimaryServicePointName", json!("Name of desk-1")),
        ("callNumberPrefix", json!("A")),
        ("callNumberSuffix", Value::Null),
    ] {
        assert_eq!(slip["item"].get(word), Some(&expected), "{word}");
    }
}
