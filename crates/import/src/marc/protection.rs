//! Fields of stored records that imports may not change.

use octavo_marc::Field;
use serde_json::Value;

use super::edit::subfields;

/// A MARC field protection setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    pub(crate) id: String,
    field: String,
    indicators: [String; 2],
    subfield: String,
    data: String,
}

impl Protection {
    pub fn read(setting: &Value) -> Protection {
        let text = |name: &str| setting[name].as_str().unwrap_or_default().to_owned();
        Protection {
            id: text("id"),
            field: text("field"),
            indicators: [text("indicator1"), text("indicator2")],
            subfield: text("subfield"),
            data: text("data"),
        }
    }

    /// The id of the protection, if a setting in a mapping profile overrides it.
    pub(crate) fn overridden_id(setting: &Value) -> Option<String> {
        let by_user = setting["source"].as_str() == Some("USER");
        let overridden = setting["override"].as_bool() == Some(true);
        (by_user && overridden).then(|| setting["id"].as_str().unwrap_or_default().to_owned())
    }

    fn covers(&self, field: &Field) -> bool {
        match field {
            Field::Control { tag, value } => {
                let whole = self.indicators.iter().all(|indicator| indicator.trim().is_empty())
                    && self.subfield.trim().is_empty();
                ((whole && self.field == "*") || self.field == *tag)
                    && (self.data == "*" || self.data == *value)
            }
            Field::Data { tag, indicators, .. } => {
                let indicator = |wanted: &str, found: char| {
                    wanted == "*" || wanted.chars().next().unwrap_or(' ') == found
                };
                (self.field == "*" || self.field == *tag)
                    && indicator(&self.indicators[0], indicators[0])
                    && indicator(&self.indicators[1], indicators[1])
                    && self.covers_subfield(field)
            }
        }
    }

    fn covers_subfield(&self, field: &Field) -> bool {
        let code = self.subfield.chars().next();
        let mut meant =
            subfields(field).iter().filter(|subfield| self.subfield == "*" || Some(subfield.code) == code);
        if self.data == "*" {
            self.subfield == "*" || meant.next().is_some()
        } else {
            meant.any(|subfield| subfield.value == self.data)
        }
    }
}

pub(super) fn is_protected(settings: &[&Protection], field: &Field) -> bool {
    settings.iter().any(|setting| setting.covers(field))
}
