//! The first of a decision's two round trips: opens the transaction, takes the locks in their one order ([`super::locks`]), and reads
//! what the decision has to know.
//!
//! Each statement of a batch takes its snapshot after those before it have got their locks. So two decisions about one patron
//! or one item never overlap, and each reads what those before it have left.

mod item;
mod lost;
mod patron;
mod sql;
mod standing;

use std::collections::HashSet;
use std::sync::Arc;

use octavo_circulation::blocks::{Standing, automated_blocks};
use octavo_circulation::facts::{
    AutomatedBlock, Facts, FreshIds, Item, Loan, ManualBlock, OpenLoanSummary, Proxy, QueuedRequest, Reach,
};
use octavo_circulation::fees::LostFees;
use octavo_engine::Context;
use octavo_kernel::{Fault, Outcome, folio_time};
use octavo_pg::{DbError, Row, Session, Statement};
use serde_json::Value;
use uuid::Uuid;

use super::locks::held;
use super::{Desk, ItemLimits};

pub(super) use item::{ITEM_COLUMNS, ITEM_SOURCE, ITEM_WIDTH, TITLE_ID, item_at, title_at};
pub(super) use lost::IDENTIFIERS;
pub(super) use patron::patron_of;
use standing::by_types;
pub(crate) use standing::{COUNTED_BY_ID, EACH_BY_ID, standing};

/// How a client names a user or an item.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named<'a> {
    Barcode(&'a str),
    /// A UUID.
    Id(&'a str),
    /// The UUID of a loan, open or closed: its item, and no other loan of it.
    Loan(&'a str),
}

impl<'a> Named<'a> {
    fn text(self) -> &'a str {
        let (Named::Barcode(text) | Named::Id(text) | Named::Loan(text)) = self;
        text
    }

    /// What finds the item by its barcode, by its id, or by a loan of it.
    fn of<T>(self, [by_barcode, by_id, by_loan]: &'static [T; 3]) -> &'static T {
        match self {
            Named::Barcode(_) => by_barcode,
            Named::Id(_) => by_id,
            Named::Loan(_) => by_loan,
        }
    }
}

/// Who and what a decision is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    /// In a word or two, as it is told to whoever asks later why.
    pub(super) does: &'static str,
    pub(super) item: Named<'a>,
    pub(super) patron: Who<'a>,
    /// Whether automated blocks of the patron stand in the way.
    pub(super) heeds_blocks: bool,
    /// Whether what the item cost when it was lost is of interest.
    pub(super) lost: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Who<'a> {
    /// A borrower to be.
    User {
        barcode: &'a str,
        proxy_barcode: Option<&'a str>,
        /// For which items the open loans are counted.
        item_limits: &'a ItemLimits,
    },
    /// Users named by their ids, who lend or change a loan as a record.
    Known { user: &'a str, proxy: Option<&'a str> },
    /// Whoever has the item, or had the loan.
    Borrower,
}

impl<'a> About<'a> {
    fn has_proxy(&self) -> bool {
        matches!(self.patron, Who::User { proxy_barcode: Some(_), .. } | Who::Known { proxy: Some(_), .. })
    }

    /// Whether there are limits that may stand in the way.
    fn heeds(&self, desk: &Desk) -> bool {
        self.heeds_blocks && desk.block_limits.any()
    }

    /// Whether what the patron has is counted.
    fn counts(&self, desk: &Desk) -> bool {
        self.heeds(desk) || self.limited_types().is_some()
    }

    /// Types of items that have a limit, none for all; nothing, where no item that is lent by its barcode has one.
    fn limited_types(&self) -> Option<&'a [String]> {
        let Who::User { item_limits, .. } = self.patron else { return None };
        match item_limits {
            ItemLimits::Nowhere => None,
            ItemLimits::For(types) => Some(types),
            ItemLimits::Everywhere => Some(&[]),
        }
    }
}

/// What was read, in memory's own terms, before the snapshot's parts are added.
pub(super) struct Gathered {
    version: i64,
    patron: Option<Value>,
    manual_blocks: Vec<Value>,
    proxy: Option<Value>,
    relationships: Vec<Value>,
    item: Option<Row>,
    /// The loan that was named.
    loan: Option<Value>,
    lost: LostFees,
    /// Of the instance, where the item may be billed as lost.
    identifiers: Vec<Value>,
    open_loans: Vec<Value>,
    queue: Vec<(Value, Option<Value>)>,
    reach: Reach,
    /// Ids of patrons, where the library passes over those who are away.
    away: HashSet<String>,
    counted: Vec<OpenLoanSummary>,
    /// Read where the library charges fines.
    staff: Option<Value>,
    /// Read where the library has limits.
    standing: Option<Standing>,
}

