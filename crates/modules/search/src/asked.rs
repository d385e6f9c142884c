//! What a request asks for: its parameters as Spring reads them, and its query with what it means.

use std::ops::{Range, RangeInclusive};

use octavo_cql::{Clause, Comparator, Node, Query};
use octavo_engine::{Context, Request};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Work;
use octavo_search::engine::{self, Deadline, Sort};
use octavo_search::names::Names;
use octavo_search::query::{Wanted, compile};
use octavo_search::records::View;
use octavo_search::text::Language;

use crate::indexes::Resource;
use crate::refusals::{VIOLATION, bad, error, invalid, mismatch, of_query, refused, unreadable, unsupported};

/// A parameter that has to be there; it may be empty.
pub(crate) fn required<'r>(request: &'r Request, name: &str, kind: &str) -> Outcome<&'r str> {
    request.query(name).ok_or_else(|| {
        let missing = ("MissingServletRequestParameterException", "validation_error");
        bad(
            missing,
            format!("Required request parameter '{name}' for method parameter type {kind} is not present"),
        )
    })
}

/// A number in the query string with its name, the value where it is left out, and its bounds.
pub(crate) type Number = (&'static str, i32, RangeInclusive<i32>);

/// The numbers of a request; all that are out of their bounds are told at once. `operation` is what mod-search calls the request.
pub(crate) fn numbers<const N: usize>(
    request: &Request,
    operation: &str,
    numbers: &[Number; N],
) -> Outcome<[i32; N]> {
    let mut read = [0; N];
    let mut violations = Vec::new();
    for (into, (name, default, bounds)) in read.iter_mut().zip(numbers) {
        *into = *default;
        let given = request.query(name).map(str::trim).filter(|text| !text.is_empty());
        let Some(text) = given else { continue };
        let no_number = |_| mismatch("java.lang.Integer", &format!("For input string: \"{text}\""));
        *into = text.parse().map_err(no_number)?;
        let wrong = match *into {
            value if value < *bounds.start() => format!("greater than or equal to {}", bounds.start()),
            value if value > *bounds.end() => format!("less than or equal to {}", bounds.end()),
            _ => continue,
        };
        violations.push(error(VIOLATION, format!("{operation}.{name} must be {wrong}"), None));
    }
    if violations.is_empty() { Ok(read) } else { Err(refused(400, &violations)) }
}

/// A truth in the query string, by the words that Spring knows.
pub(crate) fn truth(request: &Request, name: &str, default: bool) -> Outcome<bool> {
    let Some(text) = request.query(name).map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(default);
    };
    match text.to_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(mismatch("java.lang.Boolean", &format!("Invalid boolean value [{text}]"))),
    }
}

/// A query about records of one kind.
pub(crate) struct Search {
    text: String,
    pub(crate) query: Query,
    /// What mod-search calls the records in messages.
    kind: &'static str,
    pub(crate) names: &'static Names,
}

impl Search {
    pub(crate) fn read(text: &str, resource: &'static Resource) -> Outcome<Search> {
        Search::about(text, resource.name, resource.names)
    }

    /// A query that was made of another one.
    pub(crate) fn of(query: Query, resource: &'static Resource) -> Search {
        Search { text: query.to_string(), query, kind: resource.name, names: resource.names }
    }

    pub(crate) fn about(text: &str, kind: &'static str, names: &'static Names) -> Outcome<Search> {
        let query = octavo_cql::parse(text).map_err(|_| unreadable(text, kind))?;
        Ok(Search { text: text.to_owned(), query, kind, names })
    }

    /// What a part of the query means.
    pub(crate) fn meaning(&self, part: &Node) -> Outcome<Wanted> {
        self.compiled(part, LANGUAGES)
    }

    /// What a part of the query means without regard to stems: its words as they are asked for.
    pub(crate) fn meaning_without_stems(&self, part: &Node) -> Outcome<Wanted> {
        self.compiled(part, &[])
    }

