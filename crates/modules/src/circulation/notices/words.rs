//! What letters are about, read for many at once, and their words made of it.

use std::collections::HashMap;

use octavo_circulation::facts::{Item, Patron, QueuedRequest};
use octavo_circulation::notice::{Subject, Words, words};
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ITEM_SOURCE, item_at, patron_of};

/// Of a longer list, a letter has so much.
pub(super) const LISTED: usize = 5_000;

/// Ids of what letters are about.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    users: Vec<Uuid>,
    loans: Vec<Uuid>,
    requests: Vec<Uuid>,
    actions: Vec<Uuid>,
}

impl Wanted {
    /// A row of the ledger, or a scheduled letter.
    pub(super) fn add(&mut self, letter: &Value) {
        let id = |name: &str| letter[name].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let ids = |name: &str| {
            let ids = letter[name].as_array().into_iter().flatten();
            ids.take(LISTED).filter_map(|id| Uuid::parse_str(id.as_str()?).ok()).collect::<Vec<_>>()
        };
        self.users.extend(id("recipientId").or_else(|| id("recipientUserId")));
        self.loans.extend(id("loanId"));
        self.loans.extend(ids("loanIds"));
        self.requests.extend(id("requestId"));
        self.actions.extend(id("feeFineActionId"));
        self.actions.extend(ids("feeFineActionIds"));
    }

    pub(super) fn loan(&mut self, id: Uuid) {
        self.loans.push(id);
    }
}

struct LoanRead {
    record: Value,
    item: Item,
}

struct RequestRead {
    request: QueuedRequest,
    item: Option<Item>,
    cancellation_reason: Option<String>,
}

struct FeeRead {
    action: Value,
    account: Value,
}

/// What was found of it.
#[derive(Default)]
pub(super) struct Gathered {
    users: HashMap<String, Patron>,
    loans: HashMap<String, LoanRead>,
    requests: HashMap<String, RequestRead>,
    fees: HashMap<String, FeeRead>,
}

/// One round trip.
pub(super) async fn gather(session: &mut Session, desk: &Desk, wanted: Wanted) -> Outcome<Gathered> {
    let mut answers = session
        .batch(vec![
            Statement::new(USERS).uuids(wanted.users),
            Statement::new(format!(
                "select l.id, l.doc::text, u.doc::text, {ITEM_COLUMNS}\n{ITEM_SOURCE}\n{OF_LOANS}"
            ))
            .uuids(wanted.loans),
            Statement::new(format!("select {OF_REQUEST}, {ITEM_COLUMNS}\n{ITEM_SOURCE}\n{OF_REQUESTS}"))
                .uuids(wanted.requests),
            Statement::new(FEES).uuids(wanted.actions),
        ])
        .await?
        .into_iter();
    let mut next = || answers.next().unwrap_or_default();
    let mut found = Gathered::default();
    for row in &next() {
        found.user(row.json(0), desk);
    }
    for row in &next() {
        found.user(row.json(2), desk);
        if let (Some(record), Some(item)) = (row.json(1), item_at(row, 3, desk)) {
            found.loans.insert(row.uuid(0).to_string(), LoanRead { record, item });
        }
    }
    for row in &next() {
        found.request(row, desk);
    }
    for row in &next() {
        if let (Some(action), Some(account)) = (row.json(1), row.json(2)) {
            found.fees.insert(row.uuid(0).to_string(), FeeRead { action, account });
        }
    }
    Ok(found)
}

impl Gathered {
    fn user(&mut self, record: Option<Value>, desk: &Desk) {
        if let Some(record) = record
            && let Some(id) = record["id"].as_str().map(str::to_owned)
        {
            self.users.insert(id, patron_of(record, desk));
        }
    }

    fn request(&mut self, row: &Row, desk: &Desk) {
        let Some(record) = row.json(1) else { return };
        self.user(row.json(2), desk);
        let requester = record["requesterId"].as_str().and_then(|id| self.users.get(id)).cloned();
        let request = QueuedRequest {
            record: record.into(),
            requester,
            delivery_address_type_name: None,
            requester_is_away: false,
        };
        let cancellation_reason = row.maybe_text(3).map(str::to_owned);
        let item = item_at(row, 4, desk);
        self.requests.insert(row.uuid(0).to_string(), RequestRead { request, item, cancellation_reason });
    }

