//! Which authorities the fields of bibliographic records could be linked to. Pure. Facts: `LinksSuggestionService` of mod-entities-links.

use std::collections::BTreeSet;

use octavo_marc::{Record, Subfield};
use serde_json::{Value, json};
use uuid::Uuid;

use super::control::{first_field, number_with_base_url};
use super::rules::{Rule, rules};

/// FOLIO's codes for the reason why a field is not linked.
const NO_AUTHORITY: &str = "101";
const SEVERAL_AUTHORITIES: &str = "102";
const SWITCHED_OFF: &str = "103";

/// How authorities are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SearchBy {
    /// By their numbers in subfield 0.
    NaturalId,
    /// Their ids, in subfield 9.
    Id,
}

/// A field as mod-entities-links reads it: repeated subfields stand together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BibField {
    pub tag: String,
    pub indicators: [Value; 2],
    pub subfields: Vec<(String, Vec<String>)>,
    pub link: Value,
}

#[derive(Debug)]
pub(crate) struct Candidate {
    pub id: Uuid,
    pub natural_id: String,
    pub base_url: Option<String>,
    pub record: Record,
}

/// How the caller wants automatic linking.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkingOptions<'a> {
    pub by: SearchBy,
    /// Fields are linked that are not for automatic linking.
    pub link_all: bool,
    /// The rules whose automatic linking the library has switched.
    pub switched: &'a [(i64, bool)],
}

impl LinkingOptions<'_> {
    fn search_code(self) -> &'static str {
        match self.by {
            SearchBy::NaturalId => "0",
            SearchBy::Id => "9",
        }
    }

    fn allows(self, rule: &Rule) -> bool {
        self.link_all || rule.is_automatic(self.switched)
    }
}

impl BibField {
    fn values(&self, code: &str) -> &[String] {
        self.subfields.iter().find(|(found, _)| found == code).map_or(&[], |(_, values)| values)
    }

    fn set_values(&mut self, code: &str, values: Vec<String>) {
        let place = self.subfields.iter().position(|(found, _)| found == code);
        match (place, values.is_empty()) {
            (Some(place), true) => drop(self.subfields.remove(place)),
            (Some(place), false) => self.subfields[place].1 = values,
            (None, true) => {}
            (None, false) => self.subfields.push((code.to_owned(), values)),
        }
    }
}

fn link_error_json(code: &str) -> Value {
    json!({"status": "ERROR", "errorCause": code})
}

/// The natural ids, or ids, of the authorities to look up. Fields that are not for automatic linking get the error for that instead.
pub(crate) fn authorities_to_find(fields: &mut [BibField], asked: LinkingOptions<'_>) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for bib in fields {
        let mut of_tag = rules().iter().filter(|rule| rule.bib_field == bib.tag).peekable();
        if of_tag.peek().is_none() {
            continue;
        }
        if !of_tag.any(|rule| asked.allows(rule)) {
            if !bib.values(asked.search_code()).is_empty() {
                bib.link = link_error_json(SWITCHED_OFF);
            }
            continue;
        }
        let (values, linked) =
            (bib.values(asked.search_code()).iter(), |member: &str| bib.link[member].as_str());
        match asked.by {
            SearchBy::NaturalId => {
                wanted.extend(values.map(|value| natural_id(value).to_owned()));
                wanted.extend(linked("authorityNaturalId").map(str::to_owned));
            }
            SearchBy::Id => {
                wanted.extend(values.filter(|id| Uuid::parse_str(id).is_ok()).cloned());
                wanted.extend(linked("authorityId").map(str::to_owned));
            }
        }
    }
    wanted
}

/// Links the fields that fit exactly one authority. `found` says whether any authority was there, with or without a MARC record.
pub(crate) fn link_fields(
    fields: &mut [BibField],
    candidates: &[Candidate],
    found: bool,
    asked: LinkingOptions<'_>,
) {
    for bib in fields {
        if bib.values(asked.search_code()).is_empty() {
            continue;
        }
        if !found {
            if bib.link["errorCause"].as_str().is_none_or(str::is_empty) {
                bib.link = link_error_json(NO_AUTHORITY);
            }
            continue;
        }
        let of_tag: Vec<&Rule> = rules().iter().filter(|rule| rule.bib_field == bib.tag).collect();
        if of_tag.is_empty() || bib.link["status"] == "NEW" {
            continue;
        }
        link_field(bib, candidates, &of_tag, asked);
    }
}

fn link_field(bib: &mut BibField, candidates: &[Candidate], of_tag: &[&Rule], asked: LinkingOptions<'_>) {
    let mut told = SWITCHED_OFF;
    for rule in of_tag.iter().filter(|rule| asked.allows(rule)) {
        let mut fitting = candidates.iter().filter(|one| names_authority(bib, one)).filter_map(|one| {
            let mut headings = one.record.fields.iter().filter(|field| field.tag() == rule.authority_field);
            let only = headings.next().is_some() && headings.next().is_none();
            let heading = first_field(&one.record, rule.authority_field).filter(|_| only)?;
            rule.fits_heading(heading).then_some((one, heading))
        });
        match (fitting.next(), fitting.next()) {
            (Some((authority, heading)), None) => return set_link(bib, authority, heading, rule),
            (None, _) => told = NO_AUTHORITY,
            (Some(_), Some(_)) => told = SEVERAL_AUTHORITIES,
        }
    }
    bib.link = link_error_json(told);
}

