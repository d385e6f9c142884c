//! The values that a mapping profile accepts for a field: an id for each name, with the names that the tenant's types had when the
//! profile was saved. Names of locations are looked up among the tenant's locations at the time of the import.

use serde_json::Value;

use crate::labels::{label_matches, statistical_code_matches};
use crate::reference::Reference;

#[derive(Debug, Clone, Default)]
pub(crate) struct AcceptedValues {
    values: Vec<(String, String)>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Any,
    Location,
    StatisticalCode,
}

impl AcceptedValues {
    pub(crate) fn read(name: &str, path: &str, value: &Value) -> AcceptedValues {
        let values = value.as_object().into_iter().flatten();
        let values =
            values.filter_map(|(id, label)| Some((id.clone(), label.as_str()?.to_owned()))).collect();
        let last = path.trim_end_matches("[]");
        let kind = if name == "statisticalCodeId" {
            Kind::StatisticalCode
        } else if last.ends_with("LocationId") || last.ends_with("Location.id") {
            Kind::Location
        } else {
            Kind::Any
        };
        AcceptedValues { values, kind }
    }

    /// The id of the accepted value that `value` names; `value` itself if none has that name.
    pub(crate) fn id_for(&self, value: String, reference: &Reference) -> String {
        if value.is_empty() {
            return value;
        }
        if self.kind == Kind::Location && !reference.is_empty("locations") {
            return reference.location_id(&value).map_or(value, str::to_owned);
        }
        let found = self.values.iter().find(|(_, label)| {
            (self.kind == Kind::StatisticalCode && statistical_code_matches(label, &value))
                || label_matches(label, &value)
        });
        found.map_or(value, |(id, _)| id.clone())
    }
}

#[cfg(test)]
mod tests {
    use crate::labels::{label_matches, statistical_code_matches};

    #[test]
    fn a_label_is_meant_by_its_name_or_its_code() {
        for (label, value, expected) in [
            ("Annex (KU/CC/DI/A)", "Annex (KU/CC/DI/A)", true),
            ("Annex (KU/CC/DI/A)", "annex", true),
            ("Annex (KU/CC/DI/A)", "ku/cc/di/a", true),
            ("Annex (KU/CC/DI/A)", "(KU/CC/DI/A)", true),
            ("Annex (KU/CC/DI/A)", "Ann", false),
            ("Main (old) (M1)", "m1", true),
            ("Main (old) (M1)", "Main", true),
            ("book", "Book", true),
            ("book", "books", false),
            (")(", "", false),
            ("(a", "a", false),
            ("", "x", false),
        ] {
            assert_eq!(label_matches(label, value), expected, "{label}: {value}");
        }
    }

    #[test]
    fn a_statistical_code_is_meant_by_its_code_or_its_name() {
        let label = "ARL (Collection stats): books - Book, print (books)";
        for (value, expected) in
            [("books", true), ("Book, print (books)", true), ("book", false), ("ARL", false)]
        {
            assert_eq!(statistical_code_matches(label, value), expected, "{value}");
        }
    }
}
