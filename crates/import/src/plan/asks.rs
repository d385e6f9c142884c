//! What a plan as a whole does, which decides how records are prepared for it.

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

    /// Whether numbers of incoming records are kept in 035 before anything is matched: where stored records are changed.
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

    /// Whether holdings of a matched record are of use.
    pub(crate) fn looks_at_holdings(&self) -> bool {
        self.matches(Entity::Holdings)
            || self.matches(Entity::Item)
            || self
                .acts()
                .any(|act| matches!(act, Act::UpdateHoldings(_) | Act::CreateItem(_) | Act::UpdateItem(_)))
    }
}
