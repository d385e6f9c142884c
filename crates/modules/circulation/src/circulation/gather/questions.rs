//! The statements of a decision at the desk, and how their answers are read.

use octavo_circulation::blocks::{Standing, automated_blocks};
use octavo_circulation::facts::{
    AutomatedBlock, Facts, Item, Loan, LostFees, ManualBlock, OpenLoanSummary, Proxy, QueuePart,
    QueuedRequest,
};
use octavo_engine::Context;
use octavo_kernel::folio_time;
use octavo_pg::{AnswerHandle, Answers, Batch, Columns, DbError, Json, Read, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::item::ItemRow;
use super::lost::{self, LostRow};
use super::standing::{self, COUNTED_BY_ID, StandingRow};
use super::{DeskSubject, PatronKey, RecordKey, library_facts, patron_of, sql};
use crate::circulation::Desk;
use crate::circulation::locks::check_locked;

/// Handles to the answers of the statements, in the order in which these are sent.
pub(super) struct Questions {
    locked_patron: AnswerHandle<Option<Uuid>>,
    /// If the library has title-level requests.
    locked_title: Option<AnswerHandle<Option<Uuid>>>,
    locked_item: AnswerHandle<Option<Uuid>>,
    patron: AnswerHandle<PatronRow>,
    item: AnswerHandle<(ItemRow, Option<Uuid>)>,
    loans_and_queue: AnswerHandle<LoanOrPlace>,
    queue_of_title: Option<AnswerHandle<LoanOrPlace>>,
    proxy: Option<AnswerHandle<ProxyRow>>,
    lost: Option<AnswerHandle<LostRow>>,
    /// If the library charges fines.
    staff: Option<AnswerHandle<Option<Value>>>,
    /// If the library has limits.
    standing: Option<AnswerHandle<StandingRow>>,
    /// The ids of absent patrons, if the library skips their requests.
    away: Option<AnswerHandle<String>>,
    checks_blocks: bool,
    /// Whether the operation names a loan, not an item.
    is_named: bool,
}

/// The version of the snapshot, the user with their manual blocks, and their id.
pub(in crate::circulation) type PatronRow = (i64, Option<Value>, Option<Json<Vec<Value>>>, Option<Uuid>);

/// A user who acts for another, and the relations between the two.
pub(in crate::circulation) type ProxyRow = (Option<Value>, Option<Json<Vec<Value>>>);

/// A row of [`sql::LOANS_AND_QUEUE`].
enum LoanOrPlace {
    /// `None` for a row that only locks.
    Loan(Option<Value>),
    Place(QueuePlace),
}

impl LoanOrPlace {
    fn into_place(self) -> Option<QueuePlace> {
        match self {
            LoanOrPlace::Loan(_) => None,
            LoanOrPlace::Place(place) => Some(place),
        }
    }
}

/// A place in a queue: who stands there, and how long the queue is.
struct QueuePlace {
    request: Option<Value>,
    requester: Option<Value>,
    position: i64,
    length: i64,
    /// Whether there are more requests like this one, which were not read.
    more: bool,
}

impl Read<'_> for LoanOrPlace {
    fn read(columns: &mut Columns<'_>) -> LoanOrPlace {
        if columns.take() {
            return LoanOrPlace::Loan(columns.take());
        }
        LoanOrPlace::Place(QueuePlace {
            request: columns.take(),
            requester: columns.take(),
            position: columns.take(),
            length: columns.take(),
            more: columns.take(),
        })
    }
}

/// The raw result of the gather; [`Gathered::facts`] joins it with the snapshot.
pub(super) struct Gathered {
    pub(super) version: i64,
    patron: Option<PatronRow>,
    proxy: Option<ProxyRow>,
    item: Option<ItemRow>,
    loans: Vec<Value>,
    /// Whether the operation names a loan; then no other loan of the item was read.
    is_named: bool,
    queue: Vec<QueuePlace>,
    of_title: bool,
    lost: LostFees,
    /// The identifiers of the instance, if the item may be billed as lost.
    identifiers: Vec<Value>,
    staff: Option<Value>,
    /// `None` if the library has no limits.
    standing: Option<Standing>,
    counted: Vec<OpenLoanSummary>,
    away: Vec<String>,
}

