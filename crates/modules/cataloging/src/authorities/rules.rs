//! Linking rules: which field of an authority can control which field of a bibliographic record, and with which subfields. The rules are
//! FOLIO's; a library can only say which of them are for automatic linking.

use std::sync::LazyLock;

use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Subfield;
use octavo_pg::Statement;
use serde_json::{Value, json};

use super::refused;

#[derive(Debug)]
pub(crate) struct Rule {
    pub id: i64,
    pub bib_field: &'static str,
    pub authority_field: &'static str,
    /// Codes in the authority's field.
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

pub(crate) fn rule(id: i64) -> Option<&'static Rule> {
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

    /// Whether a field of the authority can be a heading by this rule.
    pub(crate) fn fits(&self, heading: &[Subfield]) -> bool {
        self.existence
            .iter()
            .all(|(code, wanted)| heading.iter().any(|subfield| subfield.code == *code) == *wanted)
    }

    /// The subfields that the authority's field gives to the bibliographic field.
    pub(crate) fn given(&self, heading: &[Subfield]) -> Vec<Subfield> {
        let controlled = heading.iter().filter(|subfield| self.subfields.contains(subfield.code));
        let renamed = |code: char| self.modifications.iter().any(|(_, to)| *to == code);
        controlled
            // A subfield whose place is taken by a renamed one is not given.
            .filter(|subfield| !renamed(subfield.code))
            .map(|subfield| Subfield { code: self.code_in_bib(subfield.code), value: subfield.value.clone() })
            .collect()
    }

    /// Whether a subfield of the bibliographic field is the authority's.
    pub(crate) fn controls(&self, code: char) -> bool {
        self.subfields.chars().any(|controlled| self.code_in_bib(controlled) == code)
    }

    fn shown(&self, switched: &[(i64, bool)]) -> Value {
        let subfields: Vec<String> = self.subfields.chars().map(String::from).collect();
        let mut shown = json!({
            "id": self.id,
            "bibField": self.bib_field,
            "authorityField": self.authority_field,
            "authoritySubfields": subfields,
            "subfieldModifications": self.modifications.iter().map(|(source, target)| json!({"source": source, "target": target})).collect::<Vec<Value>>(),
            "autoLinkingEnabled": self.automatic(switched),
        });
        if !self.existence.is_empty() {
            let existence = self.existence.iter().map(|(code, there)| json!({code.to_string(): there}));
            shown["validation"] = json!({"existence": existence.collect::<Vec<Value>>()});
        }
        shown
    }

    pub(crate) fn automatic(&self, switched: &[(i64, bool)]) -> bool {
        switched.iter().find(|(id, _)| *id == self.id).is_none_or(|(_, automatic)| *automatic)
    }
}

pub(super) async fn list(request: Request) -> Outcome<Response> {
    let mut session = request.context.session().await?;
    let switched: Vec<(i64, bool)> = session.read(switched()).await?;
    let shown: Vec<Value> = rules().iter().map(|rule| rule.shown(&switched)).collect();
    Ok(Response::json(200, &json!(shown)))
}

pub(super) async fn get(request: Request) -> Outcome<Response> {
    let rule = named(&request)?;
    let mut session = request.context.session().await?;
    let switched: Vec<(i64, bool)> = session.read(switched()).await?;
    Ok(Response::json(200, &rule.shown(&switched)))
}

/// Switches automatic linking; the other members are not looked at.
pub(super) async fn patch(request: Request) -> Outcome<Response> {
    let body = request.json()?;
    let asked = number(request.parameter(0))?;
    let sent = body["id"].as_i64().or_else(|| body["id"].as_str()?.parse().ok());
    if sent != Some(asked) {
        let about = vec![("id", sent.map_or_else(|| "null".to_owned(), |sent| sent.to_string()))];
        return Err(refused(&format!("Request should have id = {asked}"), about));
    }
    let rule = named(&request)?;
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

/// Reads which rules are switched.
pub(crate) fn switched() -> Statement {
    Statement::new(SWITCHED)
}

fn named(request: &Request) -> Outcome<&'static Rule> {
    let id = number(request.parameter(0))?;
    rule(id).ok_or_else(|| Fault::missing(format!("Linking rule with ID [{id}] was not found")))
}

fn number(text: &str) -> Outcome<i64> {
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
        let rule = rule(5).unwrap();
        assert!(rule.fits(&heading) && !rule.fits(&heading[..1]));
        let given: Vec<(char, String)> =
            rule.given(&heading).into_iter().map(|subfield| (subfield.code, subfield.value)).collect();
        assert_eq!(given, [('a', "Tom Sawyer".to_owned()), ('l', "German".to_owned())]);
        assert!(rule.controls('a') && !rule.controls('t') && !rule.controls('x'));
    }
}
