//! The checks of a new request, in FOLIO's order; all refusals are reported together, except that no copy of a title can be paged.

use octavo_kernel::{Outcome, Refusal};

use super::RequestFacts;
use super::body::Body;
use super::choose::{item_to_page, item_to_recall, pageable_items};
use super::duplicates::refuse_already_requested;
use super::item_statuses::requestable_as;
use crate::facts::{Item, Patron};
use crate::policy::RequestPolicy;
use crate::refusals::blocked_patron::{Action, refuse_automatically_blocked, refuse_manually_blocked};
use crate::refusals::overrides::Block;
use crate::refusals::{Refusals, missing_parameter};
use crate::status::{FulfillmentPreference, RefusalCode, RequestType};

/// The facts that are certain once nothing was refused.
pub(super) struct Validated<'a> {
    /// `None` for a title-level hold, which any item can fill.
    pub item: Option<&'a Item>,
    pub overridden: bool,
}

/// The errors that make later checks meaningless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    NoInstance,
    UnknownInstance,
    /// Also if the date of the request is missing, which FOLIO reports as an error of the item.
    NoItem,
    NoHoldings,
    UnknownItem,
    /// A title-level request that names an item.
    LinkedTitle,
    NoRequester,
    NothingToRecall,
}

struct Check<'a> {
    facts: &'a RequestFacts,
    body: &'a Body,
    refusals: Refusals,
    flaws: Vec<Flaw>,
    item: Option<&'a Item>,
    overridden: bool,
}

pub(super) fn validate<'a>(facts: &'a RequestFacts, body: &'a Body) -> Outcome<Validated<'a>> {
    let item = if body.is_title_level() { None } else { facts.item(body.text("itemId")) };
    let mut check = Check::new(facts, body, item);
    check.presence();
    check.refuse_linked_item();
    check.instance();
    check.choose_title_item()?;
    check.proxy();
    check.pickup();
    check.requester();
    check.refusals.extend(refuse_already_requested(facts, body));
    check.blocks();
    check.item();
    check.policy()?;
    check.title_holds()?;
    check.refusals.into_outcome()?;
    Ok(Validated { item: check.item, overridden: check.overridden })
}

/// The checks of an edit are those of a new request, but only the first error is reported.
pub(super) fn refuse_edit(facts: &RequestFacts, body: &Body) -> Outcome<()> {
    let mut check = Check::new(facts, body, None);
    check.presence();
    check.proxy();
    check.pickup();
    check.refusals.into_first()
}

/// The refusal about an item whose status or request policy does not allow the type of request.
pub(super) fn not_allowed(request_type: &str) -> Refusal {
    let message = format!("{request_type} requests are not allowed for this patron and item combination");
    Refusal::new(message).about("requestType", request_type)
}

pub(super) fn refuse_invalid_patron(patron: Option<&Patron>, requester_id: Option<&str>) -> Option<Refusal> {
    match patron {
        None => {
            let refusal = Refusal::new("A valid user and patron group are required. User is null");
            Some(refusal.about("userId", requester_id))
        }
        Some(patron) if patron.patron_group_id().is_none() => Some(missing_parameter(
            "A valid patron group is required. PatronGroup ID is null",
            "PatronGroupId",
        )),
        Some(_) => None,
    }
}

pub(super) fn refuse_own_loan(facts: &RequestFacts, item: &Item, requester_id: &str) -> Option<Refusal> {
    let loan = facts.open_loan_of(item.id()).filter(|loan| loan.user_id() == Some(requester_id))?;
    Some(
        Refusal::new("This requester already has this item on loan")
            .about("itemId", item.id())
            .about("userId", requester_id)
            .about("loanId", loan.id())
            .code(RefusalCode::RequesterHasItemOnLoan),
    )
}

pub(super) fn refuse_pickup_by_policy(policy: &RequestPolicy, kind: &str, point: &str) -> Option<Refusal> {
    (!policy.allows_pickup_at(kind, point)).then(|| {
        Refusal::new("One or more Pickup locations are no longer available")
            .about("pickupServicePointId", point)
            .about("requestType", kind)
            .about("requestPolicyId", &policy.id)
            .code(RefusalCode::PickupServicePointNotAllowed)
    })
}