impl Questions {
    pub(super) fn ask(
        batch: &mut Batch,
        context: &Context,
        desk: &Desk,
        about: &DeskSubject<'_>,
        of_a_kind: i64,
    ) -> Questions {
        let item =
            |texts: &'static [[String; 3]; 2]| statement_by_item(desk.choose_for_stock(texts), about.item);
        let [lock_patron, patron] = patron_statements(about, desk);
        let title_level = desk.title_level.enabled;
        let loans_and_queue =
            if about.reads_lost_fees { &lost::LOANS_QUEUE_AND_LOCK } else { &sql::LOANS_AND_QUEUE };
        let of_item = if title_level { 0 } else { of_a_kind };
        let (heeds_blocks, types) = (about.reads_blocks(desk), about.limited_types(desk));
        let staff = context.caller.user_id.filter(|_| about.reads_staff(desk));
        Questions {
            locked_patron: batch.ask(lock_patron),
            locked_title: title_level.then(|| batch.ask(item(&sql::LOCK_TITLE))),
            locked_item: batch.ask(item(&sql::LOCK_ITEM)),
            patron: batch.ask(patron),
            item: batch.ask(item(&sql::ITEM)),
            loans_and_queue: batch.ask(item(loans_and_queue).long(of_item)),
            queue_of_title: title_level.then(|| batch.ask(item(&sql::QUEUE_OF_TITLE).long(of_a_kind))),
            proxy: proxy_statement(about).map(|statement| batch.ask(statement)),
            lost: about.reads_lost_fees.then(|| batch.ask(item(&lost::FEES))),
            staff: staff.map(|id| batch.ask(Statement::new(sql::STAFF).uuid(id))),
            standing: (heeds_blocks || types.is_some())
                .then(|| batch.ask(standing_statement(context, desk, about, types))),
            away: desk.request_options.holidays.then(|| batch.ask(absent_patrons(context, desk))),
            checks_blocks: heeds_blocks,
            is_named: matches!(about.item, RecordKey::Loan(_)),
        }
    }

    pub(super) fn read(&self, context: &Context, answers: &Answers) -> Result<Gathered, DbError> {
        let (patron, item) = (answers.first(self.patron), answers.first(self.item));
        let read_patron = patron.as_ref().and_then(|(.., id)| *id);
        let read_item = item.as_ref().and_then(|(_, id)| *id);
        let item = item.map(|(item, _)| item);
        check_locked("the patron", &answers.first(self.locked_patron).flatten(), &read_patron)?;
        check_locked("the item", &answers.first(self.locked_item).flatten(), &read_item)?;
        if let Some(locked) = self.locked_title {
            let read = item.as_ref().and_then(|item| item.title_id);
            check_locked("the title of the item", &answers.first(locked).flatten(), &read)?;
        }
        let (mut loans, mut queue) = (Vec::new(), Vec::new());
        for row in answers.each(self.loans_and_queue) {
            match row {
                LoanOrPlace::Loan(loan) => loans.extend(loan),
                LoanOrPlace::Place(place) => queue.push(place),
            }
        }
        queue.extend(answers.all(self.queue_of_title).into_iter().filter_map(LoanOrPlace::into_place));
        let (lost, identifiers) = lost::read(context, answers.all(self.lost));
        let mut standing = answers.first(self.standing).unwrap_or_default();
        Ok(Gathered {
            version: patron.as_ref().map_or(0, |(version, ..)| *version),
            patron,
            proxy: answers.first(self.proxy),
            item,
            loans,
            is_named: self.is_named,
            queue,
            of_title: self.queue_of_title.is_some(),
            lost,
            identifiers,
            staff: answers.first(self.staff).flatten(),
            counted: standing.take_loan_summaries(),
            standing: self.checks_blocks.then(|| standing.standing()),
            away: answers.all(self.away),
        })
    }
}

impl Gathered {
    /// The facts, with a desk of the version that was read.
    pub(super) fn facts(mut self, context: &Context, desk: &Desk) -> Facts {
        let (patron, manual_blocks) = match self.patron.take() {
            Some((_, patron, blocks, _)) => (patron, blocks.map(|Json(blocks)| blocks).unwrap_or_default()),
            None => Default::default(),
        };
        let automated_blocks = blocks_of(patron.as_ref(), self.standing.as_ref(), context, desk);
        let (queue, reach) = self.queue(desk);
        let identifiers = self.identifiers;
        let loan = if self.is_named { self.loans.pop() } else { None };
        Facts {
            patron: patron.map(|user| patron_of(user, desk)),
            proxy: self.proxy.and_then(|row| proxy_of(row, desk)),
            item: self.item.and_then(|row| row.item(desk)).map(|item| Item { identifiers, ..item }),
            loan: loan.map(Loan::from),
            lost: self.lost,
            open_loans_of_item: self.loans.into_iter().map(Loan::from).collect(),
            open_loans_of_patron: self.counted,
            manual_blocks: manual_blocks.into_iter().map(|record| ManualBlock { record }).collect(),
            automated_blocks,
            staff: self.staff.map(|user| patron_of(user, desk)),
            queue,
            queue_part: reach,
            ..library_facts(context, desk)
        }
    }

