//! The policies and schedules of mod-circulation-storage as records: what is refused, and how they follow other records.

use octavo_testkit::reference::{ALLOW_ALL, CIRC_DESK};
use octavo_testkit::{Desk, Library, fresh_id};
use serde_json::{Value, json};

use super::requests::request_item;

const REQUEST_POLICIES: &str = "/request-policy-storage/request-policies";

async fn new_pickup_location(library: &Library) -> Value {
    let id = fresh_id();
    let point = json!({"id": id, "name": id, "code": id, "discoveryDisplayName": "Annexe", "pickupLocation": true,
        "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"}});
    library.post("/service-points", &point).await.expect(201).json()
}

/// The types of request and the pickup locations that a policy allows.
async fn allowed_by_policy(library: &Library, id: &Value) -> (Value, Value) {
    let path = format!("{REQUEST_POLICIES}/{}", id.as_str().unwrap_or_default());
    let mut policy = library.get(&path).await.expect(200).json();
    (policy["requestTypes"].take(), policy["allowedServicePoints"].take())
}

#[tokio::test]
async fn a_policy_forbids_the_requests_whose_last_pickup_location_is_gone() {
    let library = Library::furnished().await;
    for deleted in [false, true] {
        let point = new_pickup_location(&library).await;
        let id = &point["id"];
        let cases = [
            (
                json!({"Hold": [id], "Page": [id, CIRC_DESK]}),
                json!(["Page", "Recall"]),
                json!({"Page": [CIRC_DESK]}),
            ),
            (json!({"Hold": [id]}), json!(["Page", "Recall"]), json!(null)),
            (json!({"Hold": [id], "Page": [id], "Recall": [id]}), json!([]), json!(null)),
            (json!({"Hold": [CIRC_DESK]}), json!(["Hold", "Page", "Recall"]), json!({"Hold": [CIRC_DESK]})),
        ];
        let mut expected = Vec::new();
        for (points, types, left) in cases {
            let id = fresh_id();
            let policy = json!({"id": id, "name": id, "requestTypes": ["Hold", "Page", "Recall"],
                "allowedServicePoints": points});
            let policy = library.post(REQUEST_POLICIES, &policy).await.expect(201).json();
            expected.push((policy["id"].clone(), (types, left)));
        }
        let path = format!("/service-points/{}", id.as_str().unwrap_or_default());
        if deleted {
            library.delete(&path).await.expect(204);
        } else {
            let office = json!({"id": id, "name": id, "code": id, "discoveryDisplayName": "Annexe",
                "pickupLocation": false});
            library.put(&path, &office).await.expect(204);
        }
        for (policy, allowed) in expected {
            assert_eq!(allowed_by_policy(&library, &policy).await, allowed, "deleted: {deleted}");
        }
    }
}

#[tokio::test]
async fn no_hold_is_placed_under_a_policy_that_has_lost_its_pickup_location() {
    let library = Library::furnished().await.acting_as(fresh_id());
    let desk = Desk::furnish(&library, |_| {}).await;
    let point = new_pickup_location(&library).await;
    let policy = json!({"id": fresh_id(), "name": "Annexe", "requestTypes": ["Hold"],
        "allowedServicePoints": {"Hold": [point["id"]]}});
    let policy = library.post(REQUEST_POLICIES, &policy).await.expect(201).json();
    let rules = library.get("/circulation/rules").await.expect(200).json();
    let rules = rules["rulesAsText"].as_str().unwrap_or_default();
    let policy = policy["id"].as_str().unwrap_or_default();
    desk.set_rules(&rules.replace(ALLOW_ALL, policy)).await;
    let item = desk.item().await;
    desk.check_out(&item, &desk.patron().await).await.expect(201);
    let path = format!("/service-points/{}", point["id"].as_str().unwrap_or_default());
    library.delete(&path).await.expect(204);
    // A hold at another pickup location.
    request_item(&desk, &item, &desk.patron().await, "Hold").await.expect(422);
}

#[tokio::test]
async fn records_that_are_not_there_are_created_by_a_put() {
    let library = Library::open().await;
    let name = || json!({"name": fresh_id()});
    let loan = json!({"itemId": fresh_id(), "userId": fresh_id(), "loanDate": "2026-11-01T10:00:00Z",
        "action": "checkedout", "status": {"name": "Open"}});
    let request = json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-11-01T10:00:00Z",
        "requesterId": fresh_id(), "instanceId": fresh_id(), "itemId": fresh_id(), "holdingsRecordId": fresh_id(),
        "status": "Open - Not yet filled", "fulfillmentPreference": "Hold Shelf"});
    let slip = json!({"name": fresh_id(), "active": true, "template": "<p></p>"});
    for (path, body, status) in [
        ("/loan-storage/loans", loan, 204),
        ("/request-storage/requests", request, 204),
        (
            "/loan-policy-storage/loan-policies",
            json!({"name": "A", "loanable": false, "renewable": false}),
            204,
        ),
        (REQUEST_POLICIES, name(), 204),
        ("/fixed-due-date-schedule-storage/fixed-due-date-schedules", name(), 204),
        ("/staff-slips-storage/staff-slips", slip, 201),
    ] {
        let id = fresh_id();
        let one = format!("{path}/{id}");
        let answer = library.put(&one, &body).await.expect(status);
        if status == 201 {
            assert_eq!(answer.json()["id"], json!(id));
        }
        let created = library.get(&one).await.expect(200).json();
        assert_eq!(created["id"], json!(id));
        for (member, value) in body.as_object().unwrap() {
            let is_date = value.as_str().is_some_and(|text| text.starts_with("2026"));
            assert!(is_date || created[member] == *value, "{path}: {member} is {}", created[member]);
        }
        library.put(&one, &body).await.expect(204);
    }
    // A record of another type is not created.
    let nowhere = format!("/cancellation-reason-storage/cancellation-reasons/{}", fresh_id());
    library.put(&nowhere, &name()).await.says(404, "Not found");
}

