//! Chooses the item of a title-level request.

use octavo_kernel::Outcome;

use super::RequestFacts;
use super::item_statuses::requestable_as;
use crate::facts::{Item, Loan, Location};
use crate::status::{ItemStatus, RequestType};

/// Available items that the rules let the requester page.
pub(super) fn pageable_items(facts: &RequestFacts) -> Outcome<Vec<&Item>> {
    let Some(patron) = facts.governed_patron() else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for item in facts.items.iter().filter(|item| item.is(ItemStatus::Available)) {
        if facts.request_policy(item, patron)?.allows(RequestType::Page) {
            found.push(item);
        }
    }
    Ok(found)
}

/// The pageable item closest to the pickup service point, which means to any location whose primary service point it is, also one without
/// a copy.
pub(super) fn item_to_page<'a>(
    facts: &RequestFacts,
    items: &[&'a Item],
    pickup_service_point_id: Option<&str>,
) -> Option<&'a Item> {
    let served = |location: &&Location| {
        pickup_service_point_id.is_some()
            && location.primary_service_point_id.as_deref() == pickup_service_point_id
    };
    let near: Vec<&Location> = facts.locations.values().map(|location| &**location).filter(served).collect();
    let distances: [fn(&Location, &Location) -> bool; 4] = [
        |one, other| one.id == other.id,
        |one, other| one.library_id.is_some() && one.library_id == other.library_id,
        |one, other| one.campus_id.is_some() && one.campus_id == other.campus_id,
        |one, other| one.institution_id.is_some() && one.institution_id == other.institution_id,
    ];
    let close = distances.iter().find_map(|is_near| {
        items.iter().find(|item| {
            item.location.as_ref().is_some_and(|own| near.iter().any(|location| is_near(own, location)))
        })
    });
    close.or_else(|| items.first()).copied()
}

/// The item whose loan ends first among those without recalls; if all are recalled, the one with the fewest recalls. Without a loan, an
/// item that can be recalled in its status. Items whose request policy allows no recall are chosen only if there is no other; then the
/// check of the policy refuses.
pub(super) fn item_to_recall(facts: &RequestFacts) -> Outcome<Option<&Item>> {
    let recallable: Vec<&Item> =
        facts.items.iter().filter(|item| requestable_as(item.status(), RequestType::Recall)).collect();
    let mut allowed = Vec::with_capacity(recallable.len());
    for item in &recallable {
        if match facts.governed_patron() {
            Some(patron) => facts.request_policy(item, patron)?.allows(RequestType::Recall),
            None => true,
        } {
            allowed.push(*item);
        }
    }
    Ok(first_to_recall(facts, &allowed).or_else(|| first_to_recall(facts, &recallable)))
}

fn first_to_recall<'a>(facts: &'a RequestFacts, items: &[&'a Item]) -> Option<&'a Item> {
    let recalls = |loan: &Loan| {
        let of_loan = facts.desk.queue.iter();
        of_loan.filter(|request| request.is_recall() && request.item_id() == loan.item_id()).count()
    };
    let loans = facts.open_loans.iter();
    let item_of = |loan: &Loan| items.iter().find(|item| Some(item.id()) == loan.item_id()).copied();
    let lent = loans.filter_map(|loan| Some((loan, item_of(loan)?)));
    let first = lent.min_by_key(|(loan, _)| (recalls(loan), loan.due_date()));
    first.map(|(_, item)| item).or_else(|| items.first().copied())
}
