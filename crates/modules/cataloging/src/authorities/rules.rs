//! Linking rules: which field of an authority can control which field of a bibliographic record, and with which subfields. The rules are
//! FOLIO's; a library can only say which of them are for automatic linking.

use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Subfield;
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::validation_fault;

#[derive(Debug)]
pub(crate) struct Rule {
    pub id: i64,
    pub bib_field: &'static str,
    pub authority_field: &'static str,
    /// Codes of the subfields of the authority's field that are copied.
    pub subfields: &'static str,
    /// Codes in the authority's field that have another code in the bibliographic field.
    pub modifications: Vec<(char, char)>,
    /// Subfields that the authority's field has to have, or must not have.
    pub existence: Vec<(char, bool)>,
}

pub(crate) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> =
        LazyLock::new(|| include_str!("rules.tsv").lines().skip(1).filter_map(parse).collect());
    &RULES
}

pub(crate) fn rule_by_id(id: i64) -> Option<&'static Rule> {
    rules().iter().find(|rule| rule.id == id)
}

fn parse(line: &'static str) -> Option<Rule> {
    let mut columns = line.split('\t');
    let id = columns.next()?.parse().ok()?;
    let (bib_field, authority_field, subfields) = (columns.next()?, columns.next()?, columns.next()?);
    let pair = |column: Option<&'static str>| {
        let (code, value) = column?.split_once('=')?;
        Some((code.chars().next()?, value))
    };
    let modifications = pair(columns.next()).and_then(|(from, to)| Some((from, to.chars().next()?)));
    let existence = pair(columns.next()).map(|(code, there)| (code, there == "true"));
    Some(Rule {
        id,
        bib_field,
        authority_field,
        subfields,
        modifications: modifications.into_iter().collect(),
        existence: existence.into_iter().collect(),
    })
}

impl Rule {
    /// The code in the bibliographic field of a subfield of the authority's field.
    pub(crate) fn code_in_bib(&self, code: char) -> char {
        self.modifications.iter().find(|(from, _)| *from == code).map_or(code, |(_, to)| *to)
    }

    /// The codes of the subfields of the bibliographic field that the authority controls.
    pub(crate) fn controlled_codes(&self) -> Vec<char> {
        self.subfields.chars().map(|code| self.code_in_bib(code)).collect()
    }

    /// Whether a field of the authority has the subfields that the rule requires.
    pub(crate) fn fits_heading(&self, heading: &[Subfield]) -> bool {
        self.existence
            .iter()
            .all(|(code, wanted)| heading.iter().any(|subfield| subfield.code == *code) == *wanted)
    }

    /// The subfields that the bibliographic field gets from the authority's field.
    pub(crate) fn controlled_subfields(&self, heading: &[Subfield]) -> Vec<Subfield> {
        let controlled = heading.iter().filter(|subfield| self.subfields.contains(subfield.code));
        let renamed = |code: char| self.modifications.iter().any(|(_, to)| *to == code);
        controlled
            // If a renamed subfield gets this code, the subfield that has the code in the authority is left out.
            .filter(|subfield| !renamed(subfield.code))
            .map(|subfield| Subfield { code: self.code_in_bib(subfield.code), value: subfield.value.clone() })
            .collect()
    }

    /// Whether the authority controls the subfield with this code in the bibliographic field.
    pub(crate) fn controls(&self, code: char) -> bool {
        self.subfields.chars().any(|controlled| self.code_in_bib(controlled) == code)
    }

    fn to_json(&self, switched: &[(i64, bool)]) -> Value {
        let subfields: Vec<String> = self.subfields.chars().map(String::from).collect();
        let mut shown = json!({
            "id": self.id,
            "bibField": self.bib_field,
            "authorityField": self.authority_field,
            "authoritySubfields": subfields,
            "subfieldModifications": self.modifications.iter().map(|(source, target)| json!({"source": source, "target": target})).collect::<Vec<Value>>(),
            "autoLinkingEnabled": self.is_automatic(switched),
        });
        if !self.existence.is_empty() {
            let existence = self.existence.iter().map(|(code, there)| json!({code.to_string(): there}));
            shown["validation"] = json!({"existence": existence.collect::<Vec<Value>>()});
        }
        shown
    }

