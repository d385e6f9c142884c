//! The answers that refuse. They are in one table, so that no failure is ever answered as a success.

use octavo_sip2::{MAX_FIELD_CHARACTERS, Message};

/// The answer to a message that was refused, with what is to be shown; `None` for messages that are not answered so.
pub(crate) fn refusal(asked: &Message, date: &str, words: &[String]) -> Option<Message> {
    const NO_RIGHTS: &str = "YYYYYYYYYYYYYY";
    const NONE: &str = "0000";
    let new = Message::new;
    let echo = |answer: Message, codes: &[&str]| {
        codes.iter().fold(answer, |answer, code| answer.with(code, asked.text(code)))
    };
    let language = asked.fixed("language");
    let language = if language.trim().is_empty() { "000" } else { language };
    let answer = match asked.kind.code {
        "01" | "23" => {
            echo(new("24", &[NO_RIGHTS, language, date]), &["AO", "AA"]).with("AE", "").with("BL", "N")
        }
        "09" => echo(new("10", &["0", "N", "U", "N", date]), &["AO", "AB"]).with("AQ", ""),
        "11" => {
            echo(new("12", &["0", "N", "U", "N", date]), &["AO", "AA", "AB"]).with("AJ", "").with("AH", "")
        }
        "15" => echo(new("16", &["0", "N", date]), &["AO", "AA", "AB"]),
        "17" => echo(new("18", &["01", "00", "01", date]), &["AB"]).with("AJ", ""),
        "19" => echo(new("20", &["0", date]), &["AB"]),
        "25" => echo(new("26", &[NO_RIGHTS, language, date]), &["AO", "AA"]).with("AE", "").with("BL", "N"),
        "29" => {
            echo(new("30", &["0", "N", "U", "N", date]), &["AO", "AA", "AB"]).with("AJ", "").with("AH", "")
        }
        "35" => echo(new("36", &["N", date]), &["AO", "AA"]),
        "37" => echo(new("38", &["N", date]), &["AO", "AA"]).with_some("BK", Some(asked.text("BK"))),
        "63" => {
            let counts = [NONE; 6];
            let [a, b, c, d, e, f] = counts;
            let fixed = [NO_RIGHTS, language, date, a, b, c, d, e, f];
            echo(new("64", &fixed), &["AO", "AA"]).with("AE", "").with("BL", "N")
        }
        "65" => echo(new("66", &["0", NONE, NONE, date]), &["AO"]),
        "93" => return Some(new("94", &["0"])),
        _ => return None,
    };
    Some(words.iter().fold(answer, |answer, words| answer.with_lines("AF", words, MAX_FIELD_CHARACTERS)))
}

#[cfg(test)]
mod tests {
    use octavo_sip2::{KINDS, Sender, Wire};

    use super::*;

    #[test]
    fn every_message_but_three_can_be_refused_and_none_says_yes() {
        for kind in KINDS.iter().filter(|kind| kind.sender == Sender::Terminal) {
            let fixed: Vec<&str> = kind.fixed.iter().map(|_| "").collect();
            let asked = Message::new(kind.code, &fixed).with("AA", "1").with("AB", "2").with("AO", "3");
            let refused = refusal(&asked, "20260101    000000", &["No".to_owned()]);
            if ["97", "99"].contains(&kind.code) {
                assert_eq!(refused, None);
                continue;
            }
            let refused = refused.unwrap();
            assert_eq!(Some(refused.kind.code), kind.answer);
            for name in ["ok", "renewal_ok", "accepted", "ended", "available", "desensitize", "resensitize"] {
                assert!(matches!(refused.fixed(name), "" | "0" | "N"), "{} {name}", kind.code);
            }
            let written = refused.write(&Wire::default(), false);
            assert!(kind.code == "93" || written.ends_with(b"AFNo|\r"), "{}", written.escape_ascii());
        }
    }
}
