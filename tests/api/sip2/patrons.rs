//! Patron status (23/24), patron information (63/64), blocks (01), and the end of a visit (35/36).

use serde_json::{Value, json};

use super::{Branch, NOW, barcode, field_values, give_password, mask_times};

fn status(patron: &Value) -> String {
    format!("23001{NOW}AOo|AA{}|AC|AD|", barcode(patron))
}

fn information(patron: &Value, summary: &str) -> String {
    format!("63001{NOW}{summary:10}AOo|AA{}|", barcode(patron))
}

async fn block_patron(branch: &Branch, patron: &Value, what: &str) {
    let mut block = json!({"type": "Manual", "desc": "For staff", "patronMessage": "Come to the desk", "userId": patron["id"]});
    block[what] = json!(true);
    branch.desk.post("/manualblocks", &block).await.expect(201);
}

#[tokio::test]
async fn a_patrons_status_names_what_is_denied() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    for (what, letters) in [("", "    "), ("borrowing", "Y   "), ("renewals", " Y  "), ("requests", "  YY")] {
        let patron = branch.desk.patron().await;
        if !what.is_empty() {
            block_patron(&branch, &patron, what).await;
        }
        let answer = mask_times(&machine.send(&status(&patron)).await);
        let why = if what.is_empty() { "" } else { "AFCome to the desk|" };
        let who = barcode(&patron);
        let expected = format!("24{letters:14}001<time>AOo|AA{who}|AEFreya Nielsen|BLY|BHUSD|BV0.00|{why}");
        assert_eq!(answer, expected);
    }
}

#[tokio::test]
async fn a_card_that_is_not_known_or_not_valid_has_no_rights() {
    let branch = Branch::open().await;
    let mut expired = branch.desk.patron().await;
    expired["expirationDate"] = json!("2020-01-01T00:00:00Z");
    branch.desk.put(&format!("/users/{}", expired["id"].as_str().unwrap()), &expired).await.expect(204);
    let mut machine = branch.logged_in_machine().await;
    for who in [&expired, &json!({"barcode": "none"}), &json!({"barcode": ""})] {
        let answer = machine.send(&status(who)).await;
        assert!(answer.starts_with("24YYYYYYYYYYYYYY001"), "{answer}");
        assert_eq!((field_values(&answer, "BL", 35), field_values(&answer, "AE", 35)), (vec!["N"], vec![""]));
        let answer = machine.send(&information(who, "")).await;
        assert!(answer.starts_with("64YYYYYYYYYYYYYY001") && answer.contains("|BLN|"), "{answer}");
    }
}

#[tokio::test]
async fn a_patron_is_known_by_barcode_external_id_or_user_name() {
    let branch = Branch::open().await;
    let mut patron = branch.desk.patron().await;
    patron["externalSystemId"] = json!("E-4711");
    branch.desk.put(&format!("/users/{}", patron["id"].as_str().unwrap()), &patron).await.expect(204);
    let mut machine = branch.logged_in_machine().await;
    for who in [&patron["barcode"], &patron["externalSystemId"], &patron["username"]] {
        let answer = machine.send(&status(&json!({"barcode": who}))).await;
        assert!(answer.contains("|BLY|") && answer.contains("AEFreya Nielsen"), "{answer}");
    }
}

#[tokio::test]
async fn whether_a_password_is_right_is_told_and_without_it_nothing_more() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    give_password(&branch.desk, &patron, "open").await;
    let asked = |password: &str| format!("23001{NOW}AOo|AA{}|AD{password}|", barcode(&patron));
    let mut machine = branch.logged_in_machine().await;
    for (password, told) in [("open", vec!["Y"]), ("wrong", vec!["N"]), ("", vec![])] {
        let answer = machine.send(&asked(password)).await;
        assert_eq!(
            (field_values(&answer, "CQ", 35), field_values(&answer, "BL", 35)),
            (told, vec!["Y"]),
            "{answer}"
        );
        assert!(answer.contains("AEFreya Nielsen"), "{answer}");
    }
    branch.set_for_all(&json!({"patronPasswordVerificationRequired": true})).await;
    machine.send("9900402.00").await;
    let answer = machine.send(&asked("wrong")).await;
    assert!(answer.starts_with("24YYYYYYYYYYYYYY"), "{answer}");
    assert_eq!(
        (field_values(&answer, "CQ", 35), field_values(&answer, "AE", 35)),
        (vec!["N"], vec![""]),
        "{answer}"
    );
    assert_eq!(field_values(&machine.send(&asked("open")).await, "CQ", 35), ["Y"]);
}

