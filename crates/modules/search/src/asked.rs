//! The parameters of search requests, read as mod-search's Spring framework reads them, and the query compiled for the index.

use std::ops::{Range, RangeInclusive};

use octavo_cql::{Clause, Comparator, Node, Query};
use octavo_engine::{Context, Request};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Work;
use octavo_search::engine::{self, Deadline, Sort};
use octavo_search::names::Names;
use octavo_search::query::{SearchCondition, compile};
use octavo_search::records::View;
use octavo_search::text::Language;

use crate::indexes::Resource;
use crate::refusals::{
    VIOLATION, bad_request, error_json, errors_fault, invalid_parameter, query_fault, type_mismatch,
    unreadable_query, unsupported_query,
};

/// A required parameter of the query string. Its value may be empty.
pub(crate) fn required_parameter<'r>(request: &'r Request, name: &str, kind: &str) -> Outcome<&'r str> {
    request.query(name).ok_or_else(|| {
        let missing = ("MissingServletRequestParameterException", "validation_error");
        bad_request(
            missing,
            format!("Required request parameter '{name}' for method parameter type {kind} is not present"),
        )
    })
}

/// A number in the query string: its name, its default, and its bounds.
pub(crate) type NumberParameter = (&'static str, i32, RangeInclusive<i32>);

/// Reads the numbers of a request. All numbers that are out of bounds are reported at once. `operation` is mod-search's name for the
/// request.
pub(crate) fn number_parameters<const N: usize>(
    request: &Request,
    operation: &str,
    numbers: &[NumberParameter; N],
) -> Outcome<[i32; N]> {
    let mut read = [0; N];
    let mut violations = Vec::new();
    for (into, (name, default, bounds)) in read.iter_mut().zip(numbers) {
        *into = *default;
        let given = request.query(name).map(str::trim).filter(|text| !text.is_empty());
        let Some(text) = given else { continue };
        let no_number = |_| type_mismatch("java.lang.Integer", &format!("For input string: \"{text}\""));
        *into = text.parse().map_err(no_number)?;
        let wrong = match *into {
            value if value < *bounds.start() => format!("greater than or equal to {}", bounds.start()),
            value if value > *bounds.end() => format!("less than or equal to {}", bounds.end()),
            _ => continue,
        };
        violations.push(error_json(VIOLATION, format!("{operation}.{name} must be {wrong}"), None));
    }
    if violations.is_empty() { Ok(read) } else { Err(errors_fault(400, &violations)) }
}

/// Reads a boolean in the query string, in the spellings that Spring accepts.
pub(crate) fn boolean_parameter(request: &Request, name: &str, default: bool) -> Outcome<bool> {
    let Some(text) = request.query(name).map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(default);
    };
    match text.to_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(type_mismatch("java.lang.Boolean", &format!("Invalid boolean value [{text}]"))),
    }
}

/// A query about records of one kind.
pub(crate) struct Search {
    text: String,
    pub(crate) query: Query,
    /// The name of the records in mod-search's messages.
    kind: &'static str,
    pub(crate) names: &'static Names,
}

impl Search {
    pub(crate) fn read(text: &str, resource: &'static Resource) -> Outcome<Search> {
        Search::read_with_names(text, resource.name, resource.names)
    }

    /// A query that the server has made, for example from an SRU query.
    pub(crate) fn from_query(query: Query, resource: &'static Resource) -> Search {
        Search { text: query.to_string(), query, kind: resource.name, names: resource.names }
    }

    pub(crate) fn read_with_names(text: &str, kind: &'static str, names: &'static Names) -> Outcome<Search> {
        let query = octavo_cql::parse(text).map_err(|_| unreadable_query(text, kind))?;
        Ok(Search { text: text.to_owned(), query, kind, names })
    }

    /// Compiles a part of the query for the index.
    pub(crate) fn compile_part(&self, part: &Node) -> Outcome<SearchCondition> {
        self.compile_in_languages(part, LANGUAGES)
    }

    /// Compiles a part of the query without stemming: only words that are spelled as in the query are found.
    pub(crate) fn compile_part_without_stems(&self, part: &Node) -> Outcome<SearchCondition> {
        self.compile_in_languages(part, &[])
    }

    fn compile_in_languages(&self, part: &Node, languages: &[Language]) -> Outcome<SearchCondition> {
        compile(part, self.names, languages).map_err(|refusal| query_fault(refusal, &self.text, self.kind))
    }

    pub(crate) fn compile_query(&self) -> Outcome<SearchCondition> {
        self.compile_part(&self.query.root)
    }

