//! How many of the records, or lines of a list, that a query finds have each value of a field.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use octavo_cql::{Node, term};
use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_search::engine::{ValueCounts, sort_by_frequency};
use octavo_search::names::{CONTRIBUTOR, Names, SUBJECT};
use octavo_search::query::SearchCondition;
use serde_json::{Map, Value, json};

use crate::asked::{Search, is_term, required_parameter, run_search};
use crate::browse::{self, List};
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};
use crate::refusals::{ARGUMENT, bad_request, invalid_parameter, unexpected_value};

pub(crate) async fn facets(request: Request) -> Outcome<Response> {
    let resource = request.path_parameter(0).to_lowercase();
    match resource.as_str() {
        "instances" => record_facets(request, &TITLES).await,
        "authorities" => record_facets(request, &AUTHORITIES).await,
        "contributors" => browse_line_facets(request, &browse::CONTRIBUTORS, &CONTRIBUTOR).await,
        "subjects" => browse_line_facets(request, &browse::SUBJECTS, &SUBJECT).await,
        _ => Err(unexpected_value("RecordType", &resource)),
    }
}

async fn record_facets(request: Request, resource: &'static Resource) -> Outcome<Response> {
    let asked = FacetRequest::read(&request, resource.name, resource.names)?;
    let (index, questions) = (index_of(&request.context, resource).await?, asked.counting_queries());
    let count = move |deadline| {
        let mut counted = BTreeMap::new();
        for (wanted, fields) in questions {
            counted.extend(fields.iter().copied().zip(index.facets(&wanted, &fields, deadline)?));
        }
        Ok(counted)
    };
    Ok(asked.to_response(&run_search(&request.context, count).await?))
}

