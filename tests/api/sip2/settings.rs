//! Settings that a library has for its machines, where edge-sip2 keeps them.

use octavo_testkit::fresh_id;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::json;

use super::{Branch, check_out_message, field_values, mask_times, tenant};

#[tokio::test]
async fn the_status_says_what_the_settings_of_edge_sip2_say() {
    let branch = Branch::open().await;
    branch.set_for_all(&json!({
        "statusUpdateOk": false, "offlineOk": true, "patronPasswordVerificationRequired": true,
        "supportedMessages": [
            {"messageName": "CHECKOUT", "isSupported": "Y"}, {"messageName": "PATRON_ENABLE", "isSupported": "Y"},
            {"messageName": "LOGIN", "isSupported": "Y"}, {"messageName": "HOLD", "isSupported": "N"},
        ],
    }))
    .await;
    let terminal = json!({
        "timeoutPeriod": 5, "retriesAllowed": 3, "checkinOk": true, "checkoutOk": false, "acsRenewalPolicy": false,
        "libraryName": "Datalogisk Institut", "terminalLocation": "Entrance",
    });
    branch.set_for_circulation_desk(&terminal).await;
    let mut machine = branch.logged_in_machine().await;
    let expected = format!(
        "98YYNNNY005003<time>2.00AO{}|AMDatalogisk Institut|BXNYNNNNYNNNNNNNNN|ANEntrance|",
        tenant(&branch.desk)
    );
    assert_eq!(mask_times(&machine.send("9900402.00").await), expected);
}

#[tokio::test]
async fn settings_of_mod_settings_come_before_those_of_mod_configuration_and_hold_from_the_next_status_on() {
    let branch = Branch::open().await;
    branch.set_for_circulation_desk(&json!({"libraryName": "Old"})).await;
    let mut machine = branch.logged_in_machine().await;
    let name = async |machine: &mut octavo_testkit::Machine| {
        let status = machine.send("9900402.00").await;
        field_values(&status, "AM", 34).concat()
    };
    assert_eq!(name(&mut machine).await, "Old");
    let entry = json!({
        "id": fresh_id(), "scope": "edge-sip2.config.manage", "key": format!("selfCheckoutConfig.{CIRC_DESK}"),
        "value": {"libraryName": "New"},
    });
    branch.desk.post("/settings/entries", &entry).await.expect(204);
    assert_eq!(name(&mut machine).await, "New");
}

#[tokio::test]
async fn a_library_adds_texts_to_show_and_to_print() {
    let branch = Branch::open().await;
    branch.set_for_circulation_desk(&json!({
        "screenMessages": {"CHECKOUT": "Enjoy"}, "printLines": {"CHECKOUT": "Opening hours: 10-16"}, "maxPrintWidth": 99,
    }))
    .await;
    let (patron, items) = (branch.desk.patron().await, branch.desk.items(2).await);
    let mut machine = branch.logged_in_machine().await;
    let lent = machine.send(&check_out_message(&patron, &items[0])).await;
    assert_eq!(
        (field_values(&lent, "AF", 22), field_values(&lent, "AG", 22)),
        (vec!["Enjoy"], vec!["Opening hours: 10-16"])
    );
    machine.send("9900142.00").await;
    let lent = machine.send(&check_out_message(&patron, &items[1])).await;
    assert_eq!(field_values(&lent, "AG", 22), ["Opening hours:", " 10-16"], "as wide as the machine prints");
    let refused = machine.send(&check_out_message(&patron, &json!({"barcode": "none"}))).await;
    assert!(field_values(&refused, "AG", 22).is_empty() && !refused.contains("Enjoy"), "{refused}");
}

#[tokio::test]
async fn times_are_the_librarys() {
    let branch = Branch::open().await;
    let locale = json!({"module": "ORG", "configName": "localeSettings", "enabled": true,
        "value": json!({"timezone": "Pacific/Kiritimati", "currency": "DKK"}).to_string()});
    branch.desk.post("/configurations/entries", &locale).await.expect(201);
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    let lent = machine.send(&check_out_message(&patron, &item)).await;
    let loan = branch.desk.get("/circulation/loans?query=status.name==Open").await.json()["loans"][0].clone();
    let due: jiff::Timestamp = loan["dueDate"].as_str().unwrap().parse().unwrap();
    let zone = jiff::tz::TimeZone::get("Pacific/Kiritimati").unwrap();
    let due = due.to_zoned(zone).strftime("%Y%m%d    %H%M%S").to_string();
    assert_eq!(field_values(&lent, "AH", 22), [due]);
    let status = machine.send(&format!("23001{}AOo|AA{}|", super::NOW, super::barcode(&patron))).await;
    assert_eq!(field_values(&status, "BH", 35), ["DKK"]);
}