    /// The declared fields that a part of the query filters by; none if it is no filter. A filter is a value (`==`) or a range of a
    /// field that mod-search filters by, or one of several values of the same field.
    pub(crate) fn filter_fields(&self, part: &Node) -> Vec<usize> {
        let clauses = part.clauses();
        let is_filter = match part {
            Node::Clause(clause) => is_term(clause) || is_range(clause),
            _ => {
                let one_of = part.flatten_or().into_iter().all(|one| matches!(one, Node::Clause(_)));
                let one_name = clauses.iter().all(|clause| clause.index == clauses[0].index);
                one_of && one_name && clauses.iter().all(|clause| is_term(clause))
            }
        };
        if !is_filter {
            return Vec::new();
        }
        let names = self.names;
        let mut filters = names.fields.fields_searched_by(&names.renamed(&clauses[0].index));
        filters.retain(|&field| names.field(field).filter);
        filters
    }

    /// The fields to sort by. The sort key `relevance`, which mod-search refuses, is ignored: relevance is the order without a sort key.
    pub(crate) fn sort_fields(&self) -> Outcome<Vec<Sort>> {
        let mut sort = Vec::new();
        for key in self.query.sort.iter().filter(|key| key.index != "relevance") {
            if let Some(unknown) =
                key.modifiers.iter().find(|one| !SORT_MODIFIERS.iter().any(|known| one.is(known)))
            {
                let problem = format!("[error: 'CQL: Unsupported modifier {}']", unknown.name);
                return Err(unsupported_query(format!("Failed to parse CQL query. {problem}")));
            }
            let name = self.names.renamed(&key.index);
            let fields = self.names.fields.sort_fields(&name);
            let fields = fields.ok_or_else(|| {
                invalid_parameter("Sort field not found or cannot be used.", "sortField", &name)
            })?;
            sort.extend(fields.into_iter().map(|field| Sort { field, descending: key.is_descending() }));
        }
        Ok(sort)
    }
}

pub(crate) fn is_term(clause: &Clause) -> bool {
    clause.relation.comparator == Comparator::Exact
}

fn is_range(clause: &Clause) -> bool {
    use Comparator::{Greater, GreaterEqual, Less, LessEqual};
    matches!(clause.relation.comparator, Less | LessEqual | Greater | GreaterEqual)
}

/// A request for a page of search results.
pub(crate) struct SearchRequest {
    pub(crate) search: Search,
    pub(crate) wanted: SearchCondition,
    pub(crate) sort: Vec<Sort>,
    pub(crate) range: Range<usize>,
    pub(crate) view: View,
}

/// The highest sum of limit and offset.
const MAX_LIMIT_PLUS_OFFSET: i32 = 10_000;

impl SearchRequest {
    /// `operation` is mod-search's name for the request.
    pub(crate) fn read(
        request: &Request,
        operation: &str,
        resource: &'static Resource,
    ) -> Outcome<SearchRequest> {
        let text = required_parameter(request, "query", "String")?;
        let bounds = [("limit", 100, 0..=500), ("offset", 0, 0..=9_999)];
        let [limit, offset] = number_parameters(request, operation, &bounds)?;
        let view = if boolean_parameter(request, "expandAll", false)? { View::Whole } else { View::Search };
        let end = offset + limit;
        if end > MAX_LIMIT_PLUS_OFFSET {
            let message = "The sum of limit and offset should not exceed 10000.";
            return Err(invalid_parameter(message, "offset + limit", &end.to_string()));
        }
        let search = Search::read(text, resource)?;
        let (wanted, sort) = (search.compile_query()?, search.sort_fields()?);
        Ok(SearchRequest { search, wanted, sort, range: offset as usize..end as usize, view })
    }
}

const SORT_MODIFIERS: [&str; 2] = ["sort.ascending", "sort.descending"];

/// Words are searched by their stems in all languages. The index contains stems only for the languages that the tenant has configured.
const LANGUAGES: &[Language] = &Language::ALL;

/// Runs work on an index in a thread of its own, with a deadline, so that it does not block requests that only wait.
pub(crate) async fn run_search<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(Deadline) -> engine::Result<T> + Send + 'static,
) -> Outcome<T> {
    let deadline = deadline(context, Work::Search);
    let done = tokio::task::spawn_blocking(move || work(deadline)).await.map_err(Fault::internal)?;
    done.map_err(search_fault)
}

/// The time at which work of this kind has to be finished.
pub(crate) fn deadline(context: &Context, work: Work) -> Deadline {
    Deadline::from_now(
        context.platform.database.time_limit(work).unwrap_or(std::time::Duration::from_secs(3600)),
    )
}

/// The error answer for a search that failed, or that took too long.
pub(crate) fn search_fault(error: engine::Error) -> Fault {
    if matches!(error, engine::Error::OutOfTime(_)) {
        let message = "The search took too long and was given up. Please ask for something more definite";
        Fault::unavailable(message, error)
    } else {
        Fault::internal(error)
    }
}