    pub(super) fn user_of(&self, letter: &Value) -> Option<&Patron> {
        let id = letter["recipientId"].as_str().or_else(|| letter["recipientUserId"].as_str())?;
        self.users.get(id)
    }

    pub(super) fn loan(&self, id: &str) -> Option<(&Value, &Item)> {
        self.loans.get(id).map(|loan| (&loan.record, &loan.item))
    }

    /// What a scheduled letter is about, as it is now.
    pub(super) fn subject(&self, scheduled: &Value) -> Subject<'_> {
        let of = |name: &str| scheduled[name].as_str().unwrap_or_default();
        let loan = self.loans.get(of("loanId"));
        Subject {
            loan: loan.map(|loan| &loan.record),
            item: loan.map(|loan| &*loan.item.record),
            request: self.requests.get(of("requestId")).map(|read| &*read.request.record),
            account: self.fees.get(of("feeFineActionId")).map(|fee| &fee.account),
            user: self.user_of(scheduled).map(|user| &user.record),
        }
    }

    /// The words of a letter; those that came with it, if any did.
    pub(super) fn words(&self, letter: &Value, context: &Context, desk: &Desk) -> Value {
        if letter["context"].is_object() {
            return letter["context"].clone();
        }
        let user = self.user_of(letter);
        let texts = |name: &str| -> Vec<&str> {
            letter[name].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let about = |loan: Option<&LoanRead>, fee: Option<&FeeRead>, request: Option<&RequestRead>| {
            words(&Words {
                now: context.now,
                user,
                item: loan.map(|loan| &loan.item).or_else(|| request.and_then(|read| read.item.as_ref())),
                loan: loan.map(|loan| &loan.record),
                request: request.map(|read| &read.request),
                cancellation_reason: request.and_then(|read| read.cancellation_reason.as_deref()),
                account: fee.map(|fee| &fee.account),
                action: fee.map(|fee| &fee.action),
                policies: &desk.policies,
                service_points: &desk.service_points,
            })
        };
        let without_user = |mut words: Value| {
            if let Some(words) = words.as_object_mut() {
                words.remove("user");
            }
            words
        };
        let (loans, actions) = (texts("loanIds"), texts("feeFineActionIds"));
        if !actions.is_empty() {
            let fees = actions.iter().filter_map(|id| self.fees.get(*id));
            let each: Vec<Value> =
                fees.map(|fee| without_user(about(self.loan_of_fee(fee), Some(fee), None))).collect();
            return grouped(about(None, None, None), "feeCharges", &each);
        }
        if !loans.is_empty() {
            let loans = loans.iter().filter_map(|id| self.loans.get(*id));
            let each: Vec<Value> = loans.map(|loan| without_user(about(Some(loan), None, None))).collect();
            return grouped(about(None, None, None), "loans", &each);
        }
        let of = |name: &str| letter[name].as_str().unwrap_or_default();
        let fee = self.fees.get(of("feeFineActionId"));
        about(self.loans.get(of("loanId")), fee, self.requests.get(of("requestId")))
    }

    fn loan_of_fee(&self, fee: &FeeRead) -> Option<&LoanRead> {
        self.loans.get(fee.account["loanId"].as_str()?)
    }
}

/// Where the patron's e-mails go.
pub(super) fn e_mail_address(user: &Patron) -> Option<&str> {
    user.record["personal"]["email"].as_str().map(str::trim).filter(|address| !address.is_empty())
}

fn grouped(mut words: Value, name: &str, each: &[Value]) -> Value {
    words[name] = json!(each);
    words
}

const USERS: &str = "select doc::text from users where id = any($1)";

const OF_LOANS: &str = "\
join loan l on l.\"itemId\" = i.id
left join users u on u.id = l.\"userId\"
where l.id = any($1)";

const OF_REQUEST: &str = "\
r.id, r.doc::text, u.doc::text,
  (select c.doc ->> 'name' from cancellation_reason c where c.id = r.\"cancellationReasonId\")";

/// Requests for a title have no item.
const OF_REQUESTS: &str = "\
right join request r on r.\"itemId\" = i.id
left join users u on u.id = r.\"requesterId\"
where r.id = any($1)";

const FEES: &str = "\
select f.id, f.doc::text, a.doc::text
from feefineactions f
join accounts a on a.id = f.\"accountId\"
where f.id = any($1)";
