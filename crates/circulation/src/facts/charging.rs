//! The settings for automatic fees, a part of the tenant's snapshot.

use std::collections::HashMap;

use serde_json::Value;

use super::Location;
use crate::document::{flag, text};
use crate::status::FeeRecordKind;

#[derive(Debug, Clone, Default)]
pub struct Charging {
    /// The automatic fee/fine types by their names.
    types: HashMap<String, NamedRecord>,
    /// Owners by the service points that they own.
    owners: HashMap<String, NamedRecord>,
    /// Templates by the id of a fee/fine type.
    templates: HashMap<String, Templates>,
}

/// The templates of the patron notices about the charges and the actions of a fee/fine type.
#[derive(Debug, Clone, Default)]
struct Templates {
    charge: Option<String>,
    action: Option<String>,
}

impl Templates {
    fn read(record: &Value, [charge, action]: [&str; 2]) -> Templates {
        let named = |name: &str| text(record, &[name]).filter(|id| !id.is_empty()).map(str::to_owned);
        Templates { charge: named(charge), action: named(action) }
    }

    fn or(self, other: Option<&Templates>) -> Templates {
        let other = other.cloned().unwrap_or_default();
        Templates { charge: self.charge.or(other.charge), action: self.action.or(other.action) }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct NamedRecord {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Charging {
    /// From the records of `/feefines` and `/owners`.
    pub fn read<'a>(
        types: impl Iterator<Item = &'a Value>,
        owners: impl Iterator<Item = &'a Value>,
    ) -> Charging {
        let named = |record: &Value, name: &str| {
            let name = text(record, &[name]).unwrap_or_default().to_owned();
            Some(NamedRecord { id: text(record, &["id"])?.to_owned(), name })
        };
        let lower = |record: &Value, name: &str| text(record, &[name]).map(str::to_ascii_lowercase);
        let (mut of_owners, mut by_service_point) = (HashMap::new(), HashMap::new());
        for record in owners {
            let templates = Templates::read(record, ["defaultChargeNoticeId", "defaultActionNoticeId"]);
            of_owners.extend(lower(record, "id").map(|id| (id, templates)));
            let points = record["servicePointOwner"].as_array().into_iter().flatten();
            for point in points.filter_map(|point| text(point, &["value"])) {
                if let Some(owner) = named(record, "owner") {
                    by_service_point.insert(point.to_ascii_lowercase(), owner);
                }
            }
        }
        let (mut automatic, mut templates) = (HashMap::new(), HashMap::new());
        for record in types {
            if flag(record, &["automatic"]) {
                automatic.extend(named(record, "feeFineType").map(|kind| (kind.name.clone(), kind)));
            }
            let own = Templates::read(record, ["chargeNoticeId", "actionNoticeId"]);
            let owner = lower(record, "ownerId").and_then(|owner| of_owners.get(&owner));
            templates.extend(lower(record, "id").map(|id| (id, own.or(owner))));
        }
        Charging { types: automatic, owners: by_service_point, templates }
    }

    /// Whether the library has the settings for automatic fees.
    pub fn is_configured(&self) -> bool {
        !self.types.is_empty() && !self.owners.is_empty()
    }

    /// The template of the patron notice about a charge or an action: that of the fee's type, or else of the type's owner. Types of
    /// automatic fees have no owner, whoever is owed the fee.
    pub(crate) fn notice_template(&self, kind: &str, recorded: FeeRecordKind) -> Option<&str> {
        let templates = self.templates.get(&kind.to_ascii_lowercase())?;
        match recorded {
            FeeRecordKind::Charge => templates.charge.as_deref(),
            FeeRecordKind::Action => templates.action.as_deref(),
        }
    }

    pub(crate) fn is_automatic(&self, kind: Option<&str>) -> bool {
        self.types.values().any(|automatic| kind.is_some_and(|id| automatic.id.eq_ignore_ascii_case(id)))
    }

    pub(crate) fn automatic_type(&self, name: &str) -> Option<&NamedRecord> {
        self.types.get(name)
    }

    /// The fee/fine owner of the primary service point of a location.
    pub(crate) fn owner_of_location(&self, place: Option<&Location>) -> Option<&NamedRecord> {
        let point = place?.primary_service_point_id.as_deref()?;
        self.owners.get(&point.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_template_is_the_types_or_else_that_of_the_types_owner() {
        let types = [
            json!({"id": "A", "ownerId": "MAIN", "actionNoticeId": "of type"}),
            json!({"id": "b", "ownerId": "gone"}),
            json!({"id": "c", "automatic": true, "chargeNoticeId": ""}),
        ];
        let owner =
            json!({"id": "main", "defaultChargeNoticeId": "of owner", "defaultActionNoticeId": "unused"});
        let charging = Charging::read(types.iter(), [owner].iter());
        for (kind, recorded, expected) in [
            ("a", FeeRecordKind::Charge, Some("of owner")),
            ("a", FeeRecordKind::Action, Some("of type")),
            ("b", FeeRecordKind::Charge, None),
            ("c", FeeRecordKind::Charge, None),
            ("unknown", FeeRecordKind::Charge, None),
        ] {
            assert_eq!(charging.notice_template(kind, recorded), expected, "{kind} {recorded:?}");
        }
    }
}
