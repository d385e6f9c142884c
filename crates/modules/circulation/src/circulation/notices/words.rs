//! Reads the subjects of many notices at once, and makes the values for their templates.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_circulation::facts::{Item, Patron, QueuedRequest};
use octavo_circulation::notice::{Subject, TemplateRecords, template_context};
use octavo_circulation::plan::event;
use octavo_circulation::status::FeeRecordKind;
use octavo_engine::Context;
use octavo_kernel::Outcome;
use octavo_pg::{Batch, Session, Statement};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::circulation::Desk;
use crate::circulation::gather::{ITEM_COLUMNS, ItemRow, STOCKS, TitleRow, item_source, patron_of};

/// The most entries of a list in a notice.
pub(super) const MOST_LISTED: usize = 5_000;

/// Ids of what notices are about.
#[derive(Debug, Default)]
pub(super) struct NoticeSubjectIds {
    users: Vec<Uuid>,
    loans: Vec<Uuid>,
    requests: Vec<Uuid>,
    actions: Vec<Uuid>,
    /// Loans with an item that has aged to lost.
    aged: Vec<Uuid>,
}

impl NoticeSubjectIds {
    /// A row of the ledger, or a scheduled notice.
    pub(super) fn add(&mut self, notice: &Value) {
        let id = |name: &str| notice[name].as_str().and_then(|id| Uuid::parse_str(id).ok());
        let ids = |name: &str| {
            let ids = notice[name].as_array().into_iter().flatten();
            ids.take(MOST_LISTED).filter_map(|id| Uuid::parse_str(id.as_str()?).ok()).collect::<Vec<_>>()
        };
        self.users.extend(id("recipientId").or_else(|| id("recipientUserId")));
        self.loans.extend(id("loanId"));
        self.loans.extend(ids("loanIds"));
        self.requests.extend(id("requestId"));
        if notice["triggeringEvent"] == event::AGED_TO_LOST {
            self.aged.extend(id("loanId"));
        }
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
    patron_comment: Option<String>,
}

struct RequestRead {
    request: QueuedRequest,
    item: Option<Item>,
    title: Item,
    /// The open loan of the item, with the last comment of staff for its borrower.
    loan: Option<Value>,
    patron_comment: Option<String>,
    cancellation_reason: Option<String>,
}

struct FeeRead {
    action: Value,
    account: Value,
    charge: Option<Value>,
    item: Option<Item>,
}

impl FeeRead {
    /// The action, unless the notice is about the charge. mod-circulation's notice that a fee was adjusted always names it.
    fn action_for(&self, notice: &Value) -> Option<&Value> {
        let adjusted = notice["event"] == event::LOST_RETURNED;
        Some(&self.action)
            .filter(|action| adjusted || FeeRecordKind::from_record(action) != Some(FeeRecordKind::Charge))
    }
}

/// A loan with its borrower, the last comment of staff for the borrower, and the item.
type LoanRow = (Uuid, Option<Value>, Option<Value>, Option<String>, ItemRow);

/// A request with its requester, the reason of its cancellation, its title, the open loan of its item, the last comment of staff for
/// the borrower, and the item.
type RequestRow =
    (Uuid, Option<Value>, Option<Value>, Option<String>, TitleRow, Option<Value>, Option<String>, ItemRow);

/// An action on a fee with its account, the charge, and the item that the account names.
type FeeRow = (Uuid, Option<Value>, Option<Value>, Option<Value>, ItemRow);

#[derive(Default)]
pub(super) struct Gathered {
    users: HashMap<String, Patron>,
    loans: HashMap<String, LoanRead>,
    requests: HashMap<String, RequestRead>,
    fees: HashMap<String, FeeRead>,
    /// The types of the fees/fines of loans.
    fee_types: HashMap<String, Vec<String>>,
}

/// Reads all subjects in one round trip.
pub(super) async fn gather(
    session: &mut Session,
    desk: &Desk,
    wanted: NoticeSubjectIds,
) -> Outcome<Gathered> {
    let mut batch = Batch::default();
    let users = batch.ask::<Option<Value>>(Statement::new(USERS).uuids(wanted.users));
    let loans =
        batch.ask::<LoanRow>(Statement::new(desk.choose_for_stock(&LOANS).as_str()).uuids(wanted.loans));
    let requests = batch
        .ask::<RequestRow>(Statement::new(desk.choose_for_stock(&REQUESTS).as_str()).uuids(wanted.requests));
    let fees =
        batch.ask::<FeeRow>(Statement::new(desk.choose_for_stock(&FEES).as_str()).uuids(wanted.actions));
    let aged = (!wanted.aged.is_empty())
        .then(|| batch.ask::<(Uuid, String)>(Statement::new(FEE_TYPES).uuids(wanted.aged)));
    let answers = batch.send(session).await?;
    let mut found = Gathered::default();
    for (loan, kind) in answers.all(aged) {
        found.fee_types.entry(loan.to_string()).or_default().push(kind);
    }
    for user in answers.each(users) {
        found.user(user, desk);
    }
    for (id, record, borrower, told_patron, item) in answers.each(loans) {
        found.user(borrower, desk);
        if let (Some(record), Some(item)) = (record, item.item(desk)) {
            found.loans.insert(id.to_string(), LoanRead { record, item, patron_comment: told_patron });
        }
    }
    for row in answers.each(requests) {
        found.request(row, desk);
    }
    for (id, action, account, charge, item) in answers.each(fees) {
        if let (Some(action), Some(account)) = (action, account) {
            found.fees.insert(id.to_string(), FeeRead { action, account, charge, item: item.item(desk) });
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

    fn request(&mut self, row: RequestRow, desk: &Desk) {
        let (id, record, requester, cancellation_reason, title, loan, told_patron, item) = row;
        let Some(record) = record else { return };
        self.user(requester, desk);
        let requester = record["requesterId"].as_str().and_then(|id| self.users.get(id)).cloned();
        let request = QueuedRequest { record: record.into(), requester, requester_is_away: false };
        let (item, title) = (item.item(desk), title.item());
        let read =
            RequestRead { request, item, title, loan, patron_comment: told_patron, cancellation_reason };
        self.requests.insert(id.to_string(), read);
    }

    pub(super) fn user_of(&self, notice: &Value) -> Option<&Patron> {
        let id = notice["recipientId"].as_str().or_else(|| notice["recipientUserId"].as_str())?;
        self.users.get(id)
    }

    pub(super) fn loan(&self, id: &str) -> Option<(&Value, &Item)> {
        self.loans.get(id).map(|loan| (&loan.record, &loan.item))
    }

    /// The item of the request that a notice is about.
    pub(super) fn requested_item(&self, notice: &Value) -> Option<&Item> {
        self.requests.get(notice["requestId"].as_str()?)?.item.as_ref()
    }

    /// The fee/fine that a notice is about, and the name of the action on it.
    pub(super) fn fee_of<'a>(&'a self, notice: &Value) -> Option<(&'a str, &'a str)> {
        let listed = notice["feeFineActionIds"].as_array().and_then(|ids| ids.first()?.as_str());
        let fee = self.fees.get(notice["feeFineActionId"].as_str().or(listed)?)?;
        Some((fee.account["id"].as_str()?, fee.action["typeAction"].as_str()?))
    }

    /// The service point where the item was lent, or is to be picked up.
    pub(super) fn service_point_of<'a>(&'a self, notice: &Value) -> Option<&'a str> {
        let listed = notice["loanIds"].as_array().and_then(|ids| ids.first()?.as_str());
        match notice["loanId"].as_str().or(listed) {
            Some(loan) => self.loans.get(loan)?.record["checkoutServicePointId"].as_str(),
            None => {
                let request = self.requests.get(notice["requestId"].as_str()?)?;
                request.request.pickup_service_point_id()
            }
        }
    }

