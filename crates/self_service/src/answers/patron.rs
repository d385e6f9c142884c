//! Patron status (23) and patron information (63).

use jiff::Timestamp;
use octavo_circulation::Money;
use octavo_cql::quote_term;
use octavo_engine::Method;
use octavo_kernel::{Outcome, parse_time};
use octavo_sip2::{MAX_FIELD_CHARACTERS, Message};
use serde_json::Value;

use super::four_digits;
use super::refusal::refusal;
use super::standing::Standing;
use super::yes_or_no;
use crate::desk::{Desk, Found, MOST_RECORDS, refused};
use crate::patron::{self, Patron, UNKNOWN_PATRON};

pub(super) async fn status(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    match identify_patron(desk, asked).await? {
        Ok(patron) => status_of(desk, asked, patron).await,
        Err(refusal) => Ok(refusal),
    }
}

/// No machine lifts blocks in FOLIO: the answer is the patron's status as it is.
pub(super) async fn enable(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    match identify_patron(desk, asked).await? {
        Ok(patron) => {
            Ok(status_as(desk, asked, patron, "26").await?.with("AF", "Blocks are lifted by the staff"))
        }
        Err(refusal) => Ok(refusal),
    }
}

pub(super) async fn status_of(desk: &Desk<'_>, asked: &Message, patron: Patron) -> Outcome<Message> {
    status_as(desk, asked, patron, "24").await
}

async fn status_as(desk: &Desk<'_>, asked: &Message, patron: Patron, code: &str) -> Outcome<Message> {
    let standing = Standing::load(desk, patron.id()).await?;
    let accounts = accounts(desk, patron.id()).await?;
    let answer = Message::new(code, &[&standing.letters(), language(asked), &desk.date()])
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with("AE", &patron.name())
        .with("BL", yes_or_no(patron.is_valid(desk.now)))
        .with_some("CQ", patron.password.map(yes_or_no))
        .with("BH", &desk.settings().currency)
        .with("BV", &total_owed(&accounts.records).to_string());
    Ok(standing.why.iter().fold(answer, |answer, why| answer.with_lines("AF", why, MAX_FIELD_CHARACTERS)))
}

/// The patron, or the answer that the library does not know the patron, or that a required password is wrong.
async fn identify_patron(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Result<Patron, Message>> {
    let no = |desk: &Desk<'_>, words: &str| {
        refusal(asked, &desk.date(), &[words.to_owned()]).ok_or_else(|| refused(words))
    };
    let Some(record) = patron::find(desk, asked.text("AA")).await? else {
        return no(desk, UNKNOWN_PATRON).map(Err);
    };
    let mut patron = Patron { record, password: None };
    if !patron.is_valid(desk.now) {
        return no(desk, UNKNOWN_PATRON).map(Err);
    }
    patron::check(desk, &mut patron, asked.text("AD")).await?;
    if patron.password == Some(false) && desk.settings().tenant.patron_password_verification_required {
        // The answer says that the card is valid, and nothing else about the patron.
        let answer = no(desk, patron::WRONG_PASSWORD)?.with_replaced_field("BL", "Y").with("CQ", "N");
        return Ok(Err(answer));
    }
    Ok(Ok(patron))
}

fn language(asked: &Message) -> &str {
    match asked.fixed("language") {
        "" | "   " => "000",
        language => language,
    }
}

/// The list that the machine requests in its summary field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Summary {
    Holds,
    Overdues,
    Charged,
    Fines,
    Recalls,
    UnavailableHolds,
    /// edge-sip2's own: fees with their ids, which a payment may name.
    Fees,
    Nothing,
}

impl Summary {
    /// The first `Y` counts: the standard allows one.
    fn read(text: &str) -> Summary {
        const PLACES: [Summary; 7] = [
            Summary::Holds,
            Summary::Overdues,
            Summary::Charged,
            Summary::Fines,
            Summary::Recalls,
            Summary::UnavailableHolds,
            Summary::Fees,
        ];
        text.find('Y').and_then(|at| PLACES.get(at)).copied().unwrap_or(Summary::Nothing)
    }
}

/// The open records of a patron.
struct OpenRecords {
    loans: Found,
    requests: Found,
    accounts: Found,
    recalls: Vec<Value>,
}

