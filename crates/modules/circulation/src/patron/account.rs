//! `GET /patron/account/{accountId}`: the open loans, open requests and open fees/fines of a patron, with their numbers and sum.
//!
//! One round trip, whatever the patron has. Only where a client sorts, or a patron has more than [`AT_ONCE`] of a kind, are the lists
//! read one after the other, within the bounds of all lists whose records are looked at together.

use octavo_engine::{ListRequest, Request, Response, list_columns};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_modules_base::circulation_records::{LOAN, REQUEST};
use octavo_modules_base::configuration;
use octavo_modules_base::fee_records::ACCOUNT;
use octavo_modules_base::user_records::USER;
use octavo_pg::{AnswerHandle, Answers, Batch, Row, Session, Statement};
use octavo_record::{Page, RecordType, search_columns};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::shown::{Charge, Hold, Loan, Money, Title, remaining};

/// How many records of a kind the one round trip reads at most.
const AT_ONCE: i64 = 1000;
/// The currency of libraries that have set none.
const CURRENCY: &str = "USD";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Account {
    total_charges: Money,
    total_charges_count: i64,
    total_loans: i64,
    total_holds: i64,
    charges: Vec<Charge>,
    holds: Vec<Hold>,
    loans: Vec<Loan>,
}

/// A record with its title, its item and its place in the queue, as far as it has them.
type AccountRow = (Option<Value>, Option<Value>, Option<Uuid>, Option<i64>);

/// Whose account, and how much of it.
struct AccountQuery {
    patron: Uuid,
    /// Of loans, requests and fees/fines.
    lists: [List; 3],
    with_charges: bool,
}

struct List {
    record: &'static RecordType,
    columns: &'static str,
    listing: ListRequest,
    sorted: bool,
}

/// The handles to what the round trip answers about a list.
struct Questions {
    total: AnswerHandle<i64>,
    page: Option<AnswerHandle<AccountRow>>,
}

struct ListRows {
    found: Vec<AccountRow>,
    /// How many the patron has, also of those that are not on the page.
    total: i64,
}

pub(super) async fn answer(request: Request) -> Outcome<Response> {
    let asked = AccountQuery::read(&request)?;
    let context = &request.context;
    let snapshot = context.snapshot().await?;
    let locale = configuration::settings(&snapshot, "ORG", "localeSettings").unwrap_or_default();
    let currency = locale["currency"].as_str().unwrap_or(CURRENCY);
    let mut session = context.session().await?;
    let [loans, holds, charges] = read(&mut session, &asked).await?;
    let amount =
        charges.found.iter().filter_map(|(account, ..)| account.as_ref()).map(remaining).sum::<f64>();
    let of_each = |(account, title, item, _): AccountRow| {
        // Where the item is gone, the charge is about none.
        let about = title.map(|title| Title::from_instance(&title, item));
        Some(Charge::from_account(&account?, about, currency))
    };
    let of_loan = |(loan, title, item, _): AccountRow| {
        Some(Loan::from_record(&loan?, Title::from_instance(&title.unwrap_or_default(), item), context.now))
    };
    let account = Account {
        // The sum of nothing is -0.0.
        total_charges: Money { amount: amount + 0.0, iso_currency_code: currency.to_owned() },
        total_charges_count: charges.total,
        total_loans: loans.total,
        total_holds: holds.total,
        charges: match asked.with_charges {
            true => charges.found.into_iter().filter_map(of_each).collect(),
            false => Vec::new(),
        },
        holds: holds.found.into_iter().filter_map(hold_from_row).collect(),
        loans: loans.found.into_iter().filter_map(of_loan).collect(),
    };
    Ok(Response::json_text(200, json_text(&account)))
}

fn hold_from_row((request, title, item, place): AccountRow) -> Option<Hold> {
    let mut request = request?;
    request["position"] = json!(place);
    let remembered = || json!({"instanceId": request["instanceId"], "title": request["instance"]["title"]});
    let title = Title::from_instance(&title.unwrap_or_else(remembered), item);
    Some(Hold::from_record(&request, title))
}

impl AccountQuery {
    fn read(request: &Request) -> Outcome<AccountQuery> {
        let patron = request.path_id(0)?;
        let bound = i64::from(i32::MAX);
        let page = Page {
            offset: request.query_number("offset", 0, 0..=bound)?,
            limit: request.query_number("limit", bound, 0..=bound)?,
        };
        let shown =
            |name: &str| Page { limit: if request.query_flag(name) { page.limit } else { 0 }, ..page };
        let sort = request.query("sortBy").filter(|sort| !sort.trim().is_empty());
        let with_charges = request.query_flag("includeCharges");
        let charges = if with_charges { CHARGES } else { AMOUNTS };
        let of_user = format!("userId=={patron} and status.name==Open");
        let of_requester = format!("requesterId=={patron} and status==Open*");
        let lists = [
            List::new(&LOAN, LOANS, &of_user, sort, shown("includeLoans"))?,
            List::new(&REQUEST, HOLDS, &of_requester, sort, shown("includeHolds"))?,
            // The sum is that of the page, so the accounts are read in any case.
            List::new(&ACCOUNT, charges, &of_user, sort, page)?,
        ];
        Ok(AccountQuery { patron, lists, with_charges })
    }
}