/// Facets of the lines of a browse list.
async fn browse_line_facets(
    request: Request,
    list: &'static List,
    names: &'static Names,
) -> Outcome<Response> {
    let asked = FacetRequest::read(&request, list.resource, names)?;
    let (index, questions) = (index_of(&request.context, &TITLES).await?, asked.counting_queries());
    let tenant = request.context.tenant.id.clone();
    let count = move |deadline| {
        let mut counted: BTreeMap<usize, HashMap<String, u64>> = BTreeMap::new();
        browse::for_each_index_line(&*index, list, deadline, |line| {
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
        Ok(counted.into_iter().map(|(field, counted)| (field, sort_by_frequency(counted))).collect())
    };
    Ok(asked.to_response(&run_search(&request.context, count).await?))
}

/// A request for facets.
struct FacetRequest {
    facets: Vec<Facet>,
    conditions: Vec<Condition>,
    names: &'static Names,
}

impl FacetRequest {
    fn read(request: &Request, kind: &'static str, names: &'static Names) -> Outcome<FacetRequest> {
        let search = Search::read_with_names(required_parameter(request, "query", "String")?, kind, names)?;
        required_parameter(request, "facet", "List")?;
        let given = request.query.iter().filter(|(key, _)| key == "facet");
        let given = given.flat_map(|(_, value)| value.split(',')).map(str::trim);
        let given = given.filter(|facet| !facet.is_empty());
        let facets = given.map(|given| Facet::read(given, names)).collect::<Outcome<Vec<Facet>>>()?;
        Ok(FacetRequest { facets, conditions: Condition::from_search(&search)?, names })
    }

    /// Groups the requested facets by the conditions that apply to them. The facets of a group are counted together, by one query.
    fn counting_queries(&self) -> Vec<(SearchCondition, Vec<usize>)> {
        let mut together: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for facet in &self.facets {
            let holding = self.conditions.iter().map(|one| one.holds_for(facet.field, self.names)).collect();
            together.entry(holding).or_default().push(facet.field);
        }
        let question = |(holding, fields): (Vec<bool>, Vec<usize>)| {
            let holding = self.conditions.iter().zip(holding).filter(|(_, holds)| *holds);
            (SearchCondition::and(holding.map(|(one, _)| one.wanted.clone())), fields)
        };
        together.into_iter().map(question).collect()
    }

    fn to_response(&self, counted: &BTreeMap<usize, ValueCounts>) -> Response {
        let mut shown = Map::new();
        for facet in &self.facets {
            let selected: BTreeSet<&str> =
                self.conditions.iter().flat_map(|one| one.selected_values(facet.field)).collect();
            let values = counted.get(&facet.field).cloned().unwrap_or_default();
            shown.insert(facet.name.clone(), facet.to_json(values, &selected));
        }
        Response::json(200, &json!({"totalRecords": shown.len(), "facets": shown}))
    }
}

/// A requested facet.
struct Facet {
    name: String,
    /// The number of the declared field.
    field: usize,
    /// The most values that are shown. `None` shows all values.
    max_values: Option<usize>,
}

impl Facet {
    /// Parses `name` or `name:10`, the name of a field and the most values to show.
    fn read(given: &str, names: &Names) -> Outcome<Facet> {
        let renamed = names.renamed(given);
        let no_facet = || {
            let message = "Invalid facet name format, must be '{facetName}' or '{facetName}:{facetLimit}'";
            invalid_parameter(message, "facet", &renamed)
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
            Ok(0) => Err(bad_request(ARGUMENT, "[size] must be greater than 0. Found [0] in [source]")),
            Ok(most) => Ok(most.unsigned_abs() as usize),
            Err(_) => {
                let kind = ("NumberFormatException", "validation_error");
                Err(bad_request(kind, format!("For input string: \"{most}\"")))
            }
        });
        let fields = names.fields;
        let first = fields.fields_searched_by(name).first().map_or(name, |&field| fields.list()[field].name);
        let field = fields
            .facet_field(name)
            .ok_or_else(|| invalid_parameter("Invalid facet value", "facet", first))?;
        Ok(Facet { name: name.to_owned(), field, max_values: most.transpose()? })
    }

    /// The facet as JSON. The values that the query filters by come first.
    fn to_json(&self, values: ValueCounts, selected: &BTreeSet<&str>) -> Value {
        let (mut values, others): (ValueCounts, ValueCounts) =
            values.into_iter().partition(|(value, _)| selected.contains(value.as_str()));
        match self.max_values {
            Some(most) if most <= selected.len() => values.truncate(most),
            Some(most) => values.extend(others.into_iter().take(most - selected.len())),
            None => values.extend(others),
        }
        let shown = |(value, count): &(String, u64)| json!({"id": value, "totalRecords": count});
        json!({"values": values.iter().map(shown).collect::<Vec<_>>(), "totalRecords": values.len()})
    }
}

/// A condition of the query: one of its parts that are joined by `and`.
struct Condition {
    wanted: SearchCondition,
    /// The declared fields by which the condition filters; none if the condition is no filter.
    filters: Vec<usize>,
    /// The values that the condition filters by.
    values: Vec<String>,
}

/// A filter does not apply to the facet of its own field, except a filter with a single value on one of these fields.
const ALSO_FILTERING_THEMSELVES: [&str; 2] = ["items.effectiveLocationId", "holdings.tenantId"];

impl Condition {
    fn from_search(search: &Search) -> Outcome<Vec<Condition>> {
        let parts = search.query.root.flatten_and().into_iter();
        parts.map(|part| Condition::from_part(search, part)).collect()
    }

    fn from_part(search: &Search, part: &Node) -> Outcome<Condition> {
        let wanted = search.compile_part(part)?;
        let clauses = part.clauses();
        let terms = clauses.iter().filter(|clause| is_term(clause));
        let values = terms.filter_map(|clause| term::literal(&clause.term)).collect();
        Ok(Condition { wanted, filters: search.filter_fields(part), values })
    }

    fn holds_for(&self, facet: usize, names: &Names) -> bool {
        let is_held = self.values.len() == 1 && ALSO_FILTERING_THEMSELVES.contains(&names.field(facet).name);
        !self.filters.contains(&facet) || is_held
    }

    fn selected_values(&self, facet: usize) -> impl Iterator<Item = &str> {
        self.values.iter().filter(move |_| self.filters.contains(&facet)).map(String::as_str)
    }
}
