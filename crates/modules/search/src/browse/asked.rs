//! The parameters of a browse request: the anchor, the direction, the limit, and which lines are shown.

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_search::fields::instance_name;
use octavo_search::query::{SearchCondition, TermKind, Test};

use super::headings::heading_key;
use super::lines::List;
use crate::asked::{Search, boolean_parameter, number_parameters, required_parameter};
use crate::indexes::{AUTHORITIES, Resource, TITLES};
use crate::refusals::{invalid_parameter, unreadable_query};

#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    Back { with_anchor: bool },
    Forward { with_anchor: bool },
    Around { with_anchor: bool },
}

#[derive(Debug)]
pub(super) struct BrowseRequest {
    pub(super) direction: Direction,
    /// The anchor as the client wrote it, and in the form by which lines are sorted.
    pub(super) term: String,
    pub(super) key: String,
    /// The CQL index that the query names for the anchor.
    pub(super) field: String,
    pub(super) limit: usize,
    pub(super) preceding: usize,
    pub(super) highlight: bool,
    /// Only records that match this are counted. `None` counts all records.
    pub(super) record_filter: Option<SearchCondition>,
    /// Only lines are kept of which an item is in one of these locations.
    pub(super) locations: Vec<String>,
    /// A filter excludes all lines: it asks for records of another tenant, or for shared records, which exist only in a consortium.
    pub(super) finds_nothing: bool,
    /// Only lines with one of these types of name or of number are kept. `None` keeps all lines.
    pub(super) types: Option<Vec<String>>,
}

const INVALID: &str = "Invalid CQL query for browsing.";

impl BrowseRequest {
    pub(super) fn read(request: &Request, list: &List) -> Outcome<BrowseRequest> {
        let text = required_parameter(request, "query", "String")?;
        let bounds = [("limit", 100, 0..=list.max_limit), ("precedingRecordsCount", 0, 1..=100)];
        let [limit, preceding] =
            number_parameters(request, list.operation, &bounds)?.map(|number| number.unsigned_abs() as usize);
        let highlight = boolean_parameter(request, "highlightMatch", true)?;
        let query = octavo_cql::parse(text).map_err(|_| unreadable_query(text, list.resource))?;
        if !query.sort.is_empty() {
            return Err(invalid_parameter(
                "Invalid CQL query for browsing, 'sortBy' is not supported",
                "query",
                text,
            ));
        }
        if preceding > 0 && preceding >= limit {
            let message = "Preceding records count must be less than request limit";
            return Err(invalid_parameter(message, "precedingRecordsCount", &preceding.to_string()));
        }
        let wrong = || invalid_parameter(INVALID, "query", text);
        let parts = query.root.flatten_and();
        let (place, filters) = parts.split_first().ok_or_else(wrong)?;
        let (way, term) = parse_anchor(place, list.fields, text)?;
        let mut asked = BrowseRequest {
            direction: way,
            key: heading_key(&term),
            term,
            limit,
            preceding: if preceding > 0 { preceding } else { limit / 2 },
            highlight,
            field: place.clauses().first().map(|clause| clause.index.clone()).unwrap_or_default(),
            record_filter: None,
            locations: Vec::new(),
            finds_nothing: false,
            types: None,
        };
        let filtered_by = match list.resource {
            "authority" => Some(&AUTHORITIES),
            "instance" => Some(&TITLES),
            _ => None,
        };
        if let Some(resource) = filtered_by {
            asked.record_filter = compile_filters(text, filters, resource)?;
            let clauses = filters.iter().flat_map(|filter| filter.clauses());
            let locations =
                clauses.filter(|clause| instance_name(&clause.index) == "items.effectiveLocationId");
            asked.locations = locations.map(term_text).collect();
            return Ok(asked);
        }
        for filter in filters {
            asked.apply_filter(filter, list, request.context.tenant.id.as_str()).ok_or_else(wrong)?;
        }
        // All titles of a line that is kept have the line's type of name. So for a rare type only the entries of its titles are read.
        let name = TITLES.names.find("contributors.contributorNameTypeId");
        let of_types = |types: &Vec<String>| Some(Test::Term(name?, TermKind::Whole, types.clone()));
        asked.record_filter = asked.types.as_ref().and_then(of_types).map(SearchCondition::Test);
        Ok(asked)
    }