#[tokio::test]
async fn options_of_loan_notices_are_checked_when_a_policy_is_replaced() {
    let library = Library::open().await;
    let path = "/patron-notice-policy-storage/patron-notice-policies";
    let odd = json!({"name": "Odd", "loanNotices": [{"templateId": fresh_id(), "format": "Email", "realTime": true,
        "sendOptions": {"sendWhen": "Check out", "sendHow": "After"}}]});
    let stored = library.post(path, &odd).await.expect(201).json();
    let one = format!("{path}/{}", stored["id"].as_str().unwrap());
    let refused = library.put(&one, &odd).await;
    assert_eq!(refused.refused_keys(), ["sendHow"]);
    refused.refused("This option is not valid for selected Triggering event");
    let mut even = odd;
    even["loanNotices"][0]["sendOptions"] = json!({"sendWhen": "Check out"});
    library.put(&one, &even).await.expect(204);
}

#[tokio::test]
async fn a_new_staff_slip_is_active_and_none_is_empty() {
    let library = Library::open().await;
    let path = "/staff-slips-storage/staff-slips";
    let slip = |name: &str, template: &str| json!({"name": name, "template": template});
    let made = library.post(path, &slip("Pick slip", "<p></p>")).await.expect(201).json();
    assert_eq!(made["active"], true);
    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    for (name, template, said) in [
        ("", "<p></p>", "Name is a required property"),
        ("Slip", "", "Template is a required property"),
        ("", "", "Name is a required property\nTemplate is a required property"),
    ] {
        library.post(path, &slip(name, template)).await.says(400, said);
        library.put(&one, &slip(name, template)).await.says(400, said);
    }
    library.put(&one, &slip("Pick slip", "<b></b>")).await.expect(204);
    assert_eq!(library.get(&one).await.expect(200).json()["active"], json!(null));
}

#[tokio::test]
async fn what_the_database_refuses_of_a_changed_policy_is_said_in_its_words() {
    let library = Library::open().await;
    let duplicate = |table: &str| {
        format!(
            "duplicate key value violates unique constraint \"{table}_name_idx_unique\": \
             Key (lower(f_unaccent(jsonb ->> 'name'::text)))=(first) already exists."
        )
    };
    for (path, table) in [
        (REQUEST_POLICIES, "request_policy"),
        ("/fixed-due-date-schedule-storage/fixed-due-date-schedules", "fixed_due_date_schedule"),
    ] {
        library.post(path, &json!({"name": "First"})).await.expect(201);
        // Also where the record would be new.
        let one = format!("{path}/{}", fresh_id());
        library.put(&one, &json!({"name": "first"})).await.says(400, &duplicate(table));
        library.put(&one, &json!({"name": "Second"})).await.expect(204);
        library.put(&one, &json!({"name": "FIRST"})).await.says(400, &duplicate(table));
    }
    let schedule = fresh_id();
    let policy = json!({"name": "Fixed", "loanable": true, "renewable": false,
        "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": schedule}});
    let path = "/loan-policy-storage/loan-policies";
    library.post(path, &policy).await.refused(&format!(
        "Cannot set loan_policy.loanspolicy_fixedduedatescheduleid = {schedule} because it does not exist in fixed_due_date_schedule.id."
    ));
    let said = format!(
        "insert or update on table \"loan_policy\" violates foreign key constraint \
         \"loanspolicy_fixedduedatescheduleid_fixed_due_date_schedule_fkey\": \
         Key (loanspolicy_fixedduedatescheduleid)=({schedule}) is not present in table \"fixed_due_date_schedule\"."
    );
    library.put(&format!("{path}/{}", fresh_id()), &policy).await.says(400, &said);
}

/// FOLIO's interface declares no 422 for these calls.
#[tokio::test]
async fn a_name_that_is_taken_is_said_as_text_where_no_other_refusal_is_declared() {
    let library = Library::open().await;
    let taken = |table: &str| {
        format!("lower(f_unaccent(jsonb ->> 'name'::text)) value already exists in table {table}: first")
    };
    let path = "/staff-slips-storage/staff-slips";
    let slip = |name: &str| json!({"name": name, "template": "<p></p>"});
    library.post(path, &slip("First")).await.expect(201);
    library.post(path, &slip("first")).await.says(400, &taken("staff_slips"));
    // A slip that is not stored would be made.
    let one = format!("{path}/{}", fresh_id());
    library.put(&one, &slip("first")).await.says(400, &taken("staff_slips"));
    library.put(&one, &slip("Second")).await.expect(201);
    library.put(&one, &slip("first")).await.says(400, &taken("staff_slips"));

    let path = "/cancellation-reason-storage/cancellation-reasons";
    library.post(path, &json!({"name": "First"})).await.expect(201);
    library.post(path, &json!({"name": "first"})).await.refused(&taken("cancellation_reason"));
    let second = library.post(path, &json!({"name": "Second"})).await.expect(201).json();
    let one = format!("{path}/{}", second["id"].as_str().unwrap());
    library.put(&one, &json!({"name": "first"})).await.says(400, &taken("cancellation_reason"));
}
