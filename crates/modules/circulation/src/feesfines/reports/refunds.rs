//! `POST /feefine-reports/refund`: refunds with the payments and transfers before them.

use octavo_circulation::Money;
use octavo_engine::{Request, Response, Snapshot};
use octavo_kernel::{Fault, Kind, Outcome};
use octavo_modules_base::template_engine::locale;
use octavo_modules_base::user_records::GROUP;
use octavo_pg::Statement;
use octavo_template::Locale;
use serde_json::{Value, json};

use super::days::Days;
use super::line::{Line, comment, date, money, name};
use super::{ids, member_by_id, snapshot};

const REQUEST: &str = include_str!("../../../../folio/records/mod-feesfines/refundReportRequest.tsv");

/// The columns of the report, in FOLIO's order.
const COLUMNS: &str = "\
    patronName patronBarcode patronId patronGroup feeFineType billedAmount dateBilled paidAmount \
    paymentMethod transactionInfo transferredAmount transferAccount feeFineId refundDate refundAmount \
    refundAction refundReason staffInfo patronInfo itemBarcode instance actionCompletionDate \
    staffMemberName actionTaken feeFineOwner";

pub(in crate::feesfines) async fn refunds(request: Request) -> Outcome<Response> {
    let wanted = request.checked_json(REQUEST)?;
    if wanted["startDate"].is_null() && !wanted["endDate"].is_null() {
        return Err(Fault::new(Kind::Refused, "Start date should not be empty when end date is specified"));
    }
    let snapshot = snapshot(&request).await?;
    let locale = locale(&snapshot);
    let days = Days::from_body(&wanted, &locale.zone)?;
    let refunded = Statement::new(REFUNDED)
        .maybe_text(days.from.as_deref())
        .maybe_text(days.before.as_deref())
        .uuids(ids(&wanted["feeFineOwners"]));
    let mut session = request.context.session().await?;
    let refunds: Vec<Refund> = session.read(refunded).await?;
    let lines: Vec<Value> = refunds.iter().map(|refund| line(refund, &snapshot, &locale)).collect();
    Ok(Response::json(200, &json!({"reportData": lines})))
}

/// A row of [`REFUNDED`]; deleted records are `None`.
struct Refund {
    action: Value,
    account: Option<Value>,
    user: Option<Value>,
    earlier: Option<Value>,
    has_item: bool,
    barcode: Option<String>,
    title: Option<String>,
}

octavo_pg::columns!(Refund { action, account, user, earlier, has_item, barcode, title });

fn line(refund: &Refund, snapshot: &Snapshot, locale: &Locale) -> Value {
    let action = &refund.action;
    let mut line = Line::blank(COLUMNS);
    line.set_members(action, &[("patronId", "userId"), ("feeFineId", "accountId")]);
    // Without its account, a refund has no further columns.
    if let Some(account) = &refund.account {
        set_refund_columns(&mut line, action, locale);
        line.set_members(account, &[("feeFineType", "feeFineType"), ("feeFineOwner", "feeFineOwner")]);
        line.set("billedAmount", money(&account["amount"]));
        line.set("dateBilled", date(&account["metadata"]["createdDate"], locale));
        set_source_columns(&mut line, action, refund.earlier.as_ref());
        if let Some(user) = &refund.user {
            line.set("patronName", Some(name(user)));
            line.set_members(user, &[("patronBarcode", "barcode"), ("patronId", "id")]);
            let group = member_by_id(snapshot, &GROUP, &user["patronGroup"], "group");
            line.set("patronGroup", Some(group.unwrap_or_default()));
        }
        if refund.has_item {
            line.set("itemBarcode", refund.barcode.as_deref());
            line.set("instance", Some(refund.title.as_deref().unwrap_or_default()));
        }
    }
    line.into_json()
}

fn set_refund_columns(line: &mut Line, action: &Value, locale: &Locale) {
    line.set_members(action, &[("refundAction", "typeAction"), ("refundReason", "paymentMethod")]);
    line.set("refundDate", date(&action["dateAction"], locale));
    line.set("refundAmount", Some(money(&action["amountAction"]).unwrap_or_default()));
    line.set("staffInfo", comment(action, "STAFF"));
    line.set("patronInfo", comment(action, "PATRON"));
}

/// Adds the earlier payments or transfers, whichever the refund says that it gives back, else both.
fn set_source_columns(line: &mut Line, refund: &Value, earlier: Option<&Value>) {
    let earlier = || {
        earlier
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter(|action| !action["amountAction"].is_null())
    };
    let of_kind = |kind: &'static str| {
        earlier()
            .filter(move |action| action["typeAction"].as_str().is_some_and(|name| name.starts_with(kind)))
    };
    let (payments, transfers) = (|| of_kind("Paid "), || of_kind("Transferred "));
    let sum = |actions: &mut dyn Iterator<Item = &Value>| -> String {
        actions.filter_map(|action| Money::read(&action["amountAction"])).sum::<Money>().to_string()
    };
    let recipient = refund["transactionInformation"].as_str();
    if recipient != Some("Refunded to Bursar") {
        line.set("paidAmount", Some(sum(&mut payments())));
        line.set("paymentMethod", one_of(payments().map(|paid| paid["paymentMethod"].as_str()), "Multiple"));
        let told = payments().map(|paid| paid["transactionInformation"].as_str());
        line.set("transactionInfo", one_of(told, "See Fee/fine details page"));
    }
    if recipient != Some("Refunded to patron") {
        line.set("transferredAmount", Some(sum(&mut transfers())));
        line.set(
            "transferAccount",
            one_of(transfers().map(|sent| sent["paymentMethod"].as_str()), "Multiple"),
        );
    }
}

/// The common value, or `several` if they differ.
fn one_of<'a>(mut values: impl Iterator<Item = Option<&'a str>>, several: &'a str) -> Option<&'a str> {
    let Some(first) = values.next() else { return Some("") };
    if values.all(|value| value == first) { first } else { Some(several) }
}

const REFUNDED: &str = "\
select f.doc::text, a.doc::text, u.doc::text, e.actions::text, i.id is not null, i.doc ->> 'barcode', n.doc ->> 'title'
from feefineactions f
left join accounts a on a.id = f.\"accountId\"
left join users u on u.id = a.\"userId\"
left join item i on i.id = a.\"itemId\"
left join holdings_record h on h.id = i.\"holdingsRecordId\"
left join instance n on n.id = h.\"instanceId\"
left join lateral (
  select json_agg(p.doc) as actions
  from feefineactions p
  where p.\"accountId\" = a.id
    and p.\"typeAction\" in ('paid fully', 'paid partially', 'transferred fully', 'transferred partially')
    and p.\"dateAction\" <= f.\"dateAction\"
) e on true
where f.\"typeAction\" in ('refunded fully', 'refunded partially')
  and ($1::text is null or f.\"dateAction\" >= $1)
  and ($2::text is null or f.\"dateAction\" < $2)
  and (cardinality($3::uuid[]) = 0 or a.\"ownerId\" = any($3))
order by f.\"dateAction\", f.id";

octavo_pg::statements!(other = [REFUNDED]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_told_in_one_word() {
        let told = |values: &[Option<&'static str>]| one_of(values.iter().copied(), "Multiple");
        assert_eq!(told(&[]), Some(""));
        assert_eq!(told(&[Some("Cash"), Some("Cash")]), Some("Cash"));
        assert_eq!(told(&[Some("Cash"), Some("Card")]), Some("Multiple"));
        assert_eq!(told(&[Some("Cash"), None]), Some("Multiple"));
        assert_eq!(told(&[None, None]), None);
    }
}
