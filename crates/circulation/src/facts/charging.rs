//! The settings for automatic fees, a part of the tenant's snapshot.

use std::collections::HashMap;

use serde_json::Value;

use super::Location;
use crate::document::{flag, text};

#[derive(Debug, Clone, Default)]
pub struct Charging {
    /// The automatic fee/fine types by their names.
    types: HashMap<String, Named>,
    /// Owners by the service points that they own.
    owners: HashMap<String, Named>,
    /// Templates by the id of a fee/fine type or, where the type names none, of an owner.
    templates: HashMap<String, OfChargeAndAction>,
}

/// The template of the patron notice about a charge, and that of the notice about any other action.
type OfChargeAndAction = [Option<String>; 2];

#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) name: String,
}

impl Charging {
    /// From the records of `/feefines` and `/owners`.
    pub fn read<'a>(
        types: impl Iterator<Item = &'a Value>,
        owners: impl Iterator<Item = &'a Value>,
    ) -> Charging {
        let mut templates = HashMap::new();
        let mut note = |record: &Value, names: [&str; 2]| {
            let named = names.map(|name| text(record, &[name]).map(str::to_owned));
            if let (Some(id), true) = (text(record, &["id"]), named.iter().any(Option::is_some)) {
                templates.insert(id.to_ascii_lowercase(), named);
            }
        };
        let types = types.inspect(|record| note(record, ["chargeNoticeId", "actionNoticeId"]));
        let named = |record: &Value, name: &str| {
            let name = text(record, &[name]).unwrap_or_default().to_owned();
            Some(Named { id: text(record, &["id"])?.to_owned(), name })
        };
        let types = types
            .filter(|record| flag(record, &["automatic"]))
            .filter_map(|record| named(record, "feeFineType"))
            .map(|kind| (kind.name.clone(), kind))
            .collect();
        let mut by_service_point = HashMap::new();
        for record in owners {
            note(record, ["defaultChargeNoticeId", "defaultActionNoticeId"]);
            let points = record["servicePointOwner"].as_array().into_iter().flatten();
            for point in points.filter_map(|point| text(point, &["value"])) {
                if let Some(owner) = named(record, "owner") {
                    by_service_point.insert(point.to_ascii_lowercase(), owner);
                }
            }
        }
        Charging { types, owners: by_service_point, templates }
    }

    /// Whether the library has the settings for automatic fees.
    pub fn charges(&self) -> bool {
        !self.types.is_empty() && !self.owners.is_empty()
    }

    /// The template of the patron notice about a charge or an action: that of the fee's type, or else of its owner.
    pub(crate) fn template(&self, kind: Option<&str>, owner: Option<&str>, is_charge: bool) -> Option<&str> {
        let of = |id: Option<&str>| {
            let [charge, action] = self.templates.get(&id?.to_ascii_lowercase())?;
            if is_charge { charge.as_deref() } else { action.as_deref() }
        };
        of(kind).or_else(|| of(owner))
    }

    pub(crate) fn is_automatic(&self, kind: Option<&str>) -> bool {
        self.types.values().any(|automatic| kind.is_some_and(|id| automatic.id.eq_ignore_ascii_case(id)))
    }

    pub(crate) fn kind(&self, name: &str) -> Option<&Named> {
        self.types.get(name)
    }

    /// The fee/fine owner of the primary service point of a location.
    pub(crate) fn owner_at(&self, place: Option<&Location>) -> Option<&Named> {
        let point = place?.primary_service_point_id.as_deref()?;
        self.owners.get(&point.to_ascii_lowercase())
    }
}
