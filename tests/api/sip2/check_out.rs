//! Check-out (11/12).

use octavo_testkit::MachineLimits;
use octavo_testkit::reference::CIRC_DESK;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Branch, barcode, check_out_message, field_values, give_password, log_in_message, mask_times};

#[tokio::test]
async fn an_item_is_lent() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    let lent = mask_times(&machine.send(&check_out_message(&patron, &item)).await);
    let (who, what) = (barcode(&patron), barcode(&item));
    assert_eq!(lent, format!("121NUY<time>AOo|AA{who}|AB{what}|AJBeloved|AH<time>|CK001|"));
    assert_eq!(branch.desk.status(&item).await, "Checked out");
}

#[tokio::test]
async fn a_check_out_is_one_look_at_the_patron_and_one_decision() {
    let branch = Branch::open().await;
    let patron = branch.desk.patron().await;
    let server = octavo_testkit::Octavo::start_another().await;
    let terminals = json!({"tenant": super::tenant(&branch.desk), "charset": "UTF-8"}).to_string();
    let machines = server.machines(&terminals, MachineLimits::default()).await;
    let mut machine = machines.connect().await;
    assert_eq!(machine.send(&log_in_message("kiosk", "secret", CIRC_DESK)).await, "941");
    let trips = async || {
        let metrics = octavo_testkit::Client::new(server.address).get("/metrics").await.expect(200).text();
        let of = |module: &str| {
            let name = format!("octavo_round_trips_total{{module=\"{module}\"}} ");
            let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
            line.map_or(0, |count| count.parse::<u64>().unwrap())
        };
        (of("mod-users"), of("mod-circulation"))
    };
    // The least of a few: what is remembered of the tenant is read with the first, and again when the machine is too busy to hear of changes.
    let mut least = (u64::MAX, u64::MAX);
    for item in branch.desk.items(5).await {
        let before = trips().await;
        assert!(machine.send(&check_out_message(&patron, &item)).await.starts_with("121"));
        let after = trips().await;
        least = least.min((after.0 - before.0, after.1 - before.1));
    }
    assert_eq!(least, (1, 2));
}

#[tokio::test]
async fn what_is_not_lent_is_refused_with_the_reason() {
    let branch = Branch::open().await;
    let desk = &branch.desk;
    let (patron, other, blocked) = (desk.patron().await, desk.patron().await, desk.patron().await);
    let mut former = desk.patron().await;
    former["active"] = json!(false);
    desk.put(&format!("/users/{}", former["id"].as_str().unwrap()), &former).await.expect(204);
    let block = json!({"type": "Manual", "desc": "Lost card", "borrowing": true, "userId": blocked["id"]});
    desk.post("/manualblocks", &block).await.expect(201);
    let items = desk.items(2).await;
    desk.check_out(&items[0], &other).await.expect(201);
    let none = json!({"barcode": "none"});
    let quoted = json!({"barcode": "\" or cql.allRecords=1 or barcode==\""});
    let mut machine = branch.logged_in_machine().await;
    for (who, what, title, why) in [
        (&patron, &items[0], "Beloved", "already checked out"),
        (&blocked, &items[1], "Beloved", "blocked"),
        (&none, &items[1], "", "does not know this card"),
        (&former, &items[1], "", "does not know this card"),
        (&quoted, &items[1], "", "does not know this card"),
        (&patron, &none, "", "No item with barcode none"),
        (&patron, &quoted, "", "No item with barcode"),
    ] {
        let refused = machine.send(&check_out_message(who, what)).await;
        assert!(refused.starts_with("120NUN"), "{refused}");
        assert_eq!(field_values(&refused, "AJ", 22), [title], "{refused}");
        assert!(field_values(&refused, "AF", 22).concat().contains(why), "{refused}");
    }
    assert_eq!(desk.status(&items[1]).await, "Available");
}

#[tokio::test]
async fn a_patrons_own_item_is_renewed_where_the_machine_allows_it() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    assert!(machine.send(&check_out_message(&patron, &item)).await.starts_with("121NUY"));
    assert!(machine.send(&check_out_message(&patron, &item)).await.starts_with("120NUN"));
    let renewed = machine.send(&check_out_message(&patron, &item).replacen("11N", "11Y", 1)).await;
    assert!(renewed.starts_with("121YUN") && renewed.contains("AJBeloved"), "{renewed}");
    let other = branch.desk.patron().await;
    let refused = machine.send(&check_out_message(&other, &item).replacen("11N", "11Y", 1)).await;
    assert!(refused.starts_with("120NUN"), "{refused}");
}

