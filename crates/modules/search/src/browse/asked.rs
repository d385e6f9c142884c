//! What a request asks of a list: the place, the direction, how much, and which lines.

use octavo_cql::{Clause, Comparator, Node, term};
use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_search::fields::instance_name;
use octavo_search::query::{Place, Test, Wanted};

use super::headings::key;
use super::lines::List;
use crate::asked::{Search, numbers, required, truth};
use crate::indexes::{AUTHORITIES, Resource, TITLES};
use crate::refusals::{invalid, unreadable};

#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    Back { with_anchor: bool },
    Forward { with_anchor: bool },
    Around { with_anchor: bool },
}

#[derive(Debug)]
pub(super) struct Asked {
    pub(super) way: Way,
    /// The anchor as it was asked for, and as lines are sorted.
    pub(super) term: String,
    pub(super) key: String,
    /// The name under which the anchor is asked for.
    pub(super) field: String,
    pub(super) limit: usize,
    pub(super) preceding: usize,
    pub(super) highlight: bool,
    /// What records have to pass to be counted.
    pub(super) only: Option<Wanted>,
    /// The locations of which one has to be that of an item.
    pub(super) locations: Vec<String>,
    /// A filter keeps no line: records of another tenant, or shared ones, of which there are none outside of a consortium.
    pub(super) finds_nothing: bool,
    /// The types of name or of number that are kept; all, if nothing is said.
    pub(super) types: Option<Vec<String>>,
}

const INVALID: &str = "Invalid CQL query for browsing.";

impl Asked {
    pub(super) fn read(request: &Request, list: &List) -> Outcome<Asked> {
        let text = required(request, "query", "String")?;
        let bounds = [("limit", 100, 0..=list.most), ("precedingRecordsCount", 0, 1..=100)];
        let [limit, preceding] =
            numbers(request, list.operation, &bounds)?.map(|number| number.unsigned_abs() as usize);
        let highlight = truth(request, "highlightMatch", true)?;
        let query = octavo_cql::parse(text).map_err(|_| unreadable(text, list.resource))?;
        if !query.sort.is_empty() {
            return Err(invalid("Invalid CQL query for browsing, 'sortBy' is not supported", "query", text));
        }
        if preceding > 0 && preceding >= limit {
            let message = "Preceding records count must be less than request limit";
            return Err(invalid(message, "precedingRecordsCount", &preceding.to_string()));
        }
        let wrong = || invalid(INVALID, "query", text);
        let parts = query.root.flatten_and();
        let (place, filters) = parts.split_first().ok_or_else(wrong)?;
        let (way, term) = anchor(place, list.fields, text)?;
        let mut asked = Asked {
            way,
            key: key(&term),
            term,
            limit,
            preceding: if preceding > 0 { preceding } else { limit / 2 },
            highlight,
            field: place.clauses().first().map(|clause| clause.index.clone()).unwrap_or_default(),
            only: None,
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
            asked.only = filtered(text, filters, resource)?;
            let clauses = filters.iter().flat_map(|filter| filter.clauses());
            let locations =
                clauses.filter(|clause| instance_name(&clause.index) == "items.effectiveLocationId");
            asked.locations = locations.map(text_of).collect();
            return Ok(asked);
        }
        for filter in filters {
            asked.filter(filter, list, request.context.tenant.id.as_str()).ok_or_else(wrong)?;
        }
        // All titles of a kept line have the type of name: of a rare type only their terms are read.
        let name = TITLES.names.find("contributors.contributorNameTypeId");
        let of_types = |types: &Vec<String>| Some(Test::Term(name?, Place::Whole, types.clone()));
        asked.only = asked.types.as_ref().and_then(of_types).map(Wanted::Test);
        Ok(asked)
    }

    /// `None`: it is no filter.
    fn filter(&mut self, filter: &Node, list: &List, tenant: &str) -> Option<()> {
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
        let values: Vec<String> = clauses.iter().map(|clause| text_of(clause)).collect();
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

/// The filters that records have to pass.
fn filtered(text: &str, filters: &[&Node], resource: &'static Resource) -> Outcome<Option<Wanted>> {
    if filters.is_empty() {
        return Ok(None);
    }
    let search = Search::read(text, resource)?;
    let filter = |filter: &&Node| match search.filters(filter).as_slice() {
        [] => Err(invalid(INVALID, "query", text)),
        _ => search.meaning(filter),
    };
    let filters = filters.iter().map(filter).collect::<Outcome<Vec<Wanted>>>()?;
    Ok(Some(Wanted::and(filters)))
}

/// One range, or two that go both ways from the same anchor.
fn anchor(place: &Node, fields: &[&str], text: &str) -> Outcome<(Way, String)> {
    let wrong = || -> Fault { invalid(INVALID, "query", text) };
    let ranges = place.flatten_or().into_iter().map(|one| match one {
        Node::Clause(clause) if fields.contains(&clause.index.as_str()) => {
            let (forward, with_anchor) = direction(&clause.relation.comparator)?;
            Some((forward, with_anchor, text_of(clause)))
        }
        _ => None,
    });
    let ranges: Vec<(bool, bool, String)> = ranges.collect::<Option<_>>().ok_or_else(wrong)?;
    match ranges.as_slice() {
        [(true, with_anchor, term)] => Ok((Way::Forward { with_anchor: *with_anchor }, term.clone())),
        [(false, with_anchor, term)] => Ok((Way::Back { with_anchor: *with_anchor }, term.clone())),
        [one, other] if one.0 != other.0 => {
            if one.2 != other.2 {
                let message = "Invalid CQL query for browsing. Anchors must be the same in range conditions.";
                return Err(invalid(message, "query", text));
            }
            let with_anchor = if one.0 { one.1 } else { other.1 };
            Ok((Way::Around { with_anchor }, one.2.clone()))
        }
        _ => Err(wrong()),
    }
}

/// Whether it goes forward, and whether what is equal belongs to it.
fn direction(comparator: &Comparator) -> Option<(bool, bool)> {
    match comparator {
        Comparator::Less => Some((false, false)),
        Comparator::LessEqual => Some((false, true)),
        Comparator::Greater => Some((true, false)),
        Comparator::GreaterEqual => Some((true, true)),
        _ => None,
    }
}

fn text_of(clause: &Clause) -> String {
    term::literal(&clause.term).unwrap_or_else(|| clause.term.clone())
}
