//! How many of the records, or lines of a list, that a query finds have each value of a field.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_cql::{Node, term};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::{Counted, by_frequency};
use octavo_search::names::{CONTRIBUTOR, Names, SUBJECT};
use octavo_search::query::Wanted;
use serde_json::{Map, Value, json};

use crate::asked::{Search, find, is_term, required};
use crate::browse::{self, List};
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};
use crate::refusals::{ARGUMENT, bad, invalid, unexpected};

pub(crate) async fn facets(request: Request) -> Outcome<Response> {
    let resource = request.parameter(0).to_lowercase();
    match resource.as_str() {
        "instances" => of_records(request, &TITLES).await,
        "authorities" => of_records(request, &AUTHORITIES).await,
        "contributors" => of_lines(request, &browse::CONTRIBUTORS, &CONTRIBUTOR).await,
        "subjects" => of_lines(request, &browse::SUBJECTS, &SUBJECT).await,
        _ => Err(unexpected("RecordType", &resource)),
    }
}

async fn of_records(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let asked = Asked::read(&request, resource.name, resource.names)?;
    let (index, questions) = (index_of(&request.context, resource).await?, asked.questions());
    let count = move |deadline| {
        let mut counted = BTreeMap::new();
        for (wanted, fields) in questions {
            counted.extend(fields.iter().copied().zip(index.facets(&wanted, &fields, deadline)?));
        }
        Ok(counted)
    };
    Ok(asked.shown(&find(&request.context, count).await?))
}

/// Lines of a list that titles have.
async fn of_lines(request: Request, list: &'static List, names: &'static Names) -> Outcome<Response> {
    let asked = Asked::read(&request, list.resource, names)?;
    let (index, questions) = (index_of(&request.context, &TITLES).await?, asked.questions());
    let tenant = request.context.tenant.id.clone();
    let count = move |deadline| {
        let mut counted: BTreeMap<usize, HashMap<String, u64>> = BTreeMap::new();
        browse::each_line(&*index, list, deadline, |line| {
            let values = |field: usize| line.values(names.field(field).name, tenant.as_str());
            for (_, fields) in questions.iter().filter(|(wanted, _)| wanted.passes(names, &values)) {
                for &field in fields {
                    for value in values(field) {
                        *counted.entry(field).or_default().entry(value.to_owned()).or_default() += 1;
                    }
                }
            }
            true
        })?;
        Ok(counted.into_iter().map(|(field, counted)| (field, by_frequency(counted))).collect())
    };
    Ok(asked.shown(&find(&request.context, count).await?))
}

/// What is to be counted, and of what.
struct Asked {
    facets: Vec<Facet>,
    conditions: Vec<Condition>,
    names: &'static Names,
}

impl Asked {
    fn read(request: &Request, kind: &'static str, names: &'static Names) -> Outcome<Asked> {
        let search = Search::about(required(request, "query", "String")?, kind, names)?;
        required(request, "facet", "List")?;
        let given = request.query.iter().filter(|(key, _)| key == "facet");
        let given = given.flat_map(|(_, value)| value.split(',')).filter(|facet| !facet.is_empty());
        let facets = given.map(|given| Facet::read(given, names)).collect::<Outcome<Vec<Facet>>>()?;
        Ok(Asked { facets, conditions: Condition::all(&search)?, names })
    }

    /// The facets, each set of them for which the same filters hold with what they count: these are counted together.
    fn questions(&self) -> Vec<(Wanted, Vec<usize>)> {
        let mut together: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for facet in &self.facets {
            let holding = self.conditions.iter().map(|one| one.holds_for(facet.field, self.names)).collect();
            together.entry(holding).or_default().push(facet.field);
        }
        let question = |(holding, fields): (Vec<bool>, Vec<usize>)| {
            let holding = self.conditions.iter().zip(holding).filter(|(_, holds)| *holds);
            (Wanted::and(holding.map(|(one, _)| one.wanted.clone())), fields)
        };
        together.into_iter().map(question).collect()
    }

    fn shown(&self, counted: &BTreeMap<usize, Counted>) -> Response {
        let mut shown = Map::new();
        for facet in &self.facets {
            let selected: BTreeSet<&str> =
                self.conditions.iter().flat_map(|one| one.selected(facet.field)).collect();
            let values = counted.get(&facet.field).cloned().unwrap_or_default();
            shown.insert(facet.name.clone(), facet.shown(values, &selected));
        }
        Response::json(200, &json!({"totalRecords": shown.len(), "facets": shown}))
    }
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
    fn shown(&self, values: Counted, selected: &BTreeSet<&str>) -> Value {
        let (mut values, others): (Counted, Counted) =
            values.into_iter().partition(|(value, _)| selected.contains(value.as_str()));
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
