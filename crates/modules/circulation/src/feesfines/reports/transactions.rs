//! `POST /feefine-reports/financial-transactions-detail`: all actions on the fees of one owner, each with its patron, item and loan.

use octavo_circulation::Money;
use octavo_engine::{Request, Response, Snapshot};
use octavo_kernel::Outcome;
use octavo_modules_base::circulation_records::LOAN_POLICY;
use octavo_modules_base::fee_records::{LOST_ITEM_FEE_POLICY, OVERDUE_FINE_POLICY};
use octavo_modules_base::inventory_records::{LOCATION, SERVICE_POINT};
use octavo_modules_base::template_engine::locale;
use octavo_modules_base::user_records::GROUP;
use octavo_pg::{Columns, Read, Statement};
use octavo_record::RecordType;
use octavo_template::Locale;
use serde_json::{Value, json};
use uuid::Uuid;

use super::days::Days;
use super::line::{Line, comment, date, money, name};
use super::totals::totals;
use super::{member_by_id, snapshot, texts};

const REQUEST: &str =
    include_str!("../../../../folio/records/mod-feesfines/financialTransactionsDetailReportRequest.tsv");

/// The columns of the report, in FOLIO's order.
const COLUMNS: &str = "\
    feeFineOwner feeFineType billedAmount dateBilled feeFineCreatedAt feeFineSource feeFineId action \
    actionAmount actionDate actionCreatedAt actionSource actionStatus actionAdditionalStaffInfo \
    actionAdditionalPatronInfo paymentMethod transactionInfo waiveReason refundReason transferAccount \
    patronId patronName patronBarcode patronGroup patronEmail instance contributors itemBarcode \
    callNumber effectiveLocation loanDate dueDate returnDate loanPolicyId loanPolicyName \
    overdueFinePolicyId overdueFinePolicyName lostItemPolicyId lostItemPolicyName loanId \
    holdingsRecordId instanceId itemId";

/// An action with its records; deleted ones are null.
struct Transaction {
    action: Value,
    account: Value,
    charge: Value,
    user: Value,
    item: Value,
    instance: Value,
    loan: Value,
}

impl Read<'_> for Transaction {
    fn read(columns: &mut Columns<'_>) -> Transaction {
        let records: [Option<Value>; 7] = columns.take();
        let [action, account, charge, user, item, instance, loan] = records.map(Option::unwrap_or_default);
        Transaction { action, account, charge, user, item, instance, loan }
    }
}

/// The snapshot, with the names of places, groups and policies, and the form of dates.
struct ReportNames<'a> {
    snapshot: &'a Snapshot,
    locale: &'a Locale,
}