/// Of requests that are alike, so many are read. One is enough, if its patron is not away and may have the item.
pub(super) const FIRST_FEW: i64 = 3;
pub(super) const ALL: i64 = i64::MAX;

/// One round trip; the transaction stays open. Of the queue, `of_a_kind` requests of each kind.
pub(super) async fn gather(
    context: &Context,
    session: &mut Session,
    about: &About<'_>,
    desk: &Desk,
    of_a_kind: i64,
) -> Outcome<Gathered> {
    let asked = statements(context, about, desk, of_a_kind);
    let answers = session.begin(asked).await?;
    read(context, about, desk, answers)
}

/// The same in a transaction that is open.
pub(super) async fn gather_more(
    context: &Context,
    session: &mut Session,
    about: &About<'_>,
    desk: &Desk,
    of_a_kind: i64,
) -> Outcome<Gathered> {
    let asked = statements(context, about, desk, of_a_kind);
    let answers = session.batch(asked).await?;
    read(context, about, desk, answers)
}

fn statements(context: &Context, about: &About<'_>, desk: &Desk, of_a_kind: i64) -> Vec<Statement> {
    let item = |texts: &'static [String; 3]| by_item(texts, about.item);
    let [lock_patron, patron] = patron_statements(about);
    let title_level = desk.title_level.enabled;
    let mut statements = vec![lock_patron];
    statements.extend(title_level.then(|| item(&sql::LOCK_TITLE)));
    let loans_and_queue = if about.lost { &lost::LOANS_QUEUE_AND_LOCK } else { &sql::LOANS_AND_QUEUE };
    statements.extend([
        item(&sql::LOCK_ITEM),
        patron,
        item(&sql::ITEM),
        item(loans_and_queue).long(of_a_kind),
    ]);
    statements.extend(title_level.then(|| item(&sql::QUEUE_OF_TITLE).long(of_a_kind)));
    match about.patron {
        Who::User { barcode, proxy_barcode: Some(proxy), .. } => {
            statements.push(Statement::new(sql::PROXY).text(proxy).text(barcode));
        }
        Who::Known { user, proxy: Some(id) } => {
            statements.push(Statement::new(sql::PROXY_BY_ID).text(id).text(user));
        }
        _ => {}
    }
    statements.extend(about.lost.then(|| item(&lost::FEES)));
    statements.extend(staff(context, about, desk).map(|id| Statement::new(sql::STAFF).uuid(id)));
    statements.extend(about.counts(desk).then(|| standing_of(context, about)));
    let holidays = desk.request_options.holidays.then(|| today(context, desk));
    statements.extend(holidays.map(|day| Statement::new(sql::PATRONS_WHO_ARE_AWAY).text(day)));
    statements
}

