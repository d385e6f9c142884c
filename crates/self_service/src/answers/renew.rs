//! Renewal of one loan (29) and of all of a patron's (65).

use octavo_cql::quote_term;
use octavo_kernel::Outcome;
use octavo_sip2::Message;
use serde_json::{Value, json};

use super::loans::{LoanChange, loan_response};
use super::refusal::refusal;
use super::{four_digits, item};
use crate::desk::{Desk, MOST_RECORDS, refused};
use crate::{patron, words};

pub(super) async fn renew(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    if asked.text("AB").is_empty() {
        return Err(refused("A renewal names the item by its barcode"));
    }
    let patron = patron::admit(desk, asked.text("AA"), asked.text("AD")).await?;
    let body = json!({
        "itemBarcode": asked.text("AB"), "userBarcode": patron.barcode(), "servicePointId": desk.service_point()?,
    });
    match desk.post("/circulation/renew-by-barcode", &body).await {
        Ok(loan) => Ok(loan_response(desk, asked, "30", &loan, LoanChange::Renewed)),
        Err(why) => {
            let Some(item) = item::find(desk, asked.text("AB")).await.unwrap_or_default() else {
                return Err(why);
            };
            let title = item["title"].as_str().unwrap_or_default();
            let refused = refusal(asked, &desk.date(), &words::fault_messages(&why));
            refused.map(|refused| refused.with_replaced_field("AJ", title)).ok_or(why)
        }
    }
}

/// Renews one loan after the other. Those beyond the hundredth are left as they are, and the answer says so.
pub(super) async fn renew_all(desk: &mut Desk<'_>, asked: &Message) -> Outcome<Message> {
    let patron = patron::admit(desk, asked.text("AA"), asked.text("AD")).await?;
    let open = format!("userId=={} and status.name==Open sortby dueDate", quote_term(patron.id()));
    let loans = desk.find("/circulation/loans", "loans", &open, MOST_RECORDS).await?;
    let (mut renewed, mut others, mut why) = (Vec::new(), Vec::new(), Vec::new());
    for loan in &loans.records {
        let barcode = loan["item"]["barcode"].as_str().unwrap_or_default().to_owned();
        match renew_loan(desk, patron.barcode(), &barcode).await {
            Ok(_) => renewed.push(barcode),
            Err(fault) => {
                let text = words::fault_messages(&fault).join("; ");
                if !why.contains(&text) && why.len() < 3 {
                    why.push(text);
                }
                others.push(barcode);
            }
        }
    }
    let left = loans.total - loans.records.len();
    if left > 0 {
        why.push(format!("{left} further loans were not renewed"));
    }
    let unrenewed = four_digits(others.len() + left);
    let answer = Message::new("66", &["1", &four_digits(renewed.len()), &unrenewed, &desk.date()])
        .with("AO", asked.text("AO"))
        .with_each("BM", &renewed)
        .with_each("BN", &others)
        .with_each("AF", &why);
    Ok(answer)
}

async fn renew_loan(desk: &Desk<'_>, user: &str, item: &str) -> Outcome<Value> {
    let body = json!({"itemBarcode": item, "userBarcode": user, "servicePointId": desk.service_point()?});
    desk.post("/circulation/renew-by-barcode", &body).await
}
