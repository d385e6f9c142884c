//! Tests of what happens to the holdings record of an item that has arrived in a remote storage.

use super::*;

fn situation(own: &str, changes_location: bool, siblings: &[Option<&str>], others: usize) -> Situation {
    let item = |(at, location): (usize, &Option<&str>)| json!({"id": at.to_string(), "permanentLocationId": location});
    let all: Vec<Option<&str>> = std::iter::once(Some("shelf")).chain(siblings.iter().copied()).collect();
    Situation {
        remote_location: "cave".into(),
        changes_location,
        item: 0,
        own: json!({"id": "own", "permanentLocationId": own}),
        items: all.iter().enumerate().map(item).collect(),
        others: vec![json!({"id": "other", "permanentLocationId": "cave"}); others],
    }
}

#[test]
fn holdings_stay_change_or_are_left() {
    const KEEP: Plan = Plan::Relocate { items_keep: true };
    const ALONE: Plan = Plan::Relocate { items_keep: false };
    let cases: &[(&str, bool, &[Option<&str>], usize, Plan)] = &[
        ("cave", true, &[Some("shelf")], 0, Plan::Stay),
        ("cave", false, &[None], 2, Plan::Stay),
        ("shelf", true, &[Some("shelf"), None], 2, KEEP),
        ("shelf", false, &[], 1, ALONE),
        ("shelf", false, &[Some("cave")], 0, ALONE),
        ("shelf", false, &[Some("cave"), None], 0, Plan::Duplicate),
        ("shelf", false, &[Some("shelf")], 1, Plan::Move { to: 0 }),
    ];
    for (own, changes, siblings, others, plan) in cases {
        let made = situation(own, *changes, siblings, *others).decide().unwrap();
        assert_eq!(made, *plan, "{own} {changes} {siblings:?} {others}");
    }
    let fault = situation("shelf", false, &[Some("shelf")], 2).decide().unwrap_err();
    let message = "More than one holdings record exist with permanent location id=cave";
    assert!(fault.body.render().contains(message), "{fault:?}");
}

#[test]
fn items_without_a_location_keep_the_one_that_they_had() {
    let situation = situation("shelf", true, &[Some("shelf"), None], 0);
    let holdings = situation.relocated_holdings();
    assert_eq!(
        (&holdings["permanentLocationId"], &holdings["effectiveLocationId"]),
        (&json!("cave"), &json!("cave"))
    );
    let place = |keep| {
        let siblings = situation.changed_siblings(&holdings, keep);
        let bare = siblings.iter().find(|item| item["id"] == "2").unwrap();
        (bare["permanentLocationId"].clone(), bare["effectiveLocationId"].clone())
    };
    assert_eq!(place(true), (json!("shelf"), json!("shelf")));
    assert_eq!(place(false), (Value::Null, json!("cave")));
}

#[test]
fn holdings_with_a_temporary_location_keep_it() {
    let mut situation = situation("shelf", true, &[], 0);
    situation.own["temporaryLocationId"] = json!("exhibition");
    assert_eq!(situation.relocated_holdings()["effectiveLocationId"], "exhibition");
}