    /// In a library without title-level requests, older requests for titles do not count in the queue of an item.
    fn queue(&mut self, desk: &Desk) -> (Vec<QueuedRequest>, QueuePart) {
        let places = std::mem::take(&mut self.queue);
        let length = places.first().and_then(|place| usize::try_from(place.length).ok());
        let up_to = places.iter().filter(|place| place.more).map(|place| place.position).min();
        let (read, of_title) = (places.len(), self.of_title);
        let requests = places.into_iter().filter_map(|place| Some((place.request?, place.requester)));
        let counting = requests.filter(|(request, _)| of_title || request["requestLevel"] != "Title");
        let queue: Vec<QueuedRequest> = counting
            .map(|(record, requester)| QueuedRequest {
                requester_is_away: record["requesterId"]
                    .as_str()
                    .is_some_and(|id| self.away.iter().any(|away| away == id)),
                record: record.into(),
                requester: requester.map(|user| patron_of(user, desk)),
            })
            .collect();
        let uncounted = read - queue.len();
        (queue, QueuePart { length: length.map(|length| length.saturating_sub(uncounted)), up_to, of_title })
    }
}

/// The automated blocks of a patron, where what they have and owe was read.
pub(in crate::circulation) fn blocks_of(
    patron: Option<&Value>,
    standing: Option<&Standing>,
    context: &Context,
    desk: &Desk,
) -> Vec<AutomatedBlock> {
    let (Some(patron), Some(standing)) = (patron, standing) else { return Vec::new() };
    let group = patron["patronGroup"].as_str();
    automated_blocks(&desk.block_limits, group, standing, &desk.policies, context.now)
}

/// The proxy with the relations to the sponsor, if the proxy exists.
pub(in crate::circulation) fn proxy_of((user, relationships): ProxyRow, desk: &Desk) -> Option<Proxy> {
    let relationships = relationships.map(|Json(relationships)| relationships).unwrap_or_default();
    Some(Proxy { patron: patron_of(user?, desk), relationships })
}

fn proxy_statement(about: &DeskSubject<'_>) -> Option<Statement> {
    match about.patron {
        PatronKey::User { barcode, proxy_barcode: Some(proxy) } => {
            Some(Statement::new(sql::PROXY).text(proxy).text(barcode))
        }
        PatronKey::ById { user, proxy: Some(id) } => {
            Some(Statement::new(sql::PROXY_BY_ID).text(id).text(user))
        }
        _ => None,
    }
}

/// The statement that locks the patron, and the one that reads them.
fn patron_statements(about: &DeskSubject<'_>, desk: &Desk) -> [Statement; 2] {
    let by = |patron: &'static sql::Patron, name: &str| {
        [&patron.lock, &patron.read].map(|text| Statement::new(text.as_str()).text(name))
    };
    match about.patron {
        PatronKey::User { barcode, .. } => by(&sql::PATRON, barcode),
        PatronKey::ById { user, .. } => by(&sql::PATRON_BY_ID, user),
        PatronKey::Borrower => {
            by(about.item.choose(desk.choose_for_stock(&sql::BORROWER)), about.item.text())
        }
    }
}

pub(in crate::circulation) fn statement_by_item(
    texts: &'static [String; 3],
    item: RecordKey<'_>,
) -> Statement {
    Statement::new(item.choose(texts).as_str()).text(item.text())
}

/// The loans and fees of the patron whom the first statement locks; for a check-out also the loans that limits for `types` of items count.
fn standing_statement(
    context: &Context,
    desk: &Desk,
    about: &DeskSubject<'_>,
    types: Option<&[String]>,
) -> Statement {
    let by_barcode = if types.is_some() { &standing::COUNTED_BY_TYPES } else { &standing::COUNTED };
    let statement = match about.patron {
        PatronKey::User { barcode, .. } => Statement::new(by_barcode.as_str()).text(barcode),
        PatronKey::ById { user, .. } => Statement::new(COUNTED_BY_ID.as_str()).text(user),
        PatronKey::Borrower => {
            statement_by_item(desk.choose_for_stock(&standing::COUNTED_OF_BORROWER), about.item)
        }
    };
    let statement = statement.text(folio_time(context.now));
    match types {
        Some(types) => statement.text(about.item.text()).texts(types.to_vec()),
        None => statement,
    }
}

/// The patrons who are absent on the present day in the library's time zone.
fn absent_patrons(context: &Context, desk: &Desk) -> Statement {
    let today = context.now.to_zoned(desk.time_zone.clone()).date().to_string();
    Statement::new(sql::PATRONS_WHO_ARE_AWAY).text(today)
}
