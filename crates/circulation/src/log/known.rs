//! What facts and plan know of the item, the patron and the service point of a record.

use crate::document::{Document, text};
use crate::facts::Item;
use crate::notice::DecisionFacts;
use crate::plan::{Logged, Plan, RecordKind};

impl<'a> DecisionFacts<'a> {
    fn find_item(self, id: Option<&str>) -> Option<&'a Item> {
        let items = self.facts.item.iter().chain(self.items);
        items.into_iter().find(|item| Some(item.id()) == id)
    }

    /// The item as the plan leaves it, if plan or facts have it.
    pub(super) fn item_after(self, plan: &'a Plan, id: Option<&str>) -> Option<&'a Document> {
        let written = id.and_then(|id| plan.last_written(RecordKind::Item, id));
        written.or_else(|| self.find_item(id).map(|item| &item.record))
    }

    pub(super) fn set_item(self, logged: &mut Logged, plan: &Plan, id: Option<&str>) {
        let item = self.item_after(plan, id);
        logged.item_id = id.map(str::to_owned);
        logged.item_barcode = item.and_then(|item| text(item, &["barcode"])).map(str::to_owned);
    }

    pub(super) fn set_user(self, logged: &mut Logged, id: Option<&str>) {
        let patron = self.facts.patron.as_ref().filter(|patron| Some(patron.id()) == id);
        logged.user_id = id.map(str::to_owned);
        logged.user_barcode = patron.and_then(|patron| patron.barcode()).map(str::to_owned);
    }

    pub(super) fn point_name(self, id: Option<&str>) -> Option<&'a str> {
        text(self.facts.service_point(id)?, &["name"])
    }
}
