//! Checksums, messages that are sent again, and how machines write.

use octavo_testkit::reference::CIRC_DESK;
use octavo_testkit::{MachineLimits, octavo};
use serde_json::json;

use super::{Branch, check_out_message, field_values, log_in_message, tenant, user};

/// The message with its sequence number and checksum.
fn with_checksum(message: &str, sequence: u8) -> String {
    let text = format!("{message}AY{sequence}AZ");
    let sum = text.bytes().fold(0_u16, |sum, byte| sum.wrapping_add(u16::from(byte))).wrapping_neg();
    format!("{text}{sum:04X}")
}

#[tokio::test]
async fn a_machine_that_checks_is_answered_with_its_sequence_number_and_a_checksum() {
    let branch = Branch::open().await;
    let mut machine = branch.machines.connect().await;
    let answer = machine.send(&with_checksum(&log_in_message("kiosk", "secret", CIRC_DESK), 7)).await;
    assert_eq!(answer, with_checksum("941", 7));
    let status = machine.send(&with_checksum("9900402.00", 8)).await;
    let end = status.len() - 9;
    assert_eq!(status, with_checksum(&status[..end], 8));
    let plain = machine.send("9900402.00").await;
    assert!(!plain.contains("AY8") && !plain.contains("AZ"), "{plain}");
}

#[tokio::test]
async fn what_is_damaged_is_asked_for_again() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    for damaged in ["9900402.00AY1AZ0000", "9", "0", "4712", "2300120260101", "9300CNa|?|", "941", "98YYYYYY"]
    {
        assert_eq!(machine.send(damaged).await, "96", "{damaged}");
        assert!(machine.send("9900402.00").await.starts_with("98Y"), "{damaged}");
    }
}

#[tokio::test]
async fn the_last_answer_is_sent_again() {
    let branch = Branch::open().await;
    let mut machine = branch.machines.connect().await;
    assert_eq!(machine.send("97").await, "96", "there is none yet");
    let answer = machine.send(&with_checksum(&log_in_message("kiosk", "secret", CIRC_DESK), 1)).await;
    assert_eq!(machine.send("97AZFEF5").await, answer);
    assert_eq!(machine.send("9900402.00AY1AZ0000").await, "96AZFEF6");
    assert_eq!(
        machine.send("97AZFEF5").await,
        answer,
        "what asked for something to be sent again is no answer"
    );
}

#[tokio::test]
async fn a_message_that_comes_again_is_not_done_again() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    let message = with_checksum(&check_out_message(&patron, &item), 3);
    let first = machine.send(&message).await;
    assert!(first.starts_with("121NUY"), "{first}");
    assert_eq!(machine.send(&message).await, first, "the machine had not heard the answer");
    let new = machine.send(&with_checksum(&check_out_message(&patron, &item), 4)).await;
    assert!(new.starts_with("120NUN"), "another message is another check-out: {new}");
}

#[tokio::test]
async fn a_message_that_comes_again_after_another_log_in_is_done() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    user(&branch.desk, "other", "secret", super::PERMISSIONS).await;
    let mut machine = branch.logged_in_machine().await;
    let message = with_checksum(&check_out_message(&patron, &item), 3);
    assert!(machine.send(&message).await.starts_with("121NUY"));
    assert_eq!(machine.send(&log_in_message("other", "secret", CIRC_DESK)).await, "941");
    let again = machine.send(&message).await;
    assert!(again.starts_with("120NUN"), "the item is on loan: {again}");
}

#[tokio::test]
async fn a_library_may_ask_for_checksums_and_other_marks_and_letters() {
    let branch = Branch::open().await;
    let mut patron = branch.desk.patron().await;
    patron["personal"] = json!({"lastName": "Müller 本", "preferredContactTypeId": "002"});
    branch.desk.put(&format!("/users/{}", patron["id"].as_str().unwrap()), &patron).await.expect(204);
    let tenant = tenant(&branch.desk);
    for (charset, bytes) in [
        ("IBM850", &b"AEM\x81ller ?"[..]),
        ("ISO-8859-1", b"AEM\xFCller ?"),
        ("US-ASCII", b"AEMuller ?"),
        ("UTF-8", "AEMüller 本".as_bytes()),
    ] {
        let terminals = json!({
            "scTenants": [{"scSubnet": "127.0.0.0/8", "tenant": tenant, "charset": charset, "errorDetectionEnabled": true,
                "fieldDelimiter": "^", "messageDelimiter": "\r\n"}],
        });
        let machines = octavo().await.machines(&terminals.to_string(), MachineLimits::default()).await;
        let mut machine = machines.connect().await;
        let plain = log_in_message("kiosk", "secret", CIRC_DESK).replace('|', "^");
        assert_eq!(machine.send(&plain).await, "96AZFEF6");
        machine.write(format!("{}\r\n", with_checksum(&plain, 1)).as_bytes()).await;
        assert_eq!(machine.answer().await.as_deref().map(str::trim), Some(&*with_checksum("941", 1)));
        let asked = format!("23001{}AOo^AA{}^", super::NOW, super::barcode(&patron));
        machine.write(format!("{}\r\n", with_checksum(&asked, 2)).as_bytes()).await;
        let answer = machine.bytes().await.unwrap();
        assert!(
            answer.windows(bytes.len()).any(|window| window == bytes),
            "{charset}: {}",
            answer.escape_ascii()
        );
        assert!(answer.contains(&b'^') && !answer.contains(&b'|'), "{}", answer.escape_ascii());
    }
}

#[tokio::test]
async fn the_location_code_of_a_log_in_names_the_tenant() {
    let (north, south) = (Branch::open().await, Branch::open().await);
    user(&south.desk, "southern", "secret", super::PERMISSIONS).await;
    let terminals = json!({
        "tenant": tenant(&north.desk), "charset": "UTF-8",
        "scTenants": [{"tenant": tenant(&south.desk), "locationCodes": ["cd2"]}],
    });
    let machines = octavo().await.machines(&terminals.to_string(), MachineLimits::default()).await;
    let mut machine = machines.connect().await;
    assert_eq!(machine.send(&log_in_message("southern", "secret", "cd1")).await, "940");
    assert_eq!(machine.send(&log_in_message("southern", "secret", "cd2")).await, "941");
    let status = machine.send("9900402.00").await;
    assert_eq!(field_values(&status, "AO", 34), [tenant(&south.desk)]);
}

#[tokio::test]
async fn messages_may_come_in_pieces_and_several_at_once() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    for piece in ["99", "004", "02.00", "\r\n9900402.00\r", "97\r"] {
        machine.write(piece.as_bytes()).await;
    }
    for _ in 0..3 {
        assert!(machine.answer().await.unwrap().starts_with("98Y"));
    }
}
