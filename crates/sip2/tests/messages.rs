//! Messages as terminals send them and as the library answers. Their form is the standard's.

use jiff::civil::date;
use octavo_sip2::{Encoding, ErrorDetection, Message, Misread, Moment, Terminator, Wire};

fn read(bytes: &str) -> Result<Message, Misread> {
    Message::read(bytes.as_bytes(), &Wire::default())
}

#[test]
fn a_log_in_is_read_and_its_answer_is_written() {
    let login = read("9300CNLoginUserID|COLoginPassword|CPLocationCode|AY5AZEC7B").unwrap();
    assert_eq!((login.kind.name, login.sequence), ("login", Some(5)));
    assert_eq!(
        (login.text("CN"), login.text("CO"), login.text("CP")),
        ("LoginUserID", "LoginPassword", "LocationCode")
    );
    assert_eq!(login.fixed("user_algorithm"), "0");
    let mut answer = Message::new("94", &["1"]);
    answer.sequence = Some(3);
    assert_eq!(answer.write(&Wire::default(), true), b"941AY3AZFDFA\r");
    assert_eq!(answer.write(&Wire::default(), false), b"941\r");
}

#[test]
fn a_patron_status_is_read_and_answered() {
    let asked = read("2300119960212    100239AOid_21|AA104000000105|AC|AD|AY2AZF271").unwrap();
    assert_eq!((asked.fixed("language"), asked.fixed("date")), ("001", "19960212    100239"));
    assert_eq!((asked.text("AO"), asked.text("AA"), asked.text("AD")), ("id_21", "104000000105", ""));
    let status = format!("{:14}", "    Y");
    let mut answer =
        Message::new("24", &[&status, "001", &Moment::write(date(1996, 2, 12).at(10, 2, 39, 0))])
            .with("AO", "")
            .with("AA", "104000000105")
            .with("AE", "John Doe")
            .with("AF", "Screen Message")
            .with("AG", "Check Print message");
    answer.sequence = Some(2);
    let expected = "24    Y         00119960212    100239AO|AA104000000105|AEJohn Doe|AFScreen Message|AGCheck Print message|AY2AZ";
    let written = String::from_utf8(answer.write(&Wire::default(), true)).unwrap();
    assert!(written.starts_with(expected), "{written}");
    let again = Message::read(written.trim_end().as_bytes(), &Wire::default()).unwrap();
    assert_eq!(again, answer);
}

#[test]
fn what_is_no_message_is_told_by_its_cause() {
    for (bytes, why) in [
        ("", Misread::UnknownCode),
        ("9", Misread::UnknownCode),
        ("4200", Misread::UnknownCode),
        ("2300119960212", Misread::TooShort),
        ("9300CNa|X|", Misread::NoFieldCode),
        ("9300CNa|é1x|", Misread::NoFieldCode),
        ("941AY3AZFDFB", Misread::Checksum),
    ] {
        assert_eq!(read(bytes), Err(why), "{bytes}");
    }
    let many = format!("9300{}", "CNa|".repeat(65));
    assert_eq!(read(&many), Err(Misread::TooManyFields));
}

#[test]
fn a_library_may_ask_for_checksums_and_for_letters_of_one_encoding() {
    let strict = Wire { error_detection: ErrorDetection::Required, ..Wire::default() };
    assert_eq!(Message::read(b"9900302.00", &strict), Err(Misread::NoChecksum));
    let status = Message::read(b"9900302.00AY1AZFCA5", &strict).unwrap();
    assert_eq!(
        (status.fixed("status"), status.fixed("max_print_width"), status.fixed("version")),
        ("0", "030", "2.00")
    );
    assert!(Message::read(b"97AZFEF5", &strict).is_ok());
    let utf8 = Wire { encoding: Encoding::Utf8, ..Wire::default() };
    assert_eq!(Message::read(b"9300CN\xFC|", &utf8), Err(Misread::Encoding));
    assert_eq!(Message::read(b"9300CN\x81|", &Wire::default()).unwrap().text("CN"), "ü");
}

#[test]
fn what_would_end_a_field_or_a_message_is_a_space_in_it() {
    let message = Message::new("94", &["1"]).with("AF", "a|b\rc~d#e");
    assert_eq!(message.write(&Wire::default(), false), b"941AFa b c~d#e|\r");
    let wire = Wire { delimiter: '~', terminator: Terminator::new("#").unwrap(), ..Wire::default() };
    assert_eq!(message.write(&wire, false), b"941AFa|b c d e~#");
}

#[test]
fn values_have_the_widths_of_their_fields() {
    let message = Message::new("99", &["0", "8", "2.00 and more"]).with("AF", &"x".repeat(300));
    let written = message.write(&Wire::default(), false);
    assert!(written.starts_with(b"9908  2.00AFxxx"), "{}", written.escape_ascii());
    assert_eq!(written.len(), 10 + 2 + 255 + 1 + 1);
    let lines = Message::new("94", &["1"]).with_lines("AG", "abcdefgh", 3);
    assert_eq!(lines.all("AG").collect::<Vec<_>>(), ["abc", "def", "gh"]);
}

#[test]
fn a_delimiter_is_a_mark_that_ends_no_message() {
    let sound = |delimiter, end| {
        Wire { delimiter, terminator: Terminator::new(end).unwrap(), ..Wire::default() }.is_sound()
    };
    assert!(sound('|', "\r") && sound('~', "\r\n"));
    assert!(!sound('A', "\r") && !sound(' ', "\r") && !sound('é', "\r") && !sound('#', "##"));
    assert!(["", "a", " ", "é", "123456789"].into_iter().all(|end| Terminator::new(end).is_none()));
}