#[tokio::test]
async fn information_counts_everything_and_lists_what_was_asked_for() {
    let branch = Branch::open().await;
    let desk = &branch.desk;
    let (mut patron, items) = (desk.patron().await, desk.items(3).await);
    patron["personal"] = json!({
        "lastName": "Ærø", "firstName": "Åse", "email": "aase@example.org", "phone": "12", "preferredContactTypeId": "002",
        "addresses": [{"addressLine1": "Havnegade 1", "city": "Odense", "postalCode": "5000", "primaryAddress": true,
            "addressTypeId": "93d3d88d-499b-45d0-9bc7-ac73c3a19880"}],
    });
    desk.put(&format!("/users/{}", patron["id"].as_str().unwrap()), &patron).await.expect(204);
    for item in &items {
        desk.check_out(item, &patron).await.expect(201);
    }
    let late = desk.open_loans(&format!("itemId=={}", items[1]["id"].as_str().unwrap())).await.remove(0);
    let due = json!({"dueDate": "2026-01-02T00:00:00Z"});
    desk.post(&format!("/circulation/loans/{late}/change-due-date"), &due).await.expect(204);
    super::fees::charge_patron(&branch, &patron, 7.5, "2026-01-01T00:00:00Z").await;
    let mut machine = branch.logged_in_machine().await;
    let answer = machine.send(&information(&patron, "  Y")).await;
    let (fixed, rest) = answer.split_at(61);
    assert_eq!(&fixed[..19], "64              001");
    assert_eq!(
        &fixed[37..],
        "000000010003000100000000",
        "holds, overdues, charged, fines, recalls, unavailable holds"
    );
    let who = barcode(&patron);
    assert!(rest.starts_with(&format!("AOo|AA{who}|AEÅse Ærø|BLY|BHUSD|BV7.50|")), "{rest}");
    assert_eq!(field_values(&answer, "AU", 59).len(), 3);
    assert_eq!(field_values(&answer, "BD", 59), ["Havnegade 1, Odense, 5000"]);
    assert_eq!(field_values(&answer, "BE", 59), ["aase@example.org"]);
    assert_eq!(
        (field_values(&answer, "BF", 59), field_values(&answer, "FU", 59)),
        (vec!["12"], vec!["faculty"])
    );
    assert_eq!(
        field_values(&machine.send(&information(&patron, " Y")).await, "AT", 59),
        [barcode(&items[1])]
    );
    let part = format!("{}BP2|BQ2|", information(&patron, "  Y"));
    assert_eq!(field_values(&machine.send(&part).await, "AU", 59).len(), 1);
    let fees = machine.send(&information(&patron, "      Y")).await;
    assert_eq!(
        (field_values(&fees, "FA", 59), field_values(&fees, "FC", 59)),
        (vec!["7.50"], vec!["01.01.2026"]),
        "{fees}"
    );
    assert_eq!((field_values(&fees, "CG", 59).len(), field_values(&fees, "AU", 59).len()), (1, 0), "{fees}");
}

#[tokio::test]
async fn a_machine_that_keeps_a_card_blocks_the_patron() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let mut machine = branch.logged_in_machine().await;
    let message = format!("01Y{NOW}AOo|ALCard left behind|AA{}|AC|", barcode(&patron));
    let answer = machine.send(&message).await;
    assert!(answer.starts_with("24YYYY          000"), "{answer}");
    assert_eq!(field_values(&answer, "AF", 35), ["Card left behind"]);
    let query = format!("userId=={}", patron["id"].as_str().unwrap());
    let blocks = branch.desk.find("/manualblocks", &query).await.expect(200).json();
    assert_eq!(blocks["totalRecords"], 1);
    let told = blocks["manualblocks"][0]["staffInformation"].as_str().unwrap();
    assert!(told.contains("kiosk") && told.contains("kept the card"), "{told}");
    let unknown = machine.send(&format!("01N{NOW}AOo|AL|AAnone|AC|")).await;
    assert!(unknown.contains("|BLN|"), "{unknown}");
}

#[tokio::test]
async fn blocks_are_not_lifted_by_a_machine() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    block_patron(&branch, &patron, "borrowing").await;
    let mut machine = branch.logged_in_machine().await;
    let answer = machine.send(&format!("25{NOW}AOo|AA{}|", barcode(&patron))).await;
    assert!(answer.starts_with("26Y             000"), "{answer}");
    assert!(field_values(&answer, "AF", 35).contains(&"Blocks are lifted by the staff"), "{answer}");
}

#[tokio::test]
async fn a_visit_ends() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    give_password(&branch.desk, &patron, "open").await;
    let who = barcode(&patron);
    let mut machine = branch.logged_in_machine().await;
    let ended = mask_times(&machine.send(&format!("35{NOW}AOo|AA{who}|")).await);
    assert_eq!(ended, format!("36Y<time>AOo|AA{who}|"));
    assert!(machine.send(&format!("35{NOW}AOo|AAnone|")).await.starts_with("36Y"));
    branch.set_for_all(&json!({"patronPasswordVerificationRequired": true})).await;
    machine.send("9900402.00").await;
    for (password, answer) in [("wrong", "36N"), ("open", "36Y")] {
        let ended = machine.send(&format!("35{NOW}AOo|AA{who}|AD{password}|")).await;
        assert!(ended.starts_with(answer), "{ended}");
    }
}