/// The answers to [`statements`], in their order.
fn read(context: &Context, about: &About<'_>, desk: &Desk, answers: Vec<Vec<Row>>) -> Outcome<Gathered> {
    let title_level = desk.title_level.enabled;
    let (heeds_blocks, counts_types) = (about.heeds(desk), about.limited_types().is_some());
    let mut answers = answers.into_iter();
    let mut next = || answers.next().unwrap_or_default();
    let locked = |rows: Vec<Row>| rows.first().and_then(|row| row.maybe_uuid(0));
    let locked_patron = locked(next());
    let locked_title = if title_level { locked(next()) } else { None };
    let locked_item = locked(next());
    let patron = next().into_iter().next();
    let item = next().into_iter().next();
    let read = |row: &Option<Row>, at: usize| row.as_ref().and_then(|row| row.maybe_uuid(at));
    held("the patron", locked_patron, read(&patron, 3))?;
    held("the item", locked_item, read(&item, ITEM_WIDTH))?;
    if title_level {
        held("the title of the item", locked_title, read(&item, TITLE_ID))?;
    }
    let (loans, mut queue): (Vec<Row>, Vec<Row>) = next().into_iter().partition(|row| row.truth(0));
    if title_level {
        queue = next();
    }
    let proxy = if about.has_proxy() { next().into_iter().next() } else { None };
    let (lost, identifiers) = if about.lost { lost::read(context, &next()) } else { Default::default() };
    let staff = staff(context, about, desk).and_then(|_| next().first().and_then(|row| row.json(0)));
    let counted = if about.counts(desk) { next() } else { Vec::new() };
    let away = if desk.request_options.holidays { next() } else { Vec::new() };
    let pair = |row: &Row| Some((row.json(1)?, row.json(2)));
    let more = queue.iter().filter(|row| row.truth(5)).map(place).min();
    let mut open_loans: Vec<Value> = loans.iter().filter_map(|row| row.json(1)).collect();
    let named = matches!(about.item, Named::Loan(_));
    // Requests for titles, from the time when there were such, do not count in the queue of an item.
    let counts = |(request, _): &(Value, _)| title_level || request["requestLevel"] != "Title";
    let counting: Vec<(Value, Option<Value>)> = queue.iter().filter_map(pair).filter(counts).collect();
    let uncounted = queue.len() - counting.len();
    let length = queue.first().and_then(|row| usize::try_from(row.long(4)).ok());
    Ok(Gathered {
        version: patron.as_ref().map_or(0, |row| row.long(0)),
        patron: patron.as_ref().and_then(|row| row.json(1)),
        manual_blocks: list(patron.as_ref(), 2),
        relationships: list(proxy.as_ref(), 1),
        proxy: proxy.and_then(|row| row.json(0)),
        item,
        loan: if named { open_loans.pop() } else { None },
        lost,
        identifiers,
        open_loans,
        queue: counting,
        reach: Reach {
            length: length.map(|length| length.saturating_sub(uncounted)),
            up_to: more,
            of_title: title_level,
        },
        away: away.iter().map(|row| row.text(0).to_owned()).collect(),
        counted: if counts_types { by_types(&counted)? } else { Vec::new() },
        staff,
        standing: heeds_blocks.then(|| standing(&counted)).transpose()?,
    })
}

fn place(row: &Row) -> i64 {
    row.long(3)
}

/// The day at the library, as holidays are written.
fn today(context: &Context, desk: &Desk) -> String {
    context.now.to_zoned(desk.time_zone.clone()).date().to_string()
}

/// Whoever takes back or renews an item that may be overdue signs the fine.
fn staff(context: &Context, about: &About<'_>, desk: &Desk) -> Option<Uuid> {
    let charges = matches!(about.patron, Who::Borrower) && desk.charging.charges();
    context.caller.user_id.filter(|_| charges)
}

/// The one that locks the patron, and the one that reads them.
fn patron_statements(about: &About<'_>) -> [Statement; 2] {
    let by = |patron: &'static sql::Patron, name: &str| {
        [&patron.lock, &patron.read].map(|text| Statement::new(text.as_str()).text(name))
    };
    match about.patron {
        Who::User { barcode, .. } => by(&sql::PATRON, barcode),
        Who::Known { user, .. } => by(&sql::PATRON_BY_ID, user),
        Who::Borrower => by(about.item.of(&sql::BORROWER), about.item.text()),
    }
}

fn by_item(texts: &'static [String; 3], item: Named<'_>) -> Statement {
    Statement::new(item.of(texts).as_str()).text(item.text())
}

/// Of the patron whom the statement before has locked.
fn standing_of(context: &Context, about: &About<'_>) -> Statement {
    let types = about.limited_types();
    let statement = match about.patron {
        Who::User { barcode, .. } => {
            let text = if types.is_some() { &standing::COUNTED_BY_TYPES } else { &standing::COUNTED };
            Statement::new(text.as_str()).text(barcode)
        }
        Who::Known { user, .. } => Statement::new(COUNTED_BY_ID.as_str()).text(user),
        Who::Borrower => by_item(&standing::COUNTED_OF_BORROWER, about.item),
    };
    let statement = statement.text(folio_time(context.now));
    match types {
        Some(types) => statement.text(about.item.text()).texts(types.to_vec()),
        None => statement,
    }
}

pub(super) fn list(row: Option<&Row>, at: usize) -> Vec<Value> {
    match row.and_then(|row| row.json(at)) {
        Some(Value::Array(values)) => values,
        _ => Vec::new(),
    }
}