    fn compiled(&self, part: &Node, languages: &[Language]) -> Outcome<Wanted> {
        compile(part, self.names, languages).map_err(|refusal| of_query(refusal, &self.text, self.kind))
    }

    pub(crate) fn wanted(&self) -> Outcome<Wanted> {
        self.meaning(&self.query.root)
    }

    /// The declared fields that a part of the query filters by; none if it is no filter. A filter is a value (`==`) or a range of a
    /// field that mod-search filters by, or one of several values of the same field.
    pub(crate) fn filters(&self, part: &Node) -> Vec<usize> {
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
        let mut filters = names.fields.searched(&names.renamed(&clauses[0].index));
        filters.retain(|&field| names.field(field).filter);
        filters
    }

    /// The fields to sort by. Relevance, which mod-search lets a query name, is the order without a sort.
    pub(crate) fn sort(&self) -> Outcome<Vec<Sort>> {
        let mut sort = Vec::new();
        for key in self.query.sort.iter().filter(|key| key.index != "relevance") {
            if let Some(unknown) =
                key.modifiers.iter().find(|one| !SORT_MODIFIERS.iter().any(|known| one.is(known)))
            {
                let problem = format!("[error: 'CQL: Unsupported modifier {}']", unknown.name);
                return Err(unsupported(format!("Failed to parse CQL query. {problem}")));
            }
            let name = self.names.renamed(&key.index);
            let fields = self.names.fields.sort(&name);
            let fields = fields
                .ok_or_else(|| invalid("Sort field not found or cannot be used.", "sortField", &name))?;
            sort.extend(fields.into_iter().map(|field| Sort { field, descending: key.descending() }));
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

/// A page of what a query finds.
pub(crate) struct Asked {
    pub(crate) search: Search,
    pub(crate) wanted: Wanted,
    pub(crate) sort: Vec<Sort>,
    pub(crate) range: Range<usize>,
    pub(crate) view: View,
}

/// Limit and offset together.
const DEEPEST: i32 = 10_000;

impl Asked {
    /// `operation` is what mod-search calls the request.
    pub(crate) fn read(request: &Request, operation: &str, resource: &'static Resource) -> Outcome<Asked> {
        let text = required(request, "query", "String")?;
        let bounds = [("limit", 100, 0..=500), ("offset", 0, 0..=9_999)];
        let [limit, offset] = numbers(request, operation, &bounds)?;
        let view = if truth(request, "expandAll", false)? { View::Whole } else { View::Search };
        let end = offset + limit;
        if end > DEEPEST {
            let message = "The sum of limit and offset should not exceed 10000.";
            return Err(invalid(message, "offset + limit", &end.to_string()));
        }
        let search = Search::read(text, resource)?;
        let (wanted, sort) = (search.wanted()?, search.sort()?);
        Ok(Asked { search, wanted, sort, range: offset as usize..end as usize, view })
    }
}

const SORT_MODIFIERS: [&str; 2] = ["sort.ascending", "sort.descending"];

/// Words are looked for by their stems in every language: the index has those of the languages that the tenant has configured.
const LANGUAGES: &[Language] = &Language::ALL;

/// Looks into an index, beside the requests that only wait, for as long as work of a kind may take.
pub(crate) async fn find<T: Send + 'static>(
    context: &Context,
    work: impl FnOnce(Deadline) -> engine::Result<T> + Send + 'static,
) -> Outcome<T> {
    let deadline = deadline(context, Work::Search);
    let done = tokio::task::spawn_blocking(move || work(deadline)).await.map_err(Fault::internal)?;
    done.map_err(failed)
}

/// When work of a kind has to be done.
pub(crate) fn deadline(context: &Context, work: Work) -> Deadline {
    Deadline::after(context.platform.database.limit(work).unwrap_or(std::time::Duration::from_secs(3600)))
}

/// Why the index gave no answer.
pub(crate) fn failed(error: engine::Error) -> Fault {
    if matches!(error, engine::Error::Late(_)) {
        let message = "The search took too long and was given up. Please ask for something more definite";
        Fault::unavailable(message, error)
    } else {
        Fault::internal(error)
    }
}