fn check_out_with_password(patron: &Value, item: &Value, password: &str) -> String {
    format!("{}AD{password}|", check_out_message(patron, item))
}

#[tokio::test]
async fn a_library_may_ask_for_passwords_or_pins() {
    let branch = Branch::open().await;
    let desk = &branch.desk;
    branch.set_for_all(&json!({"patronPasswordVerificationRequired": true})).await;
    let (patron, without, items) = (desk.patron().await, desk.patron().await, desk.items(2).await);
    give_password(desk, &patron, "open").await;
    let mut machine = branch.logged_in_machine().await;
    for (who, given) in [(&patron, "wrong"), (&patron, ""), (&without, "open")] {
        let refused = machine.send(&check_out_with_password(who, &items[0], given)).await;
        assert!(
            refused.starts_with("120NUN") && refused.contains("AFThe password or PIN is wrong|"),
            "{refused}"
        );
    }
    assert!(machine.send(&check_out_with_password(&patron, &items[0], "open")).await.starts_with("121"));
    let other = machine.send(&check_out_with_password(&patron, &items[1], "wrong")).await;
    assert!(other.starts_with("120"), "what was right before does not make something else right: {other}");
    assert!(machine.send(&check_out_with_password(&patron, &items[1], "open")).await.starts_with("121"));
}

#[tokio::test]
async fn pins_are_checked_instead_of_passwords() {
    let branch = Branch::open().await;
    let desk = &branch.desk;
    let settings = json!({"patronPasswordVerificationRequired": true, "usePinForPatronVerification": true});
    branch.set_for_all(&settings).await;
    let (patron, item) = (desk.patron().await, desk.item().await);
    give_password(desk, &patron, "open").await;
    desk.post("/patron-pin", &json!({"id": patron["id"], "pin": "4711"})).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    assert!(machine.send(&check_out_with_password(&patron, &item, "open")).await.starts_with("120"));
    assert!(machine.send(&check_out_with_password(&patron, &item, "4711")).await.starts_with("121"));
}

#[tokio::test]
async fn pins_are_not_guessed_at_a_machine() {
    let branch = Branch::open().await;
    let settings = json!({"patronPasswordVerificationRequired": true, "usePinForPatronVerification": true});
    branch.set_for_all(&settings).await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    branch.desk.post("/patron-pin", &json!({"id": patron["id"], "pin": "4711"})).await.expect(201);
    let mut machine = branch.logged_in_machine().await;
    // Five guesses are free. The next has to come a second later, and each one after it twice as long after the one before.
    let (begun, mut let_through) = (Instant::now(), 0);
    loop {
        let said = machine.send(&check_out_with_password(&patron, &item, &format!("{let_through:04}"))).await;
        assert!(said.starts_with("120"), "{said}");
        if said.contains("AFToo many attempts") {
            return;
        }
        let_through += 1;
        let passed = begun.elapsed().as_secs();
        assert!(let_through <= 5 + (passed + 1).ilog2(), "{let_through} within {passed} s: {said}");
    }
}

#[tokio::test]
async fn what_was_lent_while_the_library_was_away_is_lent_from_then_on() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    let offline = check_out_message(&patron, &item).replacen("11NN", "11NY", 1);
    assert!(machine.send(&offline).await.starts_with("121"));
    let loan = branch.desk.get("/circulation/loans?query=status.name==Open").await.json()["loans"][0].clone();
    assert_eq!(loan["loanDate"], "2026-01-01T12:00:00.000+00:00");
}

#[tokio::test]
async fn a_check_out_is_not_cancelled() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    assert!(machine.send(&check_out_message(&patron, &item)).await.starts_with("121"));
    let cancelled = machine.send(&format!("{}BIY|", check_out_message(&patron, &item))).await;
    assert!(cancelled.starts_with("120") && cancelled.contains("cannot be cancelled"), "{cancelled}");
    assert_eq!(branch.desk.status(&item).await, "Checked out");
}
