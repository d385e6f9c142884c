//! The first of the two round trips of a decision: opens the transaction, takes the locks in their order ([`super::locks`]), and reads
//! the facts.
//!
//! Each statement of a batch sees the state after the earlier ones have got their locks. So two decisions about one patron or item
//! never overlap, and each reads the results of those before it.

mod item;
mod lost;
mod patron;
mod sql;
mod standing;
mod stock;

mod questions;

use std::sync::Arc;

use octavo_circulation::facts::{Facts, FreshIds, LostFees, QueuePart};
use octavo_circulation::log::log;
use octavo_circulation::notice::{DecisionFacts, announce};
use octavo_circulation::plan::Plan;
use octavo_circulation::{Undecided, remember, remember_by_clock};
use octavo_engine::{Context, Snapshot};
use octavo_pg::{Answers, Batch};

use super::{Desk, ItemLimits};
use crate::decide::{Attempt, Decision, Setback};
use questions::Questions;

pub(super) use item::{ITEM_COLUMNS, ITEM_SOURCE, ITEMS, ItemRow, LOCKABLE_SOURCES, TitleRow, item_source};
pub(super) use lost::IDENTIFIERS;
pub(super) use patron::patron_of;
pub(super) use questions::{PatronRow, ProxyRow, blocks_of, proxy_of, statement_by_item};
pub(super) use sql::{ITEM, LOCK_ITEM, LOCK_TITLE};
pub(crate) use standing::{COUNTED_BY_ID, EACH_BY_ID, StandingRow};
pub(super) use stock::{STOCKS, lock_items_sql};

/// How a client names a user or an item.
#[derive(Debug, Clone, Copy)]
pub(super) enum RecordKey<'a> {
    Barcode(&'a str),
    Id(&'a str),
    /// The UUID of a loan, open or closed: its item, and no other loan of it.
    Loan(&'a str),
}

impl<'a> RecordKey<'a> {
    fn text(self) -> &'a str {
        let (RecordKey::Barcode(text) | RecordKey::Id(text) | RecordKey::Loan(text)) = self;
        text
    }

    /// Chooses from variants that find the item by its barcode, by its id, or by a loan of it.
    fn choose<T>(self, [by_barcode, by_id, by_loan]: &'static [T; 3]) -> &'static T {
        match self {
            RecordKey::Barcode(_) => by_barcode,
            RecordKey::Id(_) => by_id,
            RecordKey::Loan(_) => by_loan,
        }
    }
}

/// The item and patron of a decision.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeskSubject<'a> {
    /// The operation in a word or two, as *explain* shows it later.
    pub(super) operation: &'static str,
    pub(super) item: RecordKey<'a>,
    pub(super) patron: PatronKey<'a>,
    /// Whether automated blocks of the patron can prevent the operation.
    pub(super) checks_blocks: bool,
    /// Whether the fees for the lost item are read.
    pub(super) reads_lost_fees: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum PatronKey<'a> {
    /// The user who is about to borrow.
    User { barcode: &'a str, proxy_barcode: Option<&'a str> },
    /// The borrower and proxy that a loan record names by their ids.
    ById { user: &'a str, proxy: Option<&'a str> },
    /// The borrower of the item, or of the loan.
    Borrower,
}

impl<'a> DeskSubject<'a> {
    /// An operation on the loan that the path names, open or closed.
    pub(super) fn loan(does: &'static str, loan: &'a str) -> DeskSubject<'a> {
        DeskSubject {
            operation: does,
            item: RecordKey::Loan(loan),
            patron: PatronKey::Borrower,
            checks_blocks: false,
            reads_lost_fees: true,
        }
    }

    /// Whether automated blocks can prevent the operation in this library.
    fn reads_blocks(&self, desk: &Desk) -> bool {
        self.checks_blocks && desk.block_limits.has_limits()
    }

    /// The limited types of items, empty for all types; `None` if this is no check-out, or the library limits no items.
    fn limited_types<'d>(&self, desk: &'d Desk) -> Option<&'d [String]> {
        let PatronKey::User { .. } = self.patron else { return None };
        match &desk.item_limits {
            ItemLimits::Nowhere => None,
            ItemLimits::For(types) => Some(types),
            ItemLimits::Everywhere => Some(&[]),
        }
    }

    /// Whether an overdue fine can be charged, which names the member of staff.
    fn reads_staff(&self, desk: &Desk) -> bool {
        matches!(self.patron, PatronKey::Borrower) && desk.charging.is_configured()
    }

    /// Whether newer settings require other statements.
    fn needs_other_statements(&self, before: &Desk, now: &Desk) -> bool {
        before.title_level.enabled != now.title_level.enabled
            || before.has_partners != now.has_partners
            || before.request_options.holidays != now.request_options.holidays
            || self.limited_types(before) != self.limited_types(now)
            || self.reads_blocks(before) != self.reads_blocks(now)
            || self.reads_staff(before) != self.reads_staff(now)
    }
}