pub(super) async fn information(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let patron = match identify_patron(desk, asked).await? {
        Ok(patron) => patron,
        Err(refusal) => return Ok(refusal),
    };
    let standing = Standing::load(desk, patron.id()).await?;
    let open = load_open_records(desk, patron.id()).await?;
    let is_overdue = |loan: &&Value| {
        loan["dueDate"].as_str().and_then(parse_time).is_some_and(|due: Timestamp| due < desk.now)
    };
    let is_waiting = |request: &&Value| request["status"] == "Open - Awaiting pickup";
    let owes = |account: &&Value| remaining(account) > Money::ZERO;
    let (loans, requests, fees) = (&open.loans.records, &open.requests.records, &open.accounts.records);
    let overdues: Vec<&Value> = loans.iter().filter(is_overdue).collect();
    let (holds, later): (Vec<&Value>, Vec<&Value>) = requests.iter().partition(is_waiting);
    let fines: Vec<&Value> = fees.iter().filter(owes).collect();
    let fixed = [
        &standing.letters(),
        language(asked),
        &desk.date(),
        &four_digits(holds.len()),
        &four_digits(overdues.len()),
        &four_digits(open.loans.total),
        &four_digits(fines.len()),
        &four_digits(open.recalls.len()),
        &four_digits(open.requests.total - holds.len()),
    ];
    let answer = Message::new("64", &fixed)
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with("AE", &patron.name())
        .with("BL", "Y")
        .with_some("CQ", patron.password.map(yes_or_no))
        .with("BH", &desk.settings().currency)
        .with("BV", &total_owed(fees).to_string());
    let of_items = |records: Vec<&Value>| {
        requested_range(asked, records.into_iter().map(|record| barcode(&record["item"])))
    };
    let answer = match Summary::read(asked.fixed("summary")) {
        Summary::Holds => answer.with_each("AS", of_items(holds)),
        Summary::Overdues => answer.with_each("AT", of_items(overdues)),
        Summary::Charged => answer.with_each("AU", of_items(loans.iter().collect())),
        Summary::Fines => {
            answer.with_each("AV", requested_range(asked, fines.iter().map(|fee| barcode(fee))))
        }
        Summary::Recalls => answer.with_each("BU", of_items(open.recalls.iter().collect())),
        Summary::UnavailableHolds => answer.with_each("CD", of_items(later)),
        Summary::Fees => requested_range(asked, fines.into_iter())
            .iter()
            .fold(answer, |answer, fee| with_fee(desk, answer, fee)),
        Summary::Nothing => answer,
    };
    let answer = with_person(desk, answer, &patron).await?;
    Ok(standing.why.iter().fold(answer, |answer, why| answer.with_lines("AF", why, MAX_FIELD_CHARACTERS)))
}

async fn load_open_records(desk: &Desk<'_>, patron: &str) -> Outcome<OpenRecords> {
    let user = quote_term(patron);
    let loans = format!("userId=={user} and status.name==Open sortby dueDate");
    let loans = desk.find("/circulation/loans", "loans", &loans, MOST_RECORDS).await?;
    let requests = format!("requesterId=={user} and status==\"Open*\" sortby requestDate");
    let requests = desk.find("/circulation/requests", "requests", &requests, MOST_RECORDS).await?;
    let items: Vec<String> =
        loans.records.iter().filter_map(|loan| loan["itemId"].as_str().map(quote_term)).collect();
    let recalls = match items.is_empty() {
        true => Vec::new(),
        false => {
            let query =
                format!("requestType==Recall and status==\"Open*\" and itemId==({})", items.join(" or "));
            desk.find("/circulation/requests", "requests", &query, MOST_RECORDS).await?.records
        }
    };
    Ok(OpenRecords { loans, requests, accounts: accounts(desk, patron).await?, recalls })
}

/// The patron's open fee/fine accounts, the oldest first.
pub(super) async fn accounts(desk: &Desk<'_>, patron: &str) -> Outcome<Found> {
    let query = format!("userId=={} and status.name==Open sortby metadata.createdDate", quote_term(patron));
    desk.find("/accounts", "accounts", &query, MOST_RECORDS).await
}

pub(super) fn remaining(account: &Value) -> Money {
    Money::parse(&account["remaining"].to_string()).unwrap_or(Money::ZERO)
}

pub(super) fn total_owed(accounts: &[Value]) -> Money {
    accounts.iter().map(remaining).sum()
}

fn barcode(item: &Value) -> String {
    item["barcode"].as_str().unwrap_or_default().to_owned()
}

