//! Properties of a whole plan, which decide how records are prepared for it.

use super::{Act, Kind, Plan};
use crate::journal::Entity;

impl Plan {
    fn acts(&self) -> impl Iterator<Item = &Act> {
        self.nodes.iter().filter_map(|node| match &node.kind {
            Kind::Act(act) => Some(&**act),
            Kind::Match { .. } => None,
        })
    }

    fn matches(&self, entity: Entity) -> bool {
        self.nodes
            .iter()
            .any(|node| matches!(&node.kind, Kind::Match { matching, .. } if matching.shape.entity == entity))
    }

    /// Whether the numbers of incoming records are copied to 035 before anything is matched: this is so if the plan changes stored records.
    pub(crate) fn keeps_former_numbers(&self) -> bool {
        let updates = self.acts().any(|act| matches!(act, Act::UpdateMarc(..) | Act::UpdateInstance(_)));
        let below = self.acts().any(|act| {
            matches!(
                act,
                Act::CreateHoldings(_) | Act::UpdateHoldings(_) | Act::CreateItem(_) | Act::UpdateItem(_)
            )
        });
        let creates = self.acts().any(|act| matches!(act, Act::CreateInstance(_)));
        updates || (below && !creates) || self.matches(Entity::MarcAuthority)
    }

    pub(crate) fn updates_holdings(&self) -> bool {
        self.acts().any(|act| matches!(act, Act::UpdateHoldings(_)))
    }

    /// Whether a later profile needs the holdings of a matched record.
    pub(crate) fn needs_holdings(&self) -> bool {
        self.matches(Entity::Holdings)
            || self.matches(Entity::Item)
            || self
                .acts()
                .any(|act| matches!(act, Act::UpdateHoldings(_) | Act::CreateItem(_) | Act::UpdateItem(_)))
    }
}