pub(in crate::feesfines) async fn transactions(request: Request) -> Outcome<Response> {
    let wanted = request.checked_json(REQUEST)?;
    let snapshot = snapshot(&request).await?;
    let locale = locale(&snapshot);
    let days = Days::from_body(&wanted, &locale.zone)?;
    let owner = wanted["feeFineOwner"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    let done = Statement::new(DONE)
        .maybe_text(days.from.as_deref())
        .maybe_text(days.before.as_deref())
        .maybe_uuid(owner)
        .texts(texts(&wanted["createdAt"]));
    let mut session = request.context.session().await?;
    let transactions: Vec<Transaction> = session.read(done).await?;
    let house = ReportNames { snapshot: &snapshot, locale: &locale };
    let lines: Vec<Value> = transactions.iter().map(|transaction| house.line(transaction)).collect();
    Ok(Response::json(200, &json!({"reportData": lines, "reportStats": stats(&transactions)})))
}

impl ReportNames<'_> {
    fn line(&self, transaction: &Transaction) -> Value {
        let mut line = Line::blank(COLUMNS);
        self.set_action_columns(&mut line, &transaction.action);
        self.set_account_columns(&mut line, transaction);
        self.set_patron_columns(&mut line, &transaction.user);
        self.set_item_columns(&mut line, transaction);
        self.set_loan_columns(&mut line, &transaction.loan);
        line.into_json()
    }

    fn set_action_columns(&self, line: &mut Line, action: &Value) {
        line.set("action", action_name(action));
        line.set_members(
            action,
            &[
                ("actionSource", "source"),
                ("actionStatus", "typeAction"),
                ("transactionInfo", "transactionInformation"),
            ],
        );
        line.set("actionDate", date(&action["dateAction"], self.locale));
        line.set("actionCreatedAt", Some(self.service_point(action)));
        line.set("actionAdditionalStaffInfo", comment(action, "STAFF"));
        line.set("actionAdditionalPatronInfo", comment(action, "PATRON"));
        line.set("actionAmount", Some(money(&action["amountAction"]).unwrap_or_default()));
        for (column, kind) in [
            ("paymentMethod", "Payment"),
            ("waiveReason", "Waive"),
            ("refundReason", "Refund"),
            ("transferAccount", "Transfer"),
        ] {
            line.set(column, method_of(action, kind));
        }
    }

    fn set_account_columns(&self, line: &mut Line, transaction: &Transaction) {
        let Transaction { account, charge, .. } = transaction;
        line.set_members(
            account,
            &[
                ("feeFineOwner", "feeFineOwner"),
                ("feeFineType", "feeFineType"),
                ("feeFineId", "id"),
                ("patronId", "userId"),
            ],
        );
        line.set("billedAmount", money(&account["amount"]));
        line.set("dueDate", date(&account["dueDate"], self.locale));
        line.set("returnDate", date(&account["returnedDate"], self.locale));
        if !charge.is_null() {
            line.set("dateBilled", date(&charge["dateAction"], self.locale));
            line.set("feeFineCreatedAt", Some(self.service_point(charge)));
            line.set("feeFineSource", charge["source"].as_str());
        }
    }

    fn set_patron_columns(&self, line: &mut Line, user: &Value) {
        if user.is_null() {
            return;
        }
        line.set("patronName", Some(name(user)));
        line.set("patronBarcode", user["barcode"].as_str());
        let personal = &user["personal"];
        line.set("patronEmail", if personal.is_null() { Some("") } else { personal["email"].as_str() });
        let group = self.member_by_id(&GROUP, &user["patronGroup"], "group");
        line.set("patronGroup", Some(group.unwrap_or_default()));
    }

    fn set_item_columns(&self, line: &mut Line, transaction: &Transaction) {
        let Transaction { item, instance, .. } = transaction;
        if item.is_null() {
            return;
        }
        line.set_members(
            item,
            &[("itemId", "id"), ("itemBarcode", "barcode"), ("holdingsRecordId", "holdingsRecordId")],
        );
        line.set("callNumber", item["effectiveCallNumberComponents"]["callNumber"].as_str());
        let location = self.member_by_id(&LOCATION, &item["effectiveLocationId"], "name");
        line.set("effectiveLocation", Some(location.unwrap_or_default()));
        if !instance.is_null() {
            line.set_members(instance, &[("instanceId", "id"), ("instance", "title")]);
            let contributors = instance["contributors"].as_array().into_iter().flatten();
            let names: Vec<&str> = contributors.filter_map(|one| one["name"].as_str()).collect();
            line.set("contributors", Some(names.join(", ")));
        }
    }

    fn set_loan_columns(&self, line: &mut Line, loan: &Value) {
        if loan.is_null() {
            return;
        }
        line.set_members(loan, &[("loanId", "id"), ("loanPolicyId", "loanPolicyId")]);
        line.set("loanDate", date(&loan["loanDate"], self.locale));
        if let Some(policy) = self.member_by_id(&LOAN_POLICY, &loan["loanPolicyId"], "name") {
            line.set("loanPolicyName", Some(policy));
        }
        for (kind, id, policy) in [
            (&OVERDUE_FINE_POLICY, "overdueFinePolicyId", "overdueFinePolicyName"),
            (&LOST_ITEM_FEE_POLICY, "lostItemPolicyId", "lostItemPolicyName"),
        ] {
            if let Some(found) = self.member_by_id(kind, &loan[id], "name") {
                line.set(id, loan[id].as_str());
                line.set(policy, Some(found));
            }
        }
    }

    fn service_point(&self, action: &Value) -> &str {
        self.member_by_id(&SERVICE_POINT, &action["createdAt"], "name").unwrap_or_default()
    }

    fn member_by_id(&self, kind: &RecordType, id: &Value, member: &str) -> Option<&str> {
        member_by_id(self.snapshot, kind, id, member)
    }
}

