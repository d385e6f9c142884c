//! How many of the records that a query finds have each value of a field.

use std::collections::BTreeMap;

use octavo_cql::{Node, term};
use octavo_engine::{Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_search::index::Counted;
use octavo_search::names::Names;
use octavo_search::query::Wanted;
use serde_json::{Map, Value, json};

use crate::asked::{Search, find, is_term, required};
use crate::indexes::{AUTHORITIES, TITLES, index_of};
use crate::refusals::{ARGUMENT, bad, invalid, unexpected};

pub(crate) async fn facets(request: Request) -> Outcome<Response> {
    let resource = request.parameter(0).to_lowercase();
    let resource = match resource.as_str() {
        "instances" => &TITLES,
        "authorities" => &AUTHORITIES,
        "contributors" | "subjects" => {
            return Err(Fault::text(501, format!("Facets of {resource} are not built")));
        }
        _ => return Err(unexpected("RecordType", &resource)),
    };
    let search = Search::read(required(&request, "query", "String")?, resource)?;
    required(&request, "facet", "List")?;
    let given = request.query.iter().filter(|(key, _)| key == "facet");
    let given = given.flat_map(|(_, value)| value.split(',')).filter(|facet| !facet.is_empty());
    let asked = given.map(|given| Facet::read(given, resource.names)).collect::<Outcome<Vec<Facet>>>()?;
    let conditions = Condition::all(&search)?;
    let index = index_of(&request.context, resource).await?;
    // Facets for which the same filters hold are counted together.
    let mut together: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for facet in &asked {
        let holding = conditions.iter().map(|one| one.holds_for(facet.field, resource.names)).collect();
        together.entry(holding).or_default().push(facet.field);
    }
    let questions: Vec<(Wanted, Vec<usize>)> = together
        .into_iter()
        .map(|(holding, fields)| {
            let holding = conditions.iter().zip(holding).filter(|(_, holds)| *holds);
            (Wanted::and(holding.map(|(one, _)| one.wanted.clone())), fields)
        })
        .collect();
    let count = move |deadline| {
        let mut counted = BTreeMap::new();
        for (wanted, fields) in questions {
            counted.extend(fields.iter().copied().zip(index.facets(&wanted, &fields, deadline)?));
        }
        Ok(counted)
    };
    let counted: BTreeMap<usize, Counted> = find(&request.context, count).await?;
    let mut shown = Map::new();
    for facet in asked {
        let selected: Vec<&str> = conditions.iter().flat_map(|one| one.selected(facet.field)).collect();
        let values = counted.get(&facet.field).cloned().unwrap_or_default();
        shown.insert(facet.name.clone(), facet.shown(values, &selected));
    }
    Ok(Response::json(200, &json!({"totalRecords": shown.len(), "facets": shown})))
}

/// A facet that is asked for.
struct Facet {
    name: String,
    /// The number of the declared field.
    field: usize,
    /// How many values are shown; all, if nothing is said.
    most: Option<usize>,
}

impl Facet {
    /// `name` or `name:10`.
    fn read(given: &str, names: &Names) -> Outcome<Facet> {
        let renamed = names.renamed(given);
        let no_facet = || {
            let message = "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'";
            invalid(message, "facet", &renamed)
        };
        let (name, most) = match renamed.split_once(':') {
            Some((name, most)) => (name, Some(most)),
            None => (renamed.as_ref(), None),
        };
        let is_number =
            |text: &str| (1..=10).contains(&text.len()) && text.bytes().all(|one| one.is_ascii_digit());
        let is_name = !name.is_empty() && name.bytes().all(|one| one.is_ascii_alphabetic() || one == b'.');
        if !is_name || !most.is_none_or(is_number) {
            return Err(no_facet());
        }
        let most = most.map(|most| match most.parse::<i32>() {
            Ok(0) => Err(bad(ARGUMENT, "[size] must be greater than 0. Found [0] in [source]")),
            Ok(most) => Ok(most.unsigned_abs() as usize),
            Err(_) => {
                let kind = ("NumberFormatException", "validation_error");
                Err(bad(kind, format!("For input string: \"{most}\"")))
            }
        });
        let fields = names.fields;
        let first = fields.searched(name).first().map_or(name, |&field| fields.list()[field].name);
        let field = fields.facet(name).ok_or_else(|| invalid("Invalid facet value", "facet", first))?;
        Ok(Facet { name: name.to_owned(), field, most: most.transpose()? })
    }

    /// The values, those first that the query selects.
    fn shown(&self, values: Counted, selected: &[&str]) -> Value {
        let (mut values, others): (Counted, Counted) =
            values.into_iter().partition(|(value, _)| selected.contains(&value.as_str()));
        match self.most {
            Some(most) if most <= selected.len() => values.truncate(most),
            Some(most) => values.extend(others.into_iter().take(most - selected.len())),
            None => values.extend(others),
        }
        let shown = |(value, count): &(String, u64)| json!({"id": value, "totalRecords": count});
        json!({"values": values.iter().map(shown).collect::<Vec<_>>(), "totalRecords": values.len()})
    }
}

/// What a record has to pass: one of the parts of the query that are joined by `and`.
struct Condition {
    wanted: Wanted,
    /// The declared fields that it filters by; none if it is no filter.
    filters: Vec<usize>,
    /// Values that it selects.
    values: Vec<String>,
}

/// Of these a filter with one value holds for the facet of its own field, too.
const HELD: [&str; 2] = ["items.effectiveLocationId", "holdings.tenantId"];

impl Condition {
    fn all(search: &Search) -> Outcome<Vec<Condition>> {
        let parts = search.query.root.flatten_and().into_iter();
        parts.map(|part| Condition::of(search, part)).collect()
    }

    fn of(search: &Search, part: &Node) -> Outcome<Condition> {
        let wanted = search.meaning(part)?;
        let clauses = part.clauses();
        let terms = clauses.iter().filter(|clause| is_term(clause));
        let values = terms.filter_map(|clause| term::literal(&clause.term)).collect();
        Ok(Condition { wanted, filters: search.filters(part), values })
    }

    fn holds_for(&self, facet: usize, names: &Names) -> bool {
        let is_held = self.values.len() == 1 && HELD.contains(&names.field(facet).name);
        !self.filters.contains(&facet) || is_held
    }

    fn selected(&self, facet: usize) -> impl Iterator<Item = &str> {
        self.values.iter().filter(move |_| self.filters.contains(&facet)).map(String::as_str)
    }
}