/// The part of a list that the machine asks for: from the item `BP` to the item `BQ`, counted from 1.
fn requested_range<T>(asked: &Message, list: impl Iterator<Item = T>) -> Vec<T> {
    let number = |code: &str| asked.text(code).parse::<usize>().ok();
    let first = number("BP").unwrap_or(1).max(1);
    let last = number("BQ").unwrap_or(usize::MAX);
    list.skip(first - 1).take(last.saturating_sub(first - 1)).collect()
}

/// One fee with the fields that edge-sip2 has for it.
fn with_fee(desk: &Desk<'_>, answer: Message, fee: &Value) -> Message {
    let text = |name: &str| fee[name].as_str().unwrap_or_default();
    answer
        .with("CG", text("id"))
        .with("FA", &remaining(fee).to_string())
        .with_some("FB", Some(text("barcode")))
        .with("FC", &charge_date(desk, fee))
        .with_some("FD", Some(text("title")))
        .with("FE", text("feeFineId"))
        .with("FF", text("feeFineType"))
}

/// The day on which a fee was charged, as `31.12.2026`.
pub(super) fn charge_date(desk: &Desk<'_>, fee: &Value) -> String {
    let at = fee["dateCreated"].as_str().or(fee["metadata"]["createdDate"].as_str()).and_then(parse_time);
    let zone = desk.settings().zone.clone();
    at.map(|at: Timestamp| at.to_zoned(zone).strftime("%d.%m.%Y").to_string()).unwrap_or_default()
}

/// Adds address, e-mail, telephone and patron group, in the fields that edge-sip2 uses for them.
async fn with_person(desk: &Desk<'_>, answer: Message, patron: &Patron) -> Outcome<Message> {
    let personal = &patron.record["personal"];
    let text = |name: &str| personal[name].as_str();
    let answer = answer
        .with_some("BD", Some(&address(personal)))
        .with_some("BE", text("email"))
        .with_some("BF", text("phone"));
    let Some(group) = patron.record["patronGroup"].as_str() else { return Ok(answer) };
    match desk.call(Method::Get, &format!("/groups/{group}"), None).await {
        Ok(group) => {
            Ok(answer.with_some("FU", group["group"].as_str()).with_some("FV", group["desc"].as_str()))
        }
        // A patron's information is worth telling without the group's name.
        Err(fault) if matches!(fault.status, 403 | 404) => Ok(answer),
        Err(fault) => Err(fault),
    }
}

/// The primary address, or the first.
fn address(personal: &Value) -> String {
    let addresses = personal["addresses"].as_array().map_or(&[][..], Vec::as_slice);
    let primary = addresses.iter().find(|address| address["primaryAddress"] == true).or(addresses.first());
    let Some(address) = primary else { return String::new() };
    let parts = ["addressLine1", "addressLine2", "city", "region", "postalCode", "countryId"];
    let parts = parts.iter().filter_map(|part| address[*part].as_str()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asking(summary: &str, first: &str, last: &str) -> Message {
        Message::new("63", &["001", "", summary]).with("BP", first).with("BQ", last)
    }

    #[test]
    fn lists_are_cut_to_what_was_asked_for() {
        let numbers = |first: &str, last: &str| requested_range(&asking("", first, last), 1..=5);
        assert_eq!(numbers("", ""), [1, 2, 3, 4, 5]);
        assert_eq!(numbers("2", "3"), [2, 3]);
        assert_eq!(numbers("0", "1"), [1]);
        assert_eq!(numbers("4", "99999"), [4, 5]);
        assert!(numbers("3", "2").is_empty() && numbers("9", "").is_empty());
    }

    #[test]
    fn one_list_is_asked_for_at_a_time() {
        let summaries = ["          ", "Y         ", "  Y       ", "      Y   ", " Y Y      ", "         Y"];
        let read = summaries.map(Summary::read);
        let expected = [
            Summary::Nothing,
            Summary::Holds,
            Summary::Charged,
            Summary::Fees,
            Summary::Overdues,
            Summary::Nothing,
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn the_primary_address_is_told() {
        let personal = json!({"addresses": [
            {"addressLine1": "Elsewhere 1"}, {"addressLine1": "Skolegade 2", "city": "Odense", "primaryAddress": true},
        ]});
        assert_eq!(address(&personal), "Skolegade 2, Odense");
        assert_eq!(address(&json!({})), "");
    }
}