/// The lists, if there is such a patron.
async fn read(session: &mut Session, asking: &AccountQuery) -> Outcome<[ListRows; 3]> {
    let mut batch = Batch::default();
    let user = batch.ask::<Uuid>(Statement::new(PATRON).uuid(asking.patron));
    let [loans, holds, charges] = &asking.lists;
    let asked = (loans.ask(&mut batch)?, holds.ask(&mut batch)?, charges.ask(&mut batch)?);
    let answers = batch.send(session).await?;
    if answers.first(user).is_none() {
        return Err(Fault::not_found_with(
            USER.messages.not_found_on_read.replace("{}", &asking.patron.to_string()),
        ));
    }
    Ok([
        loans.list_rows(session, &answers, &asked.0).await?,
        holds.list_rows(session, &answers, &asked.1).await?,
        charges.list_rows(session, &answers, &asked.2).await?,
    ])
}

impl List {
    fn new(
        record: &'static RecordType,
        columns: &'static str,
        query: &str,
        sort: Option<&str>,
        page: Page,
    ) -> Outcome<List> {
        let sorted = sort.map_or_else(|| query.to_owned(), |sort| format!("({query}) sortBy {sort}"));
        let listing = ListRequest::from_query(&sorted, page)?;
        Ok(List { record, columns, listing, sorted: sort.is_some() })
    }

    /// Puts the number of all and, if it is not sorted, the page into the batch: the texts of these statements do not depend on what the
    /// client says, so they stay prepared.
    fn ask(&self, batch: &mut Batch) -> Outcome<Questions> {
        let ListRequest { query, page, .. } = &self.listing;
        let page = Page { limit: page.limit.min(AT_ONCE), ..*page };
        let found = search_columns(self.record, self.columns, query.as_ref(), page)?;
        let total = batch.ask(Statement::from(found.count));
        let is_asked = page.limit > 0 && !self.sorted;
        Ok(Questions { total, page: is_asked.then(|| batch.ask(Statement::from(found.page))) })
    }

    async fn list_rows(
        &self,
        session: &mut Session,
        answers: &Answers,
        asked: &Questions,
    ) -> Outcome<ListRows> {
        let total = answers.first(asked.total).unwrap_or_default();
        let limit = self.listing.page.limit;
        let mut found = answers.all(asked.page);
        let is_cut = found.len() as i64 == AT_ONCE && limit > AT_ONCE;
        if limit > 0 && (self.sorted || is_cut) {
            let (rows, _) = list_columns(session, self.record, self.columns, &self.listing).await?;
            found = rows.iter().map(Row::read).collect();
        }
        Ok(ListRows { found, total })
    }
}

/// An item that another library lends has the title that the hub has sent.
const LOANS: &str = "\
t.doc::text, (
  select json_build_object(
    'instanceId', n.id, 'title', coalesce(i.title, n.doc -> 'title'), 'contributors', n.doc -> 'contributors')::text
  from (
    select i.\"holdingsRecordId\", null::json from item i where i.id = t.\"itemId\"
    union all
    select (c.doc ->> 'holdingsRecordId')::uuid, c.doc -> 'instanceTitle' from circulation_item c where c.id = t.\"itemId\"
  ) i (holdings, title)
  join holdings_record h on h.id = i.holdings
  join instance n on n.id = h.\"instanceId\"
), t.\"itemId\", null::int8";

/// A fee/fine names its item as a loan does.
const CHARGES: &str = LOANS;

const AMOUNTS: &str = "t.doc::text, null::text, t.\"itemId\", null::int8";

const HOLDS: &str = "\
t.doc::text, (
  select json_build_object(
    'instanceId', n.id,
    'title', coalesce((select c.doc -> 'instanceTitle' from circulation_item c where c.id = t.\"itemId\"), n.doc -> 'title'),
    'contributors', n.doc -> 'contributors')::text
  from instance n
  where n.id = t.\"instanceId\"
), t.\"itemId\", (select q.position::int8 from queue_place q where q.id = t.id)";

const PATRON: &str = "select id from users where id = $1";

octavo_pg::statements!(hot = [PATRON]);
