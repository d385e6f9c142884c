//! The answer about one loan, to a check-out (12) and to a renewal (30).

use octavo_sip2::Message;
use serde_json::Value;

use crate::desk::Desk;
use crate::times;

/// How a loan was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoanChange {
    CheckedOut,
    Renewed,
}

/// The answer about a loan. `code` is the code of the answer, 12 or 30. The item leaves the library only if it is checked out.
pub(crate) fn loan_response(
    desk: &Desk<'_>,
    asked: &Message,
    code: &str,
    loan: &Value,
    done: LoanChange,
) -> Message {
    let (renewed, leaves) = match done {
        LoanChange::CheckedOut => ("N", "Y"),
        LoanChange::Renewed => ("Y", "N"),
    };
    let item = &loan["item"];
    Message::new(code, &["1", renewed, "U", leaves, &desk.date()])
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with("AB", asked.text("AB"))
        .with("AJ", item["title"].as_str().unwrap_or_default())
        .with("AH", &times::format_record_time(&loan["dueDate"], &desk.settings().zone).unwrap_or_default())
        .with_some("CK", media_type(item["materialType"]["name"].as_str()))
}

/// The media type of a material type, by edge-sip2's names.
pub(crate) fn media_type(material: Option<&str>) -> Option<&'static str> {
    Some(match material? {
        "book" => "001",
        "dvd" | "video recording" => "005",
        "sound recording" => "004",
        _ => "000",
    })
}
