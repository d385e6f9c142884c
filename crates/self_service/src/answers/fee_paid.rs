//! A payment at the machine (37): of the fee that is named, or of the oldest first.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use octavo_circulation::Money;
use octavo_cql::quote_term;
use octavo_kernel::{Fault, Outcome};
use octavo_sip2::Message;
use serde_json::{Value, json};

use super::patron::{accounts, charge_date, remaining, total_owed};
use super::yes_or_no;
use crate::desk::{Desk, MOST_RECORDS, refused};
use crate::patron::{self, Patron, UNKNOWN_PATRON};
use crate::words;

pub(super) async fn fee_paid(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let record = patron::find(desk, asked.text("AA")).await?.ok_or_else(|| refused(UNKNOWN_PATRON))?;
    let patron = Patron { record, password: None };
    let amount = Money::parse(asked.text("BV")).filter(|amount| *amount > Money::ZERO);
    let amount = amount.ok_or_else(|| refused(format!("{} is no amount to pay", asked.text("BV"))))?;
    let (paid_in, currency) = (asked.fixed("currency").trim(), &desk.settings().currency);
    if !paid_in.is_empty() && !paid_in.eq_ignore_ascii_case(currency) {
        return Err(refused(format!("The library takes {currency}, not {paid_in}")));
    }
    let _in_progress = PaymentInProgress::begin(desk, asked, patron.id())?;
    if let Some(answer) = find_repeated_payment(desk, asked, patron.id(), amount).await? {
        return Ok(answer);
    }
    let mut open = accounts(desk, patron.id()).await?.records;
    let named = asked.text("CG");
    if !named.is_empty() {
        // The fee is named by the id of the account or of the kind of fee, which edge-sip2 sends as `FE`.
        open.retain(|account| account["id"] == named || account["feeFineId"] == named);
        if open.is_empty() {
            return Err(refused("The patron owes nothing for the fee that is named"));
        }
    }
    let due = total_owed(&open);
    if amount > due {
        return Err(refused(format!("The amount {amount} is more than the {due} that is owed")));
    }
    pay(desk, asked, amount, &open).await
}

/// Splits a payment among accounts, the oldest first: some are paid in full, and at most one in part.
fn split_payment(amount: Money, accounts: &[Value]) -> (Vec<&Value>, Option<(&Value, Money)>) {
    let (mut rest, mut full) = (amount, Vec::new());
    for account in accounts.iter().filter(|account| remaining(account) > Money::ZERO) {
        if rest == Money::ZERO {
            break;
        }
        if rest < remaining(account) {
            return (full, Some((account, rest)));
        }
        rest = rest - remaining(account);
        full.push(account);
    }
    (full, None)
}

async fn pay(desk: &Desk<'_>, asked: &Message, amount: Money, open: &[Value]) -> Outcome<Message> {
    let (full, part) = split_payment(amount, open);
    let in_part = part.map_or(Money::ZERO, |(_, rest)| rest);
    let mut booked = Money::ZERO;
    let mut payments = Vec::new();
    if !full.is_empty() {
        let ids: Vec<&Value> = full.iter().map(|account| &account["id"]).collect();
        let mut body = payment_body(desk, asked, amount - in_part)?;
        body["accountIds"] = json!(ids);
        let paid = desk.post("/accounts-bulk/pay", &body).await?;
        payments.extend(payment_actions(&paid));
        booked = amount - in_part;
    }
    if let Some((account, rest)) = part {
        let path = format!("/accounts/{}/pay", account["id"].as_str().unwrap_or_default());
        match desk.post(&path, &payment_body(desk, asked, rest)?).await {
            Ok(paid) => payments.extend(payment_actions(&paid)),
            Err(fault) if booked == Money::ZERO => return Err(fault),
            // A part of the payment is booked already, and the answer has to say so. The rest may fail because another payment was booked
            // meanwhile.
            Err(fault) => return Err(booked_in_part_fault(booked, amount, &fault)),
        }
    }
    let answer = Message::new("38", &[yes_or_no(true), &desk.date()])
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with_some("BK", Some(asked.text("BK")));
    Ok(payments.iter().fold(answer, |answer, payment| with_payment(desk, answer, payment, open)))
}

fn booked_in_part_fault(booked: Money, amount: Money, why: &Fault) -> Fault {
    tracing::error!(%booked, %amount, why = words::fault_messages(why).join("; "), "a payment at a terminal was booked in part");
    refused(format!("Only {booked} of {amount} was booked. Please ask the staff"))
}

