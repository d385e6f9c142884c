//! Changes the fields of a bibliographic record when the heading of the authority that controls them is changed or deleted. Pure.

use octavo_marc::{Field, Record, Subfield};

use super::rules::Rule;

/// The subfield with the id of the authority that controls a field.
pub(crate) const AUTHORITY_ID_CODE: char = '9';
/// The subfield with the number of the authority.
const NUMBER_CODE: char = '0';

/// The state of the authority that linked fields have to be changed to.
#[derive(Debug)]
pub(crate) enum Heading<'a> {
    /// The MARC record of the authority; and its number, if that has changed.
    Current { record: Option<&'a Record>, number: Option<&'a str> },
    /// The authority was deleted.
    Deleted,
}

/// Changes the fields that an authority controls by this rule. Returns whether there was one; the error says why the rule does not fit.
pub(crate) fn update_linked_fields(
    bib: &mut Record,
    rule: &Rule,
    authority: &str,
    heading: &Heading<'_>,
) -> Result<bool, String> {
    let given = match heading {
        Heading::Current { record: Some(record), .. } => {
            let given = first_field(record, rule.authority_field)
                .filter(|heading| !rule.controlled_subfields(heading).is_empty());
            Some(given.ok_or_else(|| {
                let tag = rule.authority_field;
                format!("Source record don't contains [authorityId: {authority}, tag: {tag}]")
            })?)
        }
        _ => None,
    };
    let mut found = false;
    for field in &mut bib.fields {
        let Field::Data { tag, subfields, .. } = field else { continue };
        let controls =
            |subfield: &Subfield| subfield.code == AUTHORITY_ID_CODE && subfield.value == authority;
        if tag != rule.bib_field || !subfields.iter().any(controls) {
            continue;
        }
        found = true;
        match heading {
            Heading::Deleted => subfields.retain(|subfield| !controls(subfield)),
            Heading::Current { number, .. } => {
                if let Some(given) = given {
                    take_over_subfields(subfields, rule, given);
                }
                if let Some(number) = number {
                    set_number(subfields, number);
                }
            }
        }
    }
    Ok(found)
}

/// The subfields of the first field with this tag.
pub(crate) fn first_field<'a>(record: &'a Record, wanted: &str) -> Option<&'a [Subfield]> {
    record.fields.iter().find_map(|field| match field {
        Field::Data { tag, subfields, .. } if tag == wanted => Some(subfields.as_slice()),
        _ => None,
    })
}

/// Replaces the subfields that the authority controls by those of its heading, at the position of the first one. The others keep their
/// order.
fn take_over_subfields(subfields: &mut Vec<Subfield>, rule: &Rule, heading: &[Subfield]) {
    let place = subfields.iter().position(|subfield| rule.controls(subfield.code)).unwrap_or(0);
    subfields.retain(|subfield| !rule.controls(subfield.code));
    let given = rule.controlled_subfields(heading);
    subfields.splice(place..place, given);
}

fn set_number(subfields: &mut Vec<Subfield>, number: &str) {
    match subfields.iter_mut().find(|subfield| subfield.code == NUMBER_CODE) {
        Some(subfield) => subfield.value = number.to_owned(),
        None => {
            let place = subfields.iter().position(|subfield| subfield.code == AUTHORITY_ID_CODE);
            let subfield = Subfield { code: NUMBER_CODE, value: number.to_owned() };
            subfields.insert(place.unwrap_or(subfields.len()), subfield);
        }
    }
}

/// The number of an authority as subfield 0 has it: after the base URL of its source file.
pub(crate) fn number_with_base_url(natural_id: &str, base_url: Option<&str>) -> String {
    match base_url {
        Some(url) if !url.is_empty() => format!("{}/{natural_id}", url.trim_end_matches('/')),
        _ => natural_id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::from_json;
    use serde_json::{Value, json};

    use super::super::rules::rule_by_id;
    use super::*;

    const ID: &str = "e7537134-0724-4720-9b7d-bddec65c0fad";

    fn bib(subfields: &Value) -> Record {
        let field = json!({"100": {"ind1": "1", "ind2": " ", "subfields": subfields}});
        let other = json!({"700": {"ind1": " ", "ind2": " ", "subfields": [{"a": "x"}, {"9": ID}]}});
        from_json(&json!({"leader": "", "fields": [field, other]})).unwrap()
    }

    fn authority() -> Record {
        let heading = json!({"100": {"ind1": "1", "ind2": " ", "subfields": [{"a": "New,"}, {"d": "1900-"}, {"x": "no"}]}});
        from_json(&json!({"leader": "", "fields": [heading]})).unwrap()
    }

    #[test]
    fn a_linked_field_follows_its_heading() {
        let now = authority();
        let cases = [
            (
                json!([{"e": "author"}, {"a": "Old"}, {"q": "gone"}, {"0": "n1"}, {"9": ID}]),
                Heading::Current { record: Some(&now), number: None },
                json!([{"e": "author"}, {"a": "New,"}, {"d": "1900-"}, {"0": "n1"}, {"9": ID}]),
            ),
            (
                json!([{"a": "Old"}, {"9": ID}]),
                Heading::Current { record: None, number: Some("n2") },
                json!([{"a": "Old"}, {"0": "n2"}, {"9": ID}]),
            ),
            (
                json!([{"a": "Old"}, {"0": "n1"}, {"9": ID}]),
                Heading::Deleted,
                json!([{"a": "Old"}, {"0": "n1"}]),
            ),
        ];
        for (before, heading, after) in cases {
            let mut record = bib(&before);
            assert_eq!(update_linked_fields(&mut record, rule_by_id(1).unwrap(), ID, &heading), Ok(true));
            assert_eq!(record.to_json()["fields"][0]["100"]["subfields"], after, "{before}");
            assert_eq!(record.to_json()["fields"][1]["700"]["subfields"], json!([{"a": "x"}, {"9": ID}]));
        }
        let mut other = bib(&json!([{"a": "Old"}, {"9": "another"}]));
        assert_eq!(
            update_linked_fields(&mut other, rule_by_id(1).unwrap(), ID, &Heading::Deleted),
            Ok(false)
        );
        let told = update_linked_fields(
            &mut other,
            rule_by_id(2).unwrap(),
            ID,
            &Heading::Current { record: Some(&now), number: None },
        );
        assert_eq!(told, Err(format!("Source record don't contains [authorityId: {ID}, tag: 110]")));
    }

    #[test]
    fn a_number_stands_behind_the_address_of_its_file() {
        let cases = [
            (Some("http://id.loc.gov/names/"), "http://id.loc.gov/names/n1"),
            (Some(""), "n1"),
            (None, "n1"),
        ];
        for (url, expected) in cases {
            assert_eq!(number_with_base_url("n1", url), expected);
        }
    }
}
