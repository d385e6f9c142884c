//! The statements of a decision at the desk, and how their answers are read.

use octavo_circulation::blocks::{Standing, automated_blocks};
use octavo_circulation::facts::{
    AutomatedBlock, Facts, Item, Loan, LostFees, ManualBlock, OpenLoanSummary, Proxy, QueuedRequest, Reach,
};
use octavo_engine::Context;
use octavo_kernel::folio_time;
use octavo_pg::{Answers, Asked, Batch, Columns, DbError, Json, Read, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::item::ItemRow;
use super::lost::{self, LostRow};
use super::standing::{self, COUNTED_BY_ID, StandingRow};
use super::{About, Named, Who, library_facts, patron_of, sql};
use crate::circulation::Desk;
use crate::circulation::locks::held;

/// Handles to the answers of the statements, in the order in which these are sent.
pub(super) struct Questions {
    locked_patron: Asked<Option<Uuid>>,
    /// If the library has title-level requests.
    locked_title: Option<Asked<Option<Uuid>>>,
    locked_item: Asked<Option<Uuid>>,
    patron: Asked<PatronRow>,
    item: Asked<(ItemRow, Option<Uuid>)>,
    loans_and_queue: Asked<LoanOrPlace>,
    queue_of_title: Option<Asked<LoanOrPlace>>,
    proxy: Option<Asked<ProxyRow>>,
    lost: Option<Asked<LostRow>>,
    /// If the library charges fines.
    staff: Option<Asked<Option<Value>>>,
    /// If the library has limits.
    standing: Option<Asked<StandingRow>>,
    /// The ids of absent patrons, if the library skips their requests.
    away: Option<Asked<String>>,
    heeds_blocks: bool,
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
    Place(Place),
}

impl LoanOrPlace {
    fn place(self) -> Option<Place> {
        match self {
            LoanOrPlace::Loan(_) => None,
            LoanOrPlace::Place(place) => Some(place),
        }
    }
}

/// A place in a queue: who stands there, and how long the queue is.
struct Place {
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
        LoanOrPlace::Place(Place {
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
    queue: Vec<Place>,
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
        about: &About<'_>,
        of_a_kind: i64,
    ) -> Questions {
        let item = |texts: &'static [[String; 3]; 2]| by_item(desk.stock(texts), about.item);
        let [lock_patron, patron] = patron_statements(about, desk);
        let title_level = desk.title_level.enabled;
        let loans_and_queue = if about.lost { &lost::LOANS_QUEUE_AND_LOCK } else { &sql::LOANS_AND_QUEUE };
        let of_item = if title_level { 0 } else { of_a_kind };
        let (heeds_blocks, types) = (about.heeds(desk), about.limited_types(desk));
        let staff = context.caller.user_id.filter(|_| about.is_signed(desk));
        Questions {
            locked_patron: batch.ask(lock_patron),
            locked_title: title_level.then(|| batch.ask(item(&sql::LOCK_TITLE))),
            locked_item: batch.ask(item(&sql::LOCK_ITEM)),
            patron: batch.ask(patron),
            item: batch.ask(item(&sql::ITEM)),
            loans_and_queue: batch.ask(item(loans_and_queue).long(of_item)),
            queue_of_title: title_level.then(|| batch.ask(item(&sql::QUEUE_OF_TITLE).long(of_a_kind))),
            proxy: proxy(about).map(|statement| batch.ask(statement)),
            lost: about.lost.then(|| batch.ask(item(&lost::FEES))),
            staff: staff.map(|id| batch.ask(Statement::new(sql::STAFF).uuid(id))),
            standing: (heeds_blocks || types.is_some())
                .then(|| batch.ask(standing(context, desk, about, types))),
            away: desk.request_options.holidays.then(|| batch.ask(away(context, desk))),
            heeds_blocks,
            is_named: matches!(about.item, Named::Loan(_)),
        }
    }

    pub(super) fn read(&self, context: &Context, answers: &Answers) -> Result<Gathered, DbError> {
        let (patron, item) = (answers.one(self.patron), answers.one(self.item));
        let read_patron = patron.as_ref().and_then(|(.., id)| *id);
        let read_item = item.as_ref().and_then(|(_, id)| *id);
        let item = item.map(|(item, _)| item);
        held("the patron", &answers.one(self.locked_patron).flatten(), &read_patron)?;
        held("the item", &answers.one(self.locked_item).flatten(), &read_item)?;
        if let Some(locked) = self.locked_title {
            let read = item.as_ref().and_then(|item| item.title_id);
            held("the title of the item", &answers.one(locked).flatten(), &read)?;
        }
        let (mut loans, mut queue) = (Vec::new(), Vec::new());
        for row in answers.each(self.loans_and_queue) {
            match row {
                LoanOrPlace::Loan(loan) => loans.extend(loan),
                LoanOrPlace::Place(place) => queue.push(place),
            }
        }
        queue.extend(answers.all(self.queue_of_title).into_iter().filter_map(LoanOrPlace::place));
        let (lost, identifiers) = lost::read(context, answers.all(self.lost));
        let mut standing = answers.one(self.standing).unwrap_or_default();
        Ok(Gathered {
            version: patron.as_ref().map_or(0, |(version, ..)| *version),
            patron,
            proxy: answers.one(self.proxy),
            item,
            loans,
            is_named: self.is_named,
            queue,
            of_title: self.queue_of_title.is_some(),
            lost,
            identifiers,
            staff: answers.one(self.staff).flatten(),
            counted: standing.counted(),
            standing: self.heeds_blocks.then(|| standing.standing()),
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
            reach,
            ..library_facts(context, desk)
        }
    }

    /// In a library without title-level requests, older requests for titles do not count in the queue of an item.
    fn queue(&mut self, desk: &Desk) -> (Vec<QueuedRequest>, Reach) {
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
        (queue, Reach { length: length.map(|length| length.saturating_sub(uncounted)), up_to, of_title })
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

fn proxy(about: &About<'_>) -> Option<Statement> {
    match about.patron {
        Who::User { barcode, proxy_barcode: Some(proxy) } => {
            Some(Statement::new(sql::PROXY).text(proxy).text(barcode))
        }
        Who::Known { user, proxy: Some(id) } => Some(Statement::new(sql::PROXY_BY_ID).text(id).text(user)),
        _ => None,
    }
}

/// The statement that locks the patron, and the one that reads them.
fn patron_statements(about: &About<'_>, desk: &Desk) -> [Statement; 2] {
    let by = |patron: &'static sql::Patron, name: &str| {
        [&patron.lock, &patron.read].map(|text| Statement::new(text.as_str()).text(name))
    };
    match about.patron {
        Who::User { barcode, .. } => by(&sql::PATRON, barcode),
        Who::Known { user, .. } => by(&sql::PATRON_BY_ID, user),
        Who::Borrower => by(about.item.of(desk.stock(&sql::BORROWER)), about.item.text()),
    }
}

pub(in crate::circulation) fn by_item(texts: &'static [String; 3], item: Named<'_>) -> Statement {
    Statement::new(item.of(texts).as_str()).text(item.text())
}

/// The loans and fees of the patron whom the first statement locks; for a check-out also the loans that limits for `types` of items count.
fn standing(context: &Context, desk: &Desk, about: &About<'_>, types: Option<&[String]>) -> Statement {
    let by_barcode = if types.is_some() { &standing::COUNTED_BY_TYPES } else { &standing::COUNTED };
    let statement = match about.patron {
        Who::User { barcode, .. } => Statement::new(by_barcode.as_str()).text(barcode),
        Who::Known { user, .. } => Statement::new(COUNTED_BY_ID.as_str()).text(user),
        Who::Borrower => by_item(desk.stock(&standing::COUNTED_OF_BORROWER), about.item),
    };
    let statement = statement.text(folio_time(context.now));
    match types {
        Some(types) => statement.text(about.item.text()).texts(types.to_vec()),
        None => statement,
    }
}

/// The patrons who are absent on the present day in the library's time zone.
fn away(context: &Context, desk: &Desk) -> Statement {
    let today = context.now.to_zoned(desk.time_zone.clone()).date().to_string();
    Statement::new(sql::PATRONS_WHO_ARE_AWAY).text(today)
}
