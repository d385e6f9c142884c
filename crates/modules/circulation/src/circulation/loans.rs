//! `GET /circulation/loans`: stored loans with their items, borrowers, policies, service points and open fees. Two round
//! trips whatever the number of loans: the page, then everything that it refers to.

use std::collections::HashMap;

use octavo_circulation::facts::{Item, Patron};
use octavo_circulation::unknown_loan;
use octavo_circulation::view::{LoanView, loan_view};
use octavo_engine::{ListRequest, Request, Response, list as list_records};
use octavo_kernel::{Outcome, RawJson, json_text, raw_json};
use octavo_modules_base::circulation_records::LOAN;
use octavo_pg::{Batch, Session, Statement};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::Desk;
use super::gather::{ITEMS, ItemRow, patron_of};

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let listing = ListRequest::from_request(&request)?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let (loans, total_records) = list_records(&mut session, &LOAN, &listing).await?;
    let loans = views(&desk, &mut session, loans).await?;
    Ok(Response::json_text(200, json_text(&Page { loans, total_records })))
}

/// A page of loans as FOLIO's collections show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    loans: Vec<RawJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_records: Option<i64>,
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let text = request.path_parameter(0);
    let unknown = || unknown_loan(text);
    let id = Uuid::parse_str(text).map_err(|_| unknown())?;
    let desk = Desk::current(&request.context).await?;
    let mut session = request.context.session().await?;
    let loan = octavo_engine::find(&mut session, &LOAN, id).await?.ok_or_else(unknown)?;
    let mut loans = views(&desk, &mut session, vec![loan]).await?;
    Ok(Response::json_text(200, loans.pop().unwrap_or_default().get()))
}

async fn views(desk: &Desk, session: &mut Session, loans: Vec<Value>) -> Outcome<Vec<RawJson>> {
    if loans.is_empty() {
        return Ok(Vec::new());
    }
    let related = Related::read(session, desk, &loans).await?;
    Ok(loans.iter().map(|loan| related.view(loan, desk)).collect())
}

struct Related {
    items: HashMap<String, Item>,
    borrowers: HashMap<String, Patron>,
    /// What remains to be paid, by loan.
    fees: HashMap<String, f64>,
}

impl Related {
    async fn read(session: &mut Session, desk: &Desk, loans: &[Value]) -> Outcome<Related> {
        let ids = |field: &str| -> Vec<Uuid> {
            loans.iter().filter_map(|loan| Uuid::parse_str(loan[field].as_str()?).ok()).collect()
        };
        let mut batch = Batch::default();
        let items =
            batch.ask::<ItemRow>(Statement::new(desk.choose_for_stock(&ITEMS).as_str()).uuids(ids("itemId")));
        let users = Statement::new(BORROWERS).uuids(ids("userId"));
        let users = batch.ask::<Option<Value>>(users);
        let fees = batch.ask::<(Uuid, &str)>(Statement::new(FEES).uuids(ids("id")));
        let answers = batch.send(session).await?;
        let items = answers.each(items).filter_map(|row| row.item(desk));
        let borrowers = answers.each(users).flatten().map(|user| patron_of(user, desk));
        let fees = answers.each(fees).map(|(loan, sum)| (loan.to_string(), sum.parse().unwrap_or(0.0)));
        Ok(Related {
            items: items.map(|item| (item.id().to_owned(), item)).collect(),
            borrowers: borrowers.map(|user| (user.id().to_owned(), user)).collect(),
            fees: fees.collect(),
        })
    }

    fn view(&self, loan: &Value, desk: &Desk) -> RawJson {
        let id = |field: &str| loan[field].as_str().unwrap_or_default();
        let group = desk.group(loan["patronGroupIdAtCheckout"].as_str());
        raw_json(&loan_view(&LoanView {
            loan,
            item: self.items.get(id("itemId")),
            borrower: self.borrowers.get(id("userId")),
            patron_group_at_checkout: group.as_ref(),
            policies: &desk.policies,
            service_points: &desk.service_points,
            with_service_points: true,
            amount_remaining_to_pay: self.fees.get(id("id")).copied().unwrap_or(0.0),
            due_date_changed_by_hold: false,
            due_date_changed_by_near_expire_user: false,
            computed: &[],
        }))
    }
}

/// The sums of the open accounts of each loan.
const FEES: &str = "\
select \"loanId\", sum((doc ->> 'remaining')::numeric)::text
from accounts
where \"loanId\" = any($1) and \"status.name\" = 'open'
group by \"loanId\"";

const BORROWERS: &str = "select doc::text from users where id = any($1)";

octavo_pg::statements!(hot = [FEES, BORROWERS]);
