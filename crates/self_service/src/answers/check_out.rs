//! Check-out (11).

use octavo_cql::quote_term;
use octavo_kernel::{Fault, Outcome};
use octavo_sip2::Message;
use serde_json::{Value, json};

use super::item;
use super::loans::{LoanChange, loan_response};
use super::refusal::refusal;
use crate::desk::{Desk, refused};
use crate::patron::{self, Patron};
use crate::{times, words};

pub(super) async fn check_out(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    if asked.text("BI") == "Y" {
        return Err(refused("A check-out cannot be cancelled from a terminal; check the item in"));
    }
    let patron = patron::admit(desk, asked.text("AA"), asked.text("AD")).await?;
    let mut body = json!({
        "itemBarcode": asked.text("AB"), "userBarcode": patron.barcode(), "servicePointId": desk.service_point()?,
    });
    // "No block": the machine has lent the item already, while it could not reach the library.
    if asked.says_yes("no_block")
        && let Some(at) =
            times::parse_time(asked.fixed("date"), &desk.settings().zone).filter(|at| *at < desk.now)
    {
        body["loanDate"] = json!(at.to_string());
    }
    match desk.post("/circulation/check-out-by-barcode", &body).await {
        Ok(loan) => Ok(loan_response(desk, asked, "12", &loan, LoanChange::CheckedOut)),
        Err(fault) => renew_or_refuse(desk, asked, &patron, fault).await,
    }
}

/// An item that the patron has already is renewed, if the machine allows it. Otherwise the refusal names the title, so that the patron
/// knows which item of the pile is meant.
async fn renew_or_refuse(desk: &Desk<'_>, asked: &Message, patron: &Patron, why: Fault) -> Outcome<Message> {
    let Some(item) = item::find(desk, asked.text("AB")).await.unwrap_or_default() else { return Err(why) };
    if asked.says_yes("renewal_policy") && has_open_loan(desk, patron, &item).await? {
        let body = json!({"itemBarcode": asked.text("AB"), "userBarcode": patron.barcode()});
        let loan = desk.post("/circulation/renew-by-barcode", &body).await?;
        return Ok(loan_response(desk, asked, "12", &loan, LoanChange::Renewed));
    }
    let titled = |refusal: Message| {
        let title = item["title"].as_str().unwrap_or_default();
        refusal.with_replaced_field("AJ", title)
    };
    refusal(asked, &desk.date(), &words::fault_messages(&why)).map(titled).ok_or(why)
}

async fn has_open_loan(desk: &Desk<'_>, patron: &Patron, item: &Value) -> Outcome<bool> {
    let (user, item) = (quote_term(patron.id()), quote_term(item["id"].as_str().unwrap_or_default()));
    let open = format!("userId=={user} and itemId=={item} and status.name==Open");
    Ok(desk.first("/circulation/loans", "loans", &open).await?.is_some())
}