    /// Returns `None` if the clause is no filter.
    fn apply_filter(&mut self, filter: &Node, list: &List, tenant: &str) -> Option<()> {
        let one_of = filter.flatten_or();
        let clauses = one_of.iter().map(|one| match one {
            Node::Clause(clause) if clause.relation.comparator == Comparator::Exact => Some(clause),
            _ => None,
        });
        let clauses = clauses.collect::<Option<Vec<&Clause>>>()?;
        let name = &clauses.first()?.index;
        if clauses.iter().any(|clause| clause.index != *name) {
            return None;
        }
        let values: Vec<String> = clauses.iter().map(|clause| term_text(clause)).collect();
        match name.as_str() {
            "instances.shared" => self.finds_nothing |= !values.iter().any(|value| value == "false"),
            "instances.tenantId" => self.finds_nothing |= !values.iter().any(|value| value == tenant),
            "contributorNameTypeId" if list.resource == "contributor" => match &mut self.types {
                Some(types) => types.retain(|kind| values.contains(kind)),
                None => self.types = Some(values),
            },
            _ => return None,
        }
        Some(())
    }
}

/// Compiles the filters that records have to match.
fn compile_filters(
    text: &str,
    filters: &[&Node],
    resource: &'static Resource,
) -> Outcome<Option<SearchCondition>> {
    if filters.is_empty() {
        return Ok(None);
    }
    let search = Search::read(text, resource)?;
    let filter = |filter: &&Node| match search.filter_fields(filter).as_slice() {
        [] => Err(invalid_parameter(INVALID, "query", text)),
        _ => search.compile_part(filter),
    };
    let filters = filters.iter().map(filter).collect::<Outcome<Vec<SearchCondition>>>()?;
    Ok(Some(SearchCondition::and(filters)))
}

/// Reads the anchor: one range, or two ranges in opposite directions from the same anchor.
fn parse_anchor(place: &Node, fields: &[&str], text: &str) -> Outcome<(Direction, String)> {
    let wrong = || -> Fault { invalid_parameter(INVALID, "query", text) };
    let ranges = place.flatten_or().into_iter().map(|one| match one {
        Node::Clause(clause) if fields.contains(&clause.index.as_str()) => {
            let (forward, with_anchor) = comparator_direction(&clause.relation.comparator)?;
            Some((forward, with_anchor, term_text(clause)))
        }
        _ => None,
    });
    let ranges: Vec<(bool, bool, String)> = ranges.collect::<Option<_>>().ok_or_else(wrong)?;
    match ranges.as_slice() {
        [(true, with_anchor, term)] => Ok((Direction::Forward { with_anchor: *with_anchor }, term.clone())),
        [(false, with_anchor, term)] => Ok((Direction::Back { with_anchor: *with_anchor }, term.clone())),
        [one, other] if one.0 != other.0 => {
            if one.2 != other.2 {
                let message = "Invalid CQL query for browsing. Anchors must be the same in range conditions.";
                return Err(invalid_parameter(message, "query", text));
            }
            let with_anchor = if one.0 { one.1 } else { other.1 };
            Ok((Direction::Around { with_anchor }, one.2.clone()))
        }
        _ => Err(wrong()),
    }
}

/// Whether a range goes forward from the anchor, and whether the anchor itself belongs to it.
fn comparator_direction(comparator: &Comparator) -> Option<(bool, bool)> {
    match comparator {
        Comparator::Less => Some((false, false)),
        Comparator::LessEqual => Some((false, true)),
        Comparator::Greater => Some((true, false)),
        Comparator::GreaterEqual => Some((true, true)),
        _ => None,
    }
}

fn term_text(clause: &Clause) -> String {
    term::literal(&clause.term).unwrap_or_else(|| clause.term.clone())
}