fn payment_body(desk: &Desk<'_>, asked: &Message, amount: Money) -> Outcome<Value> {
    let mut body = json!({
        "amount": amount.to_string(), "notifyPatron": true, "servicePointId": desk.service_point()?,
        "userName": desk.signed_in.username, "paymentMethod": payment_method(desk, asked.fixed("payment_type")),
    });
    if !asked.text("BK").is_empty() {
        body["transactionInfo"] = json!(asked.text("BK"));
    }
    Ok(body)
}

fn payment_method(desk: &Desk<'_>, kind: &str) -> String {
    let own = desk.settings().tenant.payment_methods.get(kind).cloned();
    own.unwrap_or_else(|| if kind == "00" { "Cash" } else { "Credit Card" }.to_owned())
}

fn payment_actions(paid: &Value) -> Vec<Value> {
    paid["feefineactions"].as_array().cloned().unwrap_or_default()
}

/// One booked payment with edge-sip2's fields for it.
fn with_payment(desk: &Desk<'_>, answer: Message, payment: &Value, open: &[Value]) -> Message {
    let account = open.iter().find(|account| account["id"] == payment["accountId"]);
    let amount = |name: &str| Money::parse(&payment[name].to_string()).unwrap_or(Money::ZERO).to_string();
    answer
        .with("CG", payment["accountId"].as_str().unwrap_or_default())
        .with("FA", &amount("balance"))
        .with("FC", &account.map(|account| charge_date(desk, account)).unwrap_or_default())
        .with("FE", account.and_then(|account| account["feeFineId"].as_str()).unwrap_or_default())
        .with("FG", &amount("amountAction"))
}

/// Tenant, patron and transaction id of a payment.
type PaymentKey = [String; 3];

/// The payments that this process is booking. A machine that gets no answer in time sends its payment again, over another connection, while
/// the first one may still be waiting for the database.
static IN_PROGRESS: Mutex<BTreeSet<PaymentKey>> = Mutex::new(BTreeSet::new());

struct PaymentInProgress(PaymentKey);

impl PaymentInProgress {
    /// Refuses a payment that is being booked. Payments without a transaction id cannot be told from others.
    fn begin(desk: &Desk<'_>, asked: &Message, patron: &str) -> Outcome<Option<PaymentInProgress>> {
        let transaction = asked.text("BK");
        if transaction.is_empty() {
            return Ok(None);
        }
        let key = [desk.signed_in.tenant.clone(), patron.to_owned(), transaction.to_owned()];
        let mut all = IN_PROGRESS.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.insert(key.clone()) {
            return Err(refused(format!("The transaction {transaction} is being booked")));
        }
        Ok(Some(PaymentInProgress(key)))
    }
}

impl Drop for PaymentInProgress {
    fn drop(&mut self) {
        IN_PROGRESS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Finds a payment that the machine has sent before. A machine that has lost its connection sends a payment again; by its transaction id it
/// is recognised and not booked twice.
async fn find_repeated_payment(
    desk: &Desk<'_>,
    asked: &Message,
    patron: &str,
    amount: Money,
) -> Outcome<Option<Message>> {
    let transaction = asked.text("BK");
    if transaction.is_empty() {
        return Ok(None);
    }
    let query =
        format!("userId=={} and transactionInformation=={}", quote_term(patron), quote_term(transaction));
    let found = desk.find_unshown("/feefineactions", "feefineactions", &query, MOST_RECORDS).await?;
    if found.records.is_empty() {
        return Ok(None);
    }
    let booked: Money =
        found.records.iter().filter_map(|action| Money::parse(&action["amountAction"].to_string())).sum();
    if booked != amount {
        return Err(refused(format!("The transaction {transaction} was booked before, with {booked}")));
    }
    let answer = Message::new("38", &[yes_or_no(true), &desk.date()])
        .with("AO", asked.text("AO"))
        .with("AA", asked.text("AA"))
        .with("BK", transaction);
    Ok(Some(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_fees_are_paid_first() {
        let accounts = [
            json!({"remaining": 5.0}),
            json!({"remaining": 0.0}),
            json!({"remaining": 2.5}),
            json!({"remaining": 1}),
        ];
        for (cents, full, part) in [
            (500, 1, None),
            (100, 0, Some(100)),
            (600, 1, Some(100)),
            (750, 2, None),
            (800, 2, Some(50)),
            (850, 3, None),
        ] {
            let (paid, rest) = split_payment(Money::from_cents(cents), &accounts);
            assert_eq!((paid.len(), rest.map(|(_, rest)| rest.as_cents())), (full, part), "{cents}");
        }
    }
}