impl<'a> Check<'a> {
    fn new(facts: &'a RequestFacts, body: &'a Body, item: Option<&'a Item>) -> Check<'a> {
        Check { facts, body, refusals: Refusals::default(), flaws: Vec::new(), item, overridden: false }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.refusals.extend([refusal]);
    }

    fn flaw(&mut self, flaw: Flaw, refusal: Refusal) {
        self.flaws.push(flaw);
        self.refuse(refusal);
    }

    fn has(&self, flaws: &[Flaw]) -> bool {
        flaws.iter().any(|flaw| self.flaws.contains(flaw))
    }

    fn presence(&mut self) {
        let body = self.body;
        let about = |message: &str, key: &str| Refusal::new(message).about(key, body.sent_text(key));
        if body.text("instanceId").is_none() {
            let message = "Cannot create a request with no instance ID";
            self.flaw(Flaw::NoInstance, about(message, "instanceId"));
        }
        if !body.is_title_level() && body.text("itemId").is_none() {
            let message = "Cannot create an item level request with no item ID";
            self.flaw(Flaw::NoItem, about(message, "itemId"));
        }
        if body.text("itemId").is_some() && body.text("holdingsRecordId").is_none() {
            let message = "Cannot create a request with item ID but no holdings record ID";
            self.flaw(Flaw::NoHoldings, about(message, "holdingsRecordId"));
        }
        if body.text("requestDate").is_none() {
            self.flaw(
                Flaw::NoItem,
                missing_parameter("Cannot create a request with no requestDate", "requestDate"),
            );
        }
    }

    /// Refuses a title-level request that names an item or a holdings record.
    fn refuse_linked_item(&mut self) {
        let body = self.body;
        let linked = body.text("itemId").is_some() || body.text("holdingsRecordId").is_some();
        if body.is_title_level() && linked && !self.has(&[Flaw::NoHoldings]) {
            let message = "Cannot create a title level page request for this instance ID with no item ID";
            self.flaw(
                Flaw::LinkedTitle,
                Refusal::new(message)
                    .about("itemId", body.sent_text("itemId"))
                    .about("holdingsRecordId", body.sent_text("holdingsRecordId"))
                    .code(RefusalCode::TitlePageWithoutItem),
            );
        }
    }

    fn instance(&mut self) {
        if let (Some(id), None) = (self.body.text("instanceId"), &self.facts.instance) {
            let refusal = Refusal::new("Instance does not exist").about("instanceId", id);
            self.flaw(Flaw::UnknownInstance, refusal);
        }
    }

    /// Chooses the item of a title-level page or recall, and refuses if there is none.
    fn choose_title_item(&mut self) -> Outcome<()> {
        if !self.body.is_title_level() || self.facts.instance.is_none() || self.has(&[Flaw::NoItem]) {
            return Ok(());
        }
        match self.body.kind() {
            Some(RequestType::Page) => {
                let found = pageable_items(self.facts)?;
                self.item = item_to_page(self.facts, &found, self.body.text("pickupServicePointId"));
                if self.item.is_none() && self.facts.governed_patron().is_some() {
                    let message =
                        "Cannot create page TLR for this instance ID - no pageable available items found";
                    // As in FOLIO, this ends the checks, and is reported alone.
                    let refusal = Refusal::new(message);
                    return Err(refusal.about("instanceId", self.body.sent_text("instanceId")).into());
                }
            }
            Some(RequestType::Recall) => {
                self.item = item_to_recall(self.facts)?;
                if self.item.is_none() {
                    let refusal = missing_parameter("Request has no loan or recallable item", "loan");
                    self.flaw(Flaw::NothingToRecall, refusal);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn proxy(&mut self) {
        let Some(proxy_id) = self.body.text("proxyUserId") else { return };
        if self.body.text("requesterId") == Some(proxy_id) {
            let refusal = Refusal::new("User cannot be proxy for themselves").about("proxyUserId", proxy_id);
            self.refuse(refusal.code(RefusalCode::ProxyForThemselves));
        } else if !self.facts.desk.proxy.as_ref().is_some_and(|proxy| proxy.may_act(self.facts.desk.now())) {
            self.refuse(Refusal::new("proxyUserId is not valid").about("proxyUserId", proxy_id));
        }
    }

    fn pickup(&mut self) {
        let Some(id) = self.body.text("pickupServicePointId") else {
            if self.body.text_or_empty("fulfillmentPreference") == FulfillmentPreference::HoldShelf.name() {
                let message = "Hold shelf fulfillment requests require a Pickup service point";
                let refusal = Refusal::new(message).about("id", self.body.sent_text("id"));
                self.refuse(refusal.code(RefusalCode::PickupServicePointRequired));
            }
            return;
        };
        match self.facts.desk.service_point(Some(id)) {
            None => {
                let refusal = Refusal::new("Pickup service point does not exist");
                self.refuse(refusal.about("pickupServicePointId", id));
            }
            Some(point) if point["pickupLocation"] != true => {
                let refusal = Refusal::new("Service point is not a pickup location");
                let refusal = refusal.about("pickupServicePointId", id);
                self.refuse(refusal.code(RefusalCode::NotPickupLocation));
            }
            Some(_) => {}
        }
    }

    fn requester(&mut self) {
        let patron = self.facts.desk.patron.as_ref();
        if let Some(refusal) = refuse_invalid_patron(patron, self.body.sent_text("requesterId")) {
            self.flaw(Flaw::NoRequester, refusal);
        }
        if patron.is_some_and(|patron| !patron.is_active(self.facts.desk.now())) {
            self.refuse(
                Refusal::new("Inactive users cannot make requests")
                    .about("itemId", self.body.sent_text("itemId"))
                    .about("requesterId", self.body.sent_text("requesterId")),
            );
        }
    }

    fn blocks(&mut self) {
        let (desk, permissions) = (&self.facts.desk, &self.facts.desk.permissions);
        if self.body.override_blocks.patron_block.is_some() {
            match Block::Patron.insufficient_permissions(permissions) {
                Some(refusal) => self.refuse(refusal),
                None => self.overridden = true,
            }
            return;
        }
        let blocks = refuse_automatically_blocked(desk, Action::Requesting).into_iter();
        let blocks = blocks.chain(refuse_manually_blocked(desk, Action::Requesting));
        self.refusals.overridable(Block::Patron, blocks.chain(refuse_too_many(self.facts)), permissions);
    }

    fn item(&mut self) {
        if self.has(&[Flaw::NoInstance, Flaw::UnknownInstance, Flaw::NoItem]) {
            return;
        }
        let requester_id = self.body.text_or_empty("requesterId");
        if self.body.is_title_level() {
            if self.has(&[Flaw::LinkedTitle]) {
                return;
            }
            let own = self.facts.open_loans.iter().find(|loan| loan.user_id() == Some(requester_id));
            if let Some(loan) = own {
                let message = "This requester already has a loan for one of the instance's items";
                self.refuse(
                    Refusal::new(message)
                        .about("userId", requester_id)
                        .about("itemId", loan.item_id())
                        .code(RefusalCode::RequesterHasItemOfInstanceOnLoan),
                );
            }
            return;
        }
        let Some(id) = self.body.text("itemId") else { return };
        let Some(item) = self.item else {
            self.flaw(Flaw::UnknownItem, Refusal::new("Item does not exist").about("itemId", id));
            return;
        };
        if !requestable_as(item.status(), self.body.kind()) {
            self.refuse(not_allowed(self.body.request_type()));
        }
        self.refusals.extend(refuse_own_loan(self.facts, item, requester_id));
    }

    fn policy(&mut self) -> Outcome<()> {
        if self.lacks_policy_facts() {
            return Ok(());
        }
        let (Some(item), Some(patron)) = (self.item, self.facts.governed_patron()) else { return Ok(()) };
        let policy = self.facts.request_policy(item, patron)?;
        let kind = self.body.request_type();
        if !policy.allows(self.body.kind()) {
            self.refuse(not_allowed(kind));
        } else if let Some(point) = self.body.text("pickupServicePointId") {
            self.refusals.extend(refuse_pickup_by_policy(policy, kind, point));
        }
        Ok(())
    }

    fn lacks_policy_facts(&self) -> bool {
        use Flaw::{NoInstance, NoItem, NoRequester, NothingToRecall, UnknownInstance, UnknownItem};
        self.has(&[NoInstance, UnknownInstance, NoItem, UnknownItem, NoRequester, NothingToRecall])
    }

    /// Refuses a title-level hold that no copy's request policy allows, or while a copy is available.
    fn title_holds(&mut self) -> Outcome<()> {
        let kind = self.body.kind();
        let Some(patron) = self.facts.governed_patron().filter(|_| self.body.is_title_level()) else {
            return Ok(());
        };
        let follows_rules = self.facts.title_level.holds_follow_rules;
        if kind == Some(RequestType::Hold) && follows_rules && !self.lacks_policy_facts() {
            let mut allowed = false;
            for item in &self.facts.items {
                allowed |= self.facts.request_policy(item, patron)?.allows(RequestType::Hold);
            }
            if !allowed {
                self.refuse(
                    Refusal::new("Hold requests are not allowed for this patron and title combination")
                        .about("requesterId", patron.id())
                        .about("instanceId", self.body.sent_text("instanceId"))
                        .code(RefusalCode::TitleRequestNotAllowed),
                );
            }
        }
        if let (true, Some(item)) = (kind != Some(RequestType::Page), pageable_items(self.facts)?.first()) {
            let message =
                "Hold/Recall title level request not allowed: pageable available item found for instance";
            self.refuse(
                Refusal::new(message)
                    .about("itemId", item.id())
                    .about("instanceId", self.body.sent_text("instanceId"))
                    .code(RefusalCode::PageableItemFound),
            );
        }
        Ok(())
    }
}

/// Refuses a request above the limit. It can be overridden like a patron block.
fn refuse_too_many(facts: &RequestFacts) -> Option<Refusal> {
    let patron = facts.desk.patron.as_ref()?;
    let limit = *facts.options.limits.get(patron.patron_group_id()?)?;
    (facts.open_requests >= limit).then(|| {
        Refusal::new(format!("Patron has reached the maximum of {limit} open requests"))
            .about("requesterId", patron.id())
            .code(RefusalCode::RequestLimitReached)
    })
}