    pub(super) fn subject(&self, scheduled: &Value) -> Subject<'_> {
        let of = |name: &str| scheduled[name].as_str().unwrap_or_default();
        let loan = self.loans.get(of("loanId"));
        let request = self.requests.get(of("requestId"));
        let item = loan.map(|loan| &loan.item).or_else(|| request.and_then(|read| read.item.as_ref()));
        Subject {
            loan: loan.map(|loan| &loan.record),
            item: item.map(|item| &*item.record),
            request: request.map(|read| &*read.request.record),
            account: self.fees.get(of("feeFineActionId")).map(|fee| &fee.account),
            fee_types: self.fee_types.get(of("loanId")).map_or(&[], Vec::as_slice),
            user: self.user_of(scheduled).map(|user| &user.record),
        }
    }

    pub(super) fn has_lost_its_subject(&self, notice: &Value) -> bool {
        if notice["context"].is_object() || notice["feeFineActionId"].is_string() {
            return false;
        }
        let loan = std::slice::from_ref(&notice["loanId"]);
        let loans = notice["loanIds"].as_array().map_or(loan, Vec::as_slice).iter().filter_map(Value::as_str);
        let loans: Vec<&str> = loans.collect();
        let is_gone = |id: &str| !self.requests.contains_key(id);
        !loans.is_empty() && !loans.iter().any(|id| self.loans.contains_key(*id))
            || notice["requestId"].as_str().is_some_and(is_gone)
    }

    /// The values for the template of a notice: those that are stored with it, or else new ones.
    pub(super) fn template_context(&self, notice: &Value, context: &Context, desk: &Desk) -> Value {
        if notice["context"].is_object() {
            return notice["context"].clone();
        }
        let user = self.user_of(notice);
        let texts = |name: &str| -> Vec<&str> {
            notice[name].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
        };
        let about = |loan: Option<&LoanRead>, fee: Option<&FeeRead>, request: Option<&RequestRead>| {
            let of_request =
                request.and_then(|read| Some((read.loan.as_ref()?, read.patron_comment.as_deref())));
            let lent = loan.map(|loan| (&loan.record, loan.patron_comment.as_deref())).or(of_request);
            let item = loan.map(|loan| &loan.item).or_else(|| request.and_then(|read| read.item.as_ref()));
            template_context(&TemplateRecords {
                now: context.now,
                user,
                item: item.or_else(|| fee.and_then(|fee| fee.item.as_ref())),
                title: request.map(|read| &read.title),
                loan: lent.map(|(loan, _)| loan),
                patron_comment: lent.and_then(|(_, told)| told),
                request: request.map(|read| &read.request),
                cancellation_reason: request.and_then(|read| read.cancellation_reason.as_deref()),
                account: fee.map(|fee| &fee.account),
                action: fee.and_then(|fee| fee.action_for(notice)),
                charge: fee.and_then(|fee| fee.charge.as_ref()),
                policies: &desk.policies,
                service_points: &desk.service_points,
                person_names: &desk.person_names,
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
            return group_context(about(None, None, None), "feeCharges", &each);
        }
        if !loans.is_empty() {
            let loans = loans.iter().filter_map(|id| self.loans.get(*id));
            let each: Vec<Value> = loans.map(|loan| without_user(about(Some(loan), None, None))).collect();
            return group_context(about(None, None, None), "loans", &each);
        }
        let of = |name: &str| notice[name].as_str().unwrap_or_default();
        let fee = self.fees.get(of("feeFineActionId"));
        about(self.loans.get(of("loanId")), fee, self.requests.get(of("requestId")))
    }

    fn loan_of_fee(&self, fee: &FeeRead) -> Option<&LoanRead> {
        self.loans.get(fee.account["loanId"].as_str()?)
    }
}

pub(super) fn e_mail_address(user: &Patron) -> Option<&str> {
    user.record["personal"]["email"].as_str().map(str::trim).filter(|address| !address.is_empty())
}

fn group_context(mut words: Value, name: &str, each: &[Value]) -> Value {
    words[name] = json!(each);
    words
}

const USERS: &str = "select doc::text from users where id = any($1)";

static LOANS: LazyLock<[String; 2]> = LazyLock::new(|| {
    STOCKS.map(|items| {
        let source = item_source(items);
        format!(
            "\
select l.id, l.doc::text, u.doc::text, {TOLD_PATRON}, {ITEM_COLUMNS}
{source}
join loan l on l.\"itemId\" = i.id
left join users u on u.id = l.\"userId\"
where l.id = any($1)"
        )
    })
});

/// The newest comment for the patron in the history of the loan `l`.
const TOLD_PATRON: &str = "\
(
  select h.doc #>> '{loan,actionComment}'
  from audit_loan h
  where h.\"loan.id\" = l.id
    and h.doc #>> '{loan,action}' = 'patronInfoAdded'
  order by h.doc ->> 'createdDate' desc
  limit 1
)";