fn action_name(action: &Value) -> Option<&'static str> {
    let (first, _) = action["typeAction"].as_str()?.split_once(' ')?;
    Some(match first {
        "Paid" => "Payment",
        "Waived" => "Waive",
        "Refunded" => "Refund",
        "Transferred" => "Transfer",
        "Cancelled" => "Cancelled",
        "Staff" => "Staff info only",
        _ => return None,
    })
}

/// `paymentMethod` of an action of this kind, which is the method of a payment, the reason of a waiver or refund, or the account of a
/// transfer. Empty for other actions.
fn method_of<'a>(action: &'a Value, kind: &str) -> Option<&'a str> {
    if action_name(action) == Some(kind) { action["paymentMethod"].as_str() } else { Some("") }
}

fn stats(transactions: &[Transaction]) -> Value {
    let sum = |name: &dyn Fn(&Transaction) -> Option<&str>, all: &str| {
        let counted = transactions.iter().map(|done| {
            (name(done).filter(|name| !name.is_empty()), Money::read(&done.action["amountAction"]))
        });
        totals(counted, all)
    };
    let by_method = |kind: &'static str, all: &str| sum(&|done| method_of(&done.action, kind), all);
    json!({
        "byFeeFineOwner": sum(&|done| done.account["feeFineOwner"].as_str(), "Fee/fine owner totals"),
        "byFeeFineType": sum(&|done| done.account["feeFineType"].as_str(), "Fee/fine type totals"),
        "byAction": sum(&|done| action_name(&done.action), "Action totals"),
        "byPaymentMethod": by_method("Payment", "Payment method totals"),
        "byWaiveReason": by_method("Waive", "Waive reason totals"),
        "byRefundReason": by_method("Refund", "Refund reason totals"),
        "byTransferAccount": by_method("Transfer", "Transfer account totals"),
    })
}

/// `c` is the charge: the first action of the account and, of several at the same instant, one without `paymentMethod`.
const DONE: &str = "\
select f.doc::text, a.doc::text, c.doc, u.doc::text, i.doc::text, n.doc::text, l.doc::text
from feefineactions f
join accounts a on a.id = f.\"accountId\"
left join users u on u.id = a.\"userId\"
left join item i on i.id = a.\"itemId\"
left join holdings_record h on h.id = i.\"holdingsRecordId\"
left join instance n on n.id = h.\"instanceId\"
left join loan l on l.id = a.\"loanId\"
left join lateral (
  select o.doc::text as doc
  from feefineactions o
  where o.\"accountId\" = a.id
  order by o.\"dateAction\", o.doc ->> 'paymentMethod' is not null, o.id
  limit 1
) c on true
where f.\"typeAction\" in (
    'paid fully', 'paid partially', 'waived fully', 'waived partially', 'transferred fully', 'transferred partially',
    'refunded fully', 'refunded partially', 'cancelled as error', 'staff info only'
  )
  and ($1::text is null or f.\"dateAction\" >= $1)
  and ($2::text is null or f.\"dateAction\" < $2)
  and a.\"ownerId\" = $3
  and (cardinality($4::text[]) = 0 or f.\"createdAt\" = any($4))
order by f.\"dateAction\", f.id";

octavo_pg::statements!(other = [DONE]);