    pub(crate) fn is_automatic(&self, switched: &[(i64, bool)]) -> bool {
        switched.iter().find(|(id, _)| *id == self.id).is_none_or(|(_, automatic)| *automatic)
    }
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let switched: Vec<(i64, bool)> = session.read(switched_statement()).await?;
    let shown: Vec<Value> = rules().iter().map(|rule| rule.to_json(&switched)).collect();
    Ok(Response::json(200, &json!(shown)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let rule = rule_in_path(&request)?;
    let mut session = request.context.session().await?;
    let switched: Vec<(i64, bool)> = session.read(switched_statement()).await?;
    Ok(Response::json(200, &rule.to_json(&switched)))
}

/// Switches automatic linking on or off; other members of the body are ignored.
pub(super) async fn patch(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    let asked = parse_rule_id(request.path_parameter(0))?;
    let sent = body["id"].as_i64().or_else(|| body["id"].as_str()?.parse().ok());
    if sent != Some(asked) {
        let about = vec![("id", sent.map_or_else(|| "null".to_owned(), |sent| sent.to_string()))];
        return Err(validation_fault(&format!("Request should have id = {asked}"), about));
    }
    let rule = rule_in_path(&request)?;
    let automatic = match &body["autoLinkingEnabled"] {
        Value::Null => None,
        Value::Bool(automatic) => Some(*automatic),
        Value::String(text) if ["true", "false"].contains(&text.as_str()) => Some(text == "true"),
        other => return Err(Fault::bad_request(format!("autoLinkingEnabled is no boolean: {other}"))),
    };
    if let Some(automatic) = automatic {
        let mut session = request.context.session().await?;
        let switch = Statement::new(SWITCH).long(rule.id).text(automatic.to_string());
        session.rows(switch).await?;
    }
    Ok(Response { status: 202, ..Response::no_content() })
}

/// Reads for which rules the library has switched automatic linking on or off.
pub(crate) fn switched_statement() -> Statement {
    Statement::new(SWITCHED)
}

fn rule_in_path(request: &Request) -> Outcome<&'static Rule> {
    let id = parse_rule_id(request.path_parameter(0))?;
    rule_by_id(id).ok_or_else(|| Fault::not_found_with(format!("Linking rule with ID [{id}] was not found")))
}

fn parse_rule_id(text: &str) -> Outcome<i64> {
    text.parse().map_err(|_| {
        Fault::bad_request(format!(
            "Failed to convert value of type 'java.lang.String' to required type 'java.lang.Integer'; For input string: \"{text}\""
        ))
    })
}

const SWITCHED: &str = "select id, auto_linking from linking_rule";

const SWITCH: &str = "\
insert into linking_rule (id, auto_linking) values ($1, $2::text::boolean)
on conflict (id) do update set auto_linking = excluded.auto_linking";

octavo_pg::statements!(other = [SWITCHED, SWITCH]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_rule() {
        let ids: Vec<i64> = rules().iter().map(|rule| rule.id).collect();
        assert_eq!(ids, (1..=22).collect::<Vec<i64>>());
    }

    #[test]
    fn a_uniform_title_takes_the_title_of_a_name() {
        let heading = [("a", "Twain, Mark"), ("t", "Tom Sawyer"), ("l", "German"), ("x", "History")].map(
            |(code, value)| Subfield { code: code.chars().next().unwrap_or(' '), value: value.to_owned() },
        );
        let rule = rule_by_id(5).unwrap();
        assert!(rule.fits_heading(&heading) && !rule.fits_heading(&heading[..1]));
        let given: Vec<(char, String)> = rule
            .controlled_subfields(&heading)
            .into_iter()
            .map(|subfield| (subfield.code, subfield.value))
            .collect();
        assert_eq!(given, [('a', "Tom Sawyer".to_owned()), ('l', "German".to_owned())]);
        assert!(rule.controls('a') && !rule.controls('t') && !rule.controls('x'));
    }
}
