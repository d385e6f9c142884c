//! The notice at the end of a patron's visit, about all items that were lent or returned.

use std::collections::BTreeMap;

use serde_json::Value;

use super::announce::DecisionFacts;
use crate::document::text;
use crate::facts::{Facts, Item, Patron};
use crate::plan::{NoticeReason, event};
use crate::policy::Format;

#[derive(Debug, Clone)]
pub struct VisitLoan {
    pub loan: Value,
    pub item: Item,
}

/// A notice about several loans, given by their indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct VisitNotice {
    pub event: &'static str,
    pub because: NoticeReason,
    pub template_id: String,
    pub format: Format,
    pub loans: Vec<usize>,
}

/// One notice for each policy that the rules choose for these loans.
pub fn notices_of_session(
    facts: &Facts,
    patron: &Patron,
    action: &str,
    ended: &[VisitLoan],
) -> Vec<VisitNotice> {
    let event = if action == "Check-in" { event::CHECK_IN } else { event::CHECK_OUT };
    let mut notices: BTreeMap<Option<String>, VisitNotice> = BTreeMap::new();
    for (place, ended) in ended.iter().enumerate() {
        if text(&ended.loan, &["id"]).is_none() {
            continue;
        }
        let items = std::slice::from_ref(&ended.item);
        let world = DecisionFacts { facts, items };
        if let Some((configured, because)) = world.first_notice_for_item(ended.item.id(), patron, event) {
            let notice = notices.entry(because.policy_id.clone()).or_insert_with(|| VisitNotice {
                event,
                because,
                template_id: configured.template_id.clone(),
                format: configured.format,
                loans: Vec::new(),
            });
            notice.loans.push(place);
        }
    }
    notices.into_values().collect()
}
