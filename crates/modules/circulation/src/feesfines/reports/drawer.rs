//! `POST /feefine-reports/cash-drawer-reconciliation` and `.../sources`: the payments at a service point, the staff who took them, and
//! the sums.

use octavo_circulation::Money;
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_modules_base::template_engine::locale;
use octavo_pg::Statement;
use octavo_template::Locale;
use serde_json::{Value, json};

use super::days::Days;
use super::line::{Line, comment, date, money};
use super::totals::totals;
use super::{snapshot, texts};

const REQUEST: &str =
    include_str!("../../../../folio/records/mod-feesfines/cashDrawerReconciliationReportRequest.tsv");
const SOURCES_REQUEST: &str =
    include_str!("../../../../folio/records/mod-feesfines/cashDrawerReconciliationReportSourcesRequest.tsv");

/// The columns of the report, in FOLIO's order.
const COLUMNS: &str = "\
    source paymentMethod paidAmount feeFineOwner feeFineType paymentDate paymentStatus transactionInfo \
    additionalStaffInfo additionalPatronInfo patronId feeFineId";

struct Payment {
    action: Value,
    /// `None` if the account was deleted.
    account: Option<Value>,
}

pub(in crate::feesfines) async fn drawer(request: Request) -> Outcome<Response> {
    let wanted = request.checked_json(REQUEST)?;
    let locale = locale(&*snapshot(&request).await?);
    let days = Days::from_body(&wanted, &locale.zone)?;
    let taken = Statement::new(TAKEN)
        .maybe_text(days.from.as_deref())
        .maybe_text(days.before.as_deref())
        .text(wanted["createdAt"].as_str().unwrap_or_default())
        .texts(texts(&wanted["sources"]));
    let mut session = request.context.session().await?;
    let payments: Vec<(Value, Option<Value>)> = session.read(taken).await?;
    let payments: Vec<Payment> =
        payments.into_iter().map(|(action, account)| Payment { action, account }).collect();
    let lines: Vec<Value> = payments.iter().map(|payment| line(payment, &locale)).collect();
    Ok(Response::json(200, &json!({"reportData": lines, "reportStats": stats(&payments)})))
}

fn line(payment: &Payment, locale: &Locale) -> Value {
    let Payment { action, account } = payment;
    let mut line = Line::blank(COLUMNS);
    line.set_members(
        action,
        &[
            ("source", "source"),
            ("paymentMethod", "paymentMethod"),
            ("paymentStatus", "typeAction"),
            ("transactionInfo", "transactionInformation"),
            ("feeFineId", "accountId"),
            ("patronId", "userId"),
        ],
    );
    line.set("paidAmount", money(&action["amountAction"]));
    line.set("paymentDate", date(&action["dateAction"], locale));
    line.set("additionalStaffInfo", comment(action, "STAFF"));
    line.set("additionalPatronInfo", comment(action, "PATRON"));
    if let Some(account) = account {
        line.set_members(account, &[("feeFineOwner", "feeFineOwner"), ("feeFineType", "feeFineType")]);
    }
    line.into_json()
}

fn stats(payments: &[Payment]) -> Value {
    let sum = |name: &dyn Fn(&Payment) -> Option<&str>, all: &str| {
        let counted =
            payments.iter().map(|payment| (name(payment), Money::read(&payment.action["amountAction"])));
        totals(counted, all)
    };
    json!({
        "bySource": sum(&|payment| payment.action["source"].as_str(), "Source totals"),
        "byPaymentMethod": sum(&|payment| payment.action["paymentMethod"].as_str(), "Payment method totals"),
        "byFeeFineType": sum(&|payment| account_member(payment, "feeFineType"), "Fee/fine type totals"),
        "byFeeFineOwner": sum(&|payment| account_member(payment, "feeFineOwner"), "Fee/fine owner totals"),
    })
}

/// FOLIO counts payments for deleted accounts under a dash.
fn account_member<'a>(payment: &'a Payment, member: &str) -> Option<&'a str> {
    payment.account.as_ref().map_or(Some("-"), |account| account[member].as_str())
}

pub(in crate::feesfines) async fn drawer_sources(request: Request) -> Outcome<Response> {
    let wanted = request.checked_json(SOURCES_REQUEST)?;
    let service_point = wanted["createdAt"].as_str().unwrap_or_default();
    let mut session = request.context.session().await?;
    let sources: Vec<String> = session.read(Statement::new(SOURCES).text(service_point)).await?;
    Ok(Response::json(200, &json!({"sources": sources})))
}

const TAKEN: &str = "\
select f.doc::text, a.doc::text
from feefineactions f
left join accounts a on a.id = f.\"accountId\"
where f.\"typeAction\" in ('paid fully', 'paid partially')
  and ($1::text is null or f.\"dateAction\" >= $1)
  and ($2::text is null or f.\"dateAction\" < $2)
  and f.\"createdAt\" = $3
  and (cardinality($4::text[]) = 0 or f.source = any($4))
order by a.doc ->> 'feeFineOwner', f.source, f.\"dateAction\", f.id";

/// Goes from one name to the next in the index, so that the actions of years are not read for a few names.
const SOURCES: &str = "\
with recursive named as (
  select min(f.source) as source
  from feefineactions f
  where f.\"createdAt\" = $1
  union all
  select (select min(f.source) from feefineactions f where f.\"createdAt\" = $1 and f.source > n.source)
  from named n
  where n.source is not null
)
select n.source
from named n
where n.source is not null
  and exists (
    select
    from feefineactions f
    where f.\"createdAt\" = $1
      and f.source = n.source
      and f.\"typeAction\" in ('paid fully', 'paid partially')
  )
order by n.source";

octavo_pg::statements!(other = [TAKEN, SOURCES]);