/// Ids for what a decision may write.
pub(super) fn fresh_ids(context: &Context) -> FreshIds {
    FreshIds {
        loan: context.fresh_id().to_string(),
        check_in: context.fresh_id().to_string(),
        session: context.fresh_id().to_string(),
        account: context.fresh_id().to_string(),
        fee_fine_action: context.fresh_id().to_string(),
        second_account: context.fresh_id().to_string(),
        second_fee_fine_action: context.fresh_id().to_string(),
        actual_cost: context.fresh_id().to_string(),
        note: context.fresh_id().to_string(),
        decision: context.fresh_id().to_string(),
    }
}

/// What jobs know of the library before they look at a loan.
pub(super) fn library_facts(context: &Context, desk: &Desk) -> Facts {
    Facts {
        now: context.now,
        time_zone: desk.time_zone.clone(),
        permissions: context.caller.permissions.clone(),
        acting_user_id: context.caller.user_id.map(|id| id.to_string()),
        fresh_ids: fresh_ids(context),
        policies: Arc::clone(&desk.policies),
        calendar: Some(desk.calendar.clone()),
        service_points: Arc::clone(&desk.service_points),
        patron: None,
        proxy: None,
        item: None,
        loan: None,
        lost: LostFees::default(),
        open_loans_of_item: Vec::new(),
        open_loans_of_patron: Vec::new(),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        charging: Arc::clone(&desk.charging),
        person_names: Arc::clone(&desk.person_names),
        general_note_type: desk.general_note_type.clone(),
        staff: None,
        queue: Vec::new(),
        reach: Reach::default(),
    }
}

impl Gathered {
    /// Joins what was read with the tenant's snapshot, of the very version that the database has now.
    pub(super) async fn facts(
        mut self,
        context: &Context,
        session: &mut Session,
        about: &About<'_>,
        desk: &Arc<Desk>,
    ) -> Outcome<Facts> {
        let mut desk = Arc::clone(desk);
        if desk.version != self.version {
            let snapshot = context.platform.snapshots.read(&context.tenant.id, session).await?;
            let before = std::mem::replace(&mut desk, Desk::of(&snapshot));
            if desk.title_level.enabled != before.title_level.enabled {
                return Err(Fault::from(DbError::changed("the queues of the library")));
            }
            if desk.item_limits != before.item_limits {
                return Err(Fault::from(DbError::changed("the limits of the library")));
            }
            // The first limit that a library ever set came in between.
            if about.heeds_blocks && self.standing.is_none() && desk.block_limits.any() {
                self.standing = Some(standing(&session.rows(standing_of(context, about)).await?)?);
            }
        }
        let automated_blocks = self.automated_blocks(context, &desk);
        let away = self.away;
        let request = |(record, requester): (Value, Option<Value>)| QueuedRequest {
            requester_is_away: record["requesterId"].as_str().is_some_and(|id| away.contains(id)),
            record: record.into(),
            requester: requester.map(|user| patron_of(user, &desk)),
        };
        let identifiers = std::mem::take(&mut self.identifiers);
        Ok(Facts {
            patron: self.patron.map(|user| patron_of(user, &desk)),
            proxy: self
                .proxy
                .map(|user| Proxy { patron: patron_of(user, &desk), relationships: self.relationships }),
            item: self.item.and_then(|row| item_at(&row, 0, &desk)).map(|item| Item { identifiers, ..item }),
            loan: self.loan.map(Loan::from),
            lost: self.lost,
            open_loans_of_item: self.open_loans.into_iter().map(Loan::from).collect(),
            open_loans_of_patron: self.counted,
            manual_blocks: self.manual_blocks.into_iter().map(|record| ManualBlock { record }).collect(),
            automated_blocks,
            staff: self.staff.map(|user| patron_of(user, &desk)),
            queue: self.queue.into_iter().map(request).collect(),
            reach: self.reach,
            ..library_facts(context, &desk)
        })
    }

    fn automated_blocks(&self, context: &Context, desk: &Desk) -> Vec<AutomatedBlock> {
        let (Some(standing), Some(patron)) = (&self.standing, &self.patron) else { return Vec::new() };
        let group = patron["patronGroup"].as_str();
        automated_blocks(&desk.block_limits, group, standing, &desk.policies, context.now)
    }
}

octavo_pg::statements!(within = [lost, sql, standing]);