/// Requests for a title have no item. `offset 0` keeps PostgreSQL from joining with all open loans where it has planned while
/// nothing was lent.
static REQUESTS: LazyLock<[String; 2]> = LazyLock::new(|| {
    STOCKS.map(|items| {
        let source = item_source(items);
        format!(
            "\
select
  r.id,
  r.doc::text,
  u.doc::text,
  (
    select coalesce(nullif(c.doc ->> 'publicDescription', ''), c.doc ->> 'name')
    from cancellation_reason c
    where c.id = r.\"cancellationReasonId\"
  ),
  (select t.doc::text from instance t where t.id = r.\"instanceId\"),
  l.doc::text,
  {TOLD_PATRON},
  {ITEM_COLUMNS}
{source}
right join request r on r.\"itemId\" = i.id
left join users u on u.id = r.\"requesterId\"
left join lateral (
  select o.id, o.doc from loan o where o.\"itemId\" = r.\"itemId\" and o.\"status.name\" = 'open' offset 0
) l on true
where r.id = any($1)"
        )
    })
});

/// [`FeeRecordKind`] decides which of the actions on an account is its charge.
static FEES: LazyLock<[String; 2]> = LazyLock::new(|| {
    let actions: Vec<String> =
        FeeRecordKind::ACTIONS.iter().map(|kind| format!("'{}'", kind.name())).collect();
    STOCKS.map(|items| {
        let (source, actions) = (item_source(items), actions.join(", "));
        format!(
            "\
select
  f.id,
  f.doc::text,
  a.doc::text,
  (
    select c.doc::text
    from feefineactions c
    where c.\"accountId\" = a.id
      and c.doc ->> 'typeAction' not in ({actions})
      and c.doc ->> 'paymentMethod' is null
    order by c.doc ->> 'dateAction'
    limit 1
  ),
  {ITEM_COLUMNS}
{source}
right join accounts a on a.\"itemId\" = i.id
join feefineactions f on f.\"accountId\" = a.id
where f.id = any($1)"
        )
    })
});

const FEE_TYPES: &str = "\
select distinct a.\"loanId\", a.doc ->> 'feeFineType'
from accounts a
where a.\"loanId\" = any($1)
  and a.doc ->> 'feeFineType' is not null";

octavo_pg::statements!(hot = [USERS, LOANS, REQUESTS, FEES, FEE_TYPES]);