/// A decision at the desk: about an item, its loan and its patron. A loan that it writes keeps the decision and its reasons.
pub(super) struct DeskDecision<'a, D> {
    pub(super) about: DeskSubject<'a>,
    /// Whether a timer job makes the decision, which then cannot be undone.
    pub(super) by_clock: bool,
    pub(super) decision: D,
}

impl<D> Decision for DeskDecision<'_, D>
where
    D: Fn(&Facts) -> Result<Plan, Undecided> + Sync,
{
    type Facts = Facts;
    type Plan = Plan;

    async fn gather(&self, attempt: &mut Attempt<'_>) -> Result<Facts, Setback> {
        gather(attempt, &self.about).await
    }

    fn decide(&self, facts: &Facts) -> Result<Plan, Undecided> {
        let mut plan = (self.decision)(facts)?;
        match self.by_clock {
            true => remember_by_clock(facts, self.about.operation, &mut plan),
            false => remember(facts, self.about.operation, &mut plan),
        }
        let world = DecisionFacts { facts, items: &[] };
        announce(world, &mut plan);
        log(world, &mut plan);
        Ok(plan)
    }
}

/// How many equal requests are read. One is enough, unless its patron is away or may not have the item.
const MOST_EQUAL_REQUESTS: i64 = 3;
const ALL: i64 = i64::MAX;

pub(super) async fn gather(attempt: &mut Attempt<'_>, about: &DeskSubject<'_>) -> Result<Facts, Setback> {
    let mut batch = Batch::default();
    let questions = add_questions(attempt, about, &mut batch);
    let answers = attempt.ask(batch).await?;
    facts(attempt, about, &questions, &answers).await
}

/// The facts about several loans, in one round trip.
pub(crate) async fn gather_loans(attempt: &mut Attempt<'_>, loans: &[String]) -> Result<Vec<Facts>, Setback> {
    let mut batch = Batch::default();
    let abouts: Vec<DeskSubject<'_>> = loans.iter().map(|loan| DeskSubject::loan("", loan)).collect();
    let questions: Vec<Questions> =
        abouts.iter().map(|about| add_questions(attempt, about, &mut batch)).collect();
    let answers = attempt.ask(batch).await?;
    let mut all = Vec::with_capacity(loans.len());
    for (about, questions) in abouts.iter().zip(&questions) {
        all.push(facts(attempt, about, questions, &answers).await?);
    }
    Ok(all)
}

fn add_questions(attempt: &Attempt<'_>, about: &DeskSubject<'_>, batch: &mut Batch) -> Questions {
    let of_a_kind = if attempt.reads_whole_queue { ALL } else { MOST_EQUAL_REQUESTS };
    Questions::ask(batch, attempt.context, &Desk::from_snapshot(&attempt.snapshot), about, of_a_kind)
}

/// Joins what was read with the tenant's snapshot, of the very version that the database has now.
async fn facts(
    attempt: &mut Attempt<'_>,
    about: &DeskSubject<'_>,
    questions: &Questions,
    answers: &Answers,
) -> Result<Facts, Setback> {
    let gathered = questions.read(attempt.context, answers)?;
    let otherwise = |before: &Snapshot, now: &Snapshot| {
        about.needs_other_statements(&Desk::from_snapshot(before), &Desk::from_snapshot(now))
    };
    attempt.use_newest_settings(gathered.version, otherwise).await?;
    Ok(gathered.facts(attempt.context, &Desk::from_snapshot(&attempt.snapshot)))
}

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

/// The facts about the library that jobs have before they read a loan.
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
        title_templates: Arc::clone(&desk.title_templates),
        remote_storages: Arc::clone(&desk.remote_storages),
        general_note_type: desk.general_note_type.clone(),
        staff: None,
        queue: Vec::new(),
        queue_part: QueuePart::default(),
    }
}

octavo_pg::statements!(within = [item, lost, sql, standing]);
