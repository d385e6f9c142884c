//! The checks of a check-out, in the order of FOLIO's manual.

use jiff::Timestamp;
use octavo_kernel::{Outcome, Refusal};

use crate::Undecided;
use crate::command::CheckOut;
use crate::due_date::policy_refusal;
use crate::facts::{Facts, Item, Patron};
use crate::governing::apply_rules;
use crate::policy::GoverningLoanPolicy;
use crate::refusals::Refusals;
use crate::refusals::blocked_patron::{Action, refuse_automatically_blocked, refuse_manually_blocked};
use crate::refusals::inactive_patron::{refuse_inactive_patron, refuse_inactive_proxy};
use crate::refusals::item_limit::refuse_item_limit_reached;
use crate::refusals::item_status::{refuse_already_checked_out, refuse_check_out_of_status};
use crate::refusals::overrides::{Block, refuse_check_out_override};
use crate::refusals::proxy::refuse_invalid_proxy;
use crate::refusals::requested_by_another::refuse_requested_by_another;
use crate::rules::Match;
use crate::status::RefusalCode;

/// The facts that are certain once nothing was refused.
pub(super) struct Validated<'a> {
    pub item: &'a Item,
    pub patron: &'a Patron,
    pub found: Match,
    pub governing: GoverningLoanPolicy<'a>,
    pub overridden: Vec<Block>,
}

struct Check<'a> {
    facts: &'a Facts,
    command: &'a CheckOut,
    loan_date: Timestamp,
    refusals: Refusals,
    overridden: Vec<Block>,
}

pub(super) fn validate<'a>(
    facts: &'a Facts,
    command: &'a CheckOut,
    loan_date: Timestamp,
) -> Result<Validated<'a>, Undecided> {
    let mut check =
        Check { facts, command, loan_date, refusals: Refusals::default(), overridden: Vec::new() };
    check.service_point();
    check.patron_and_blocks();
    check.proxy_and_activity();
    check.item();
    check.queue()?;
    let governed = check.policies()?;
    check.refusals.into_outcome()?;

    // Without an item or a patron there was a refusal.
    match (facts.item.as_ref(), facts.patron.as_ref(), governed) {
        (Some(item), Some(patron), Some((found, governing))) => {
            Ok(Validated { item, patron, found, governing, overridden: check.overridden })
        }
        _ => Err(octavo_kernel::Fault::internal("check-out without item or patron was not refused").into()),
    }
}

impl<'a> Check<'a> {
    fn service_point(&mut self) {
        let id = self.command.service_point_id.as_deref();
        if id.is_none_or(str::is_empty) {
            let refusal = Refusal::new("Check out must be performed at a service point");
            self.refusals.extend([refusal.about("servicePointId", id)]);
        }
    }

    fn patron_and_blocks(&mut self) {
        if self.facts.patron.is_none() {
            self.refusals.extend([user_not_found("userBarcode", &self.command.user_barcode)]);
            return;
        }
        let (facts, permissions) = (self.facts, &self.facts.permissions);
        if self.command.override_blocks.patron_block.is_some() {
            self.override_block(Block::Patron);
            return;
        }
        let manual = refuse_manually_blocked(facts, Action::Borrowing).into_iter();
        let blocks = manual.chain(refuse_automatically_blocked(facts, Action::Borrowing));
        self.refusals.overridable(Block::Patron, blocks, permissions);
    }

    /// FOLIO checks the override where it would have checked the block, whether or not the block is there.
    fn override_block(&mut self, block: Block) {
        let overrides = &self.command.override_blocks;
        match refuse_check_out_override(block, overrides, &self.facts.permissions, self.loan_date) {
            Some(refusal) => self.refusals.extend([refusal]),
            None => self.overridden.push(block),
        }
    }

    fn proxy_and_activity(&mut self) {
        let now = self.facts.now();
        let proxy_barcode = self.command.proxy_user_barcode.as_deref();
        if let (Some(barcode), None) = (proxy_barcode, &self.facts.proxy) {
            self.refusals.extend([user_not_found("proxyUserBarcode", barcode)]);
        }
        if let Some(patron) = &self.facts.patron {
            self.refusals.extend(refuse_inactive_patron(patron, now, &self.command.user_barcode));
        }
        if let (Some(barcode), Some(proxy)) = (proxy_barcode, &self.facts.proxy) {
            self.refusals.extend(refuse_inactive_proxy(&proxy.patron, now, barcode));
            if let Some(patron) = &self.facts.patron {
                self.refusals.extend(refuse_invalid_proxy(proxy, patron, now, barcode));
            }
        }
    }

    fn item(&mut self) {
        let barcode = &self.command.item_barcode;
        let Some(item) = &self.facts.item else {
            let refusal = Refusal::new(format!("No item with barcode {barcode} could be found"));
            self.refusals.extend([refusal.about("itemBarcode", barcode)]);
            return;
        };
        self.refusals.extend(refuse_already_checked_out(item, ("itemBarcode", barcode)));
        self.refusals.extend(refuse_check_out_of_status(item));
        if !self.facts.open_loans_of_item.is_empty() {
            let refusal = Refusal::new("Cannot check out item that already has an open loan");
            self.refusals.extend([refusal.about("itemBarcode", barcode).code(RefusalCode::ItemHasOpenLoan)]);
        }
    }

    fn queue(&mut self) -> Result<(), Undecided> {
        if let (Some(item), Some(patron)) = (&self.facts.item, &self.facts.patron) {
            let about = ("userBarcode", self.command.user_barcode.as_str());
            let refusal = refuse_requested_by_another(self.facts, item, patron, about)?;
            self.refusals.extend(refusal);
        }
        Ok(())
    }

    fn policies(&mut self) -> Outcome<Option<(Match, GoverningLoanPolicy<'a>)>> {
        let (Some(item), Some(patron)) = (&self.facts.item, &self.facts.patron) else { return Ok(None) };
        let found = apply_rules(&self.facts.policies, item, Some(patron))?;
        let governing = self.facts.policies.governing_loan_policy(&found)?;
        let barcode = &self.command.item_barcode;
        let permissions = &self.facts.permissions;

        if self.command.override_blocks.item_limit_block.is_some() {
            self.override_block(Block::ItemLimit);
        } else {
            let refusal = refuse_item_limit_reached(self.facts, item, &governing, barcode);
            self.refusals.overridable(Block::ItemLimit, refusal, permissions);
        }
        if self.command.override_blocks.item_not_loanable_block.is_some() {
            self.override_block(Block::ItemNotLoanable);
        } else if !governing.policy.loanable {
            let refusal = policy_refusal(governing.policy, "Item is not loanable")
                .about("itemBarcode", barcode)
                .code(RefusalCode::ItemNotLoanable);
            self.refusals.extend([Block::ItemNotLoanable.mark(refusal, permissions)]);
        }
        Ok(Some((found, governing)))
    }
}

fn user_not_found(key: &str, barcode: &str) -> Refusal {
    Refusal::new("Could not find user with matching barcode")
        .about(key, barcode)
        .code(RefusalCode::UserBarcodeNotFound)
}
