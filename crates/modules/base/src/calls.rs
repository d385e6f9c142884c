//! What calls with code of their own take and answer: their query parameters, the record in the body of a request, the records in
//! answers. FOLIO's published facts in `folio/calls.tsv` and `folio/records/`; what Octavo adds stands in `octavo/`. A call at the
//! path of a record type that takes and answers such records has no line there.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_engine::Method;
use rust_embed::Embed;

#[derive(Debug, Default)]
pub struct CallDeclaration {
    pub parameters: Vec<Parameter>,
    pub request: Option<Body>,
    /// The bodies of successful answers, and of batches of which nothing could be stored (500), by status.
    pub answers: Vec<(u16, Option<Body>)>,
}

/// `query:string`, `userId:string!` if it must be given, `order:string{asc|desc}` if there is a choice.
#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: &'static str,
    pub required: bool,
    pub choices: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// A record of the module, by the name of its table.
    Record(&'static str),
    /// A list of such records: `ModuleDescriptor[]`.
    Records(&'static str),
    AnyJson,
    /// A body that is not JSON, by its media type.
    Media(&'static str),
}

/// Module, method, path pattern.
pub type CallKey = (&'static str, &'static str, &'static str);

static CALLS: LazyLock<HashMap<CallKey, CallDeclaration>> = LazyLock::new(|| all_calls().collect());

#[derive(Embed)]
#[folder = "../folio/records/"]
struct FolioRecords;

#[derive(Embed)]
#[folder = "../octavo/records/"]
struct OctavoRecords;

/// Each line of the tables.
pub fn all_calls() -> impl Iterator<Item = (CallKey, CallDeclaration)> {
    let tables = [include_str!("../../folio/calls.tsv"), include_str!("../../octavo/calls.tsv")];
    let rows = tables.into_iter().flat_map(|table| table.lines().skip(1));
    rows.map(|row| {
        let mut columns = row.split('\t');
        let mut next = || columns.next().unwrap_or_default();
        let place = (next(), next(), next());
        (place, CallDeclaration::read(next(), next(), next()))
    })
}

/// Finds the declaration of a call by its module, its method, and its path pattern as the route table writes it.
pub fn find_declaration(
    module: &'static str,
    method: Method,
    pattern: &'static str,
) -> Option<&'static CallDeclaration> {
    CALLS.get(&(module, method.as_str(), pattern))
}

/// The table of fields of a module's record, which `octavo_record::Schema` reads.
pub fn record_field_table(module: &str, record: &str) -> Option<String> {
    let file = format!("{module}/{record}.tsv");
    let found = FolioRecords::get(&file).or_else(|| OctavoRecords::get(&file))?;
    String::from_utf8(found.data.into_owned()).ok()
}

impl CallDeclaration {
    fn read(parameters: &'static str, request: &'static str, answers: &'static str) -> CallDeclaration {
        let answer = |text: &'static str| {
            let (status, body) = text.split_once(' ').unwrap_or((text, ""));
            Some((status.parse().ok()?, Body::read(body)))
        };
        CallDeclaration {
            parameters: parameters.split("; ").filter_map(Parameter::read).collect(),
            request: Body::read(request),
            answers: answers.split("; ").filter_map(answer).collect(),
        }
    }
}

impl Parameter {
    fn read(text: &'static str) -> Option<Parameter> {
        let (name, kind) = text.split_once(':')?;
        let (kind, choices) = kind.split_once('{').unwrap_or((kind, ""));
        let choices = choices.trim_end_matches('}').split('|').filter(|choice| !choice.is_empty());
        Some(Parameter {
            name,
            kind: kind.trim_end_matches('!'),
            required: kind.ends_with('!'),
            choices: choices.collect(),
        })
    }
}

impl Body {
    fn read(text: &'static str) -> Option<Body> {
        match text {
            "" => None,
            "json" => Some(Body::AnyJson),
            media if media.contains('/') => Some(Body::Media(media)),
            name => Some(name.strip_suffix("[]").map_or(Body::Record(name), Body::Records)),
        }
    }
}