fn names_authority(bib: &BibField, authority: &Candidate) -> bool {
    bib.values("0").iter().any(|value| natural_id(value) == authority.natural_id)
        || bib.values("9").iter().any(|value| *value == authority.id.to_string())
}

/// What stands behind the last slash of a subfield 0.
fn natural_id(value: &str) -> &str {
    value.rsplit('/').next().unwrap_or(value)
}

fn set_link(bib: &mut BibField, authority: &Candidate, heading: &[Subfield], rule: &Rule) {
    if !bib.link.is_object() {
        bib.link = json!({"status": "NEW"});
    }
    bib.link["linkingRuleId"] = json!(rule.id);
    bib.link["authorityId"] = json!(authority.id);
    bib.link["authorityNaturalId"] = json!(authority.natural_id);
    bib.set_values("0", vec![number_with_base_url(&authority.natural_id, authority.base_url.as_deref())]);
    bib.set_values("9", vec![authority.id.to_string()]);
    let values = |code: char| -> Vec<String> {
        let of_code = heading.iter().filter(|subfield| subfield.code == code);
        of_code.map(|subfield| subfield.value.clone()).collect()
    };
    for (from, to) in &rule.modifications {
        bib.set_values(&to.to_string(), values(*from));
    }
    let renamed = |code: char| rule.modifications.iter().any(|(from, _)| *from == code);
    for code in rule.subfields.chars().filter(|code| !renamed(*code)) {
        bib.set_values(&code.to_string(), values(code));
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::from_json;

    use super::*;

    fn bib(tag: &str, zero: &str) -> BibField {
        let subfields =
            vec![("a".to_owned(), vec!["old".to_owned()]), ("0".to_owned(), vec![zero.to_owned()])];
        BibField { tag: tag.to_owned(), indicators: [json!(" "), json!(" ")], subfields, link: Value::Null }
    }

    fn candidate(id: u128, tag: &str) -> Candidate {
        let field = json!({tag: {"ind1": " ", "ind2": " ", "subfields": [{"a": "New"}, {"d": "1900"}]}});
        Candidate {
            id: Uuid::from_u128(id),
            natural_id: "n1".to_owned(),
            base_url: Some("http://id.loc.gov/names/".to_owned()),
            record: from_json(&json!({"leader": "", "fields": [field]})).unwrap(),
        }
    }

    #[test]
    fn a_field_is_linked_to_the_one_authority_with_its_number() {
        let off = [(1, false)];
        let cases: [(&str, &str, Vec<Candidate>, &[(i64, bool)], Value); 6] = [
            ("100", "http://x.org/n1", vec![candidate(1, "100")], &[], json!(1)),
            ("100", "n1", vec![candidate(1, "100"), candidate(2, "100")], &[], json!(SEVERAL_AUTHORITIES)),
            ("100", "n2", vec![candidate(1, "100")], &[], json!(NO_AUTHORITY)),
            ("100", "n1", vec![candidate(1, "110")], &[], json!(NO_AUTHORITY)),
            ("100", "n1", vec![candidate(1, "100")], &off, json!(SWITCHED_OFF)),
            ("245", "n1", vec![candidate(1, "100")], &[], Value::Null),
        ];
        for (tag, zero, candidates, switched, expected) in cases {
            let asked = LinkingOptions { by: SearchBy::NaturalId, link_all: false, switched };
            let mut fields = [bib(tag, zero)];
            authorities_to_find(&mut fields, asked);
            link_fields(&mut fields, &candidates, true, asked);
            let link = &fields[0].link;
            let told = if link["status"] == "NEW" { &link["linkingRuleId"] } else { &link["errorCause"] };
            assert_eq!(*told, expected, "{tag} {zero}: {link}");
        }
    }

    #[test]
    fn a_linked_field_has_the_heading_of_its_authority() {
        let asked = LinkingOptions { by: SearchBy::NaturalId, link_all: true, switched: &[(1, false)] };
        let mut fields = [bib("100", "n1")];
        assert_eq!(authorities_to_find(&mut fields, asked), BTreeSet::from(["n1".to_owned()]));
        link_fields(&mut fields, &[candidate(1, "100")], true, asked);
        let shown: Vec<String> =
            fields[0].subfields.iter().map(|(code, values)| format!("{code}={}", values.join("|"))).collect();
        let id = Uuid::from_u128(1);
        assert_eq!(shown, ["a=New", "0=http://id.loc.gov/names/n1", &format!("9={id}"), "d=1900"]);
        let mut none = [bib("245", "n1")];
        link_fields(&mut none, &[], false, asked);
        assert_eq!(none[0].link, link_error_json(NO_AUTHORITY));
    }
}
