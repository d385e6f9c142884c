//! SRU 1.2 and 2.0 (Search/Retrieve via URL, of the Library of Congress and OASIS): other libraries' and discovery systems' programs
//! search the titles and get them as MARCXML or Dublin Core. An addition of Octavo's: FOLIO has none. The search is mod-search's.

mod answer;
mod asked;
mod diagnostics;
mod query;

use octavo_cql::{Clause, Node, Query};
use octavo_engine::{
    Call, Context, EdgeCall, EdgeModule, EdgeRequest, EdgeRouteRequestFuture, Method, Module, Request,
    Response, calls,
};
use octavo_kernel::{Fault, Outcome, Xml};
use octavo_modules_inventory::oai_pmh::load_published_records;
use uuid::Uuid;

use crate::asked::{Search, run_search};
use crate::indexes::{TITLES, index_of};
use crate::ranking::ranking;
use asked::{LAST_POSITION, Operation, RetrieveRequest, Schema, Version};
use diagnostics::{Diagnostic, diagnostic};

pub static MODULE: Module = Module { name: "octavo-sru", calls: CALLS, edges: &[EDGE], ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/octavo/sru" => respond;
};

/// The same call for programs that send an API key instead of a token.
const EDGE: EdgeModule = EdgeModule {
    name: "octavo-sru",
    calls: &[call("/sru"), call("/sru/{apiKeyPath}")],
    render_response: answer_unchanged,
};

const fn call(path: &'static str) -> EdgeCall {
    EdgeCall { method: Method::Get, path, route: (Method::Get, "/octavo/sru"), make_request: pass_request_on }
}

fn pass_request_on<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeRouteRequestFuture<'a> {
    Box::pin(async { Ok(request.to_route_request()) })
}

fn answer_unchanged(_: &EdgeRequest, answered: Response) -> Response {
    answered
}

async fn respond(request: Request) -> Outcome<Response> {
    let (version, operation) = asked::read_request(&request.query);
    let asked = match operation {
        Ok(Operation::Explain) => {
            let host = request.header("host").unwrap_or("localhost");
            return Ok(answer::explain_response(version, host, request.context.tenant.id.as_str()));
        }
        Ok(Operation::SearchRetrieve(asked)) => asked,
        Err(wrong) => return Ok(answer::diagnostic_response(version, &wrong)),
    };
    match retrieve(&request.context, version, &asked).await? {
        Ok(answer) => Ok(answer),
        Err(wrong) => Ok(answer::diagnostic_response(version, &wrong)),
    }
}

async fn retrieve(
    context: &Context,
    version: Version,
    asked: &RetrieveRequest,
) -> Outcome<Result<Response, Diagnostic>> {
    let query = match query::translate_query(&asked.query, asked.sort_keys.as_deref()) {
        Ok(Query { root, sort }) => Query { root: without_suppressed(root), sort },
        Err(wrong) => return Ok(Err(wrong)),
    };
    let search = Search::from_query(query, &TITLES);
    let meant = (|| Ok((search.compile_query()?, search.sort_fields()?, ranking(&search)?)))();
    let (wanted, sort, ranking) = match meant {
        Ok(meant) => meant,
        Err(fault) => return diagnostic_from_fault(fault).map(Err),
    };
    let end = (asked.first_record - 1).saturating_add(asked.max_records).min(LAST_POSITION);
    let range = (asked.first_record - 1).min(end)..end;
    let index = index_of(context, &TITLES).await?;
    let page =
        run_search(context, move |deadline| index.page(&wanted, &sort, &ranking, range, deadline)).await?;
    let total = page.total as u64;
    if asked.first_record > 1 && asked.first_record as u64 > total.min(LAST_POSITION as u64) {
        return Ok(Err(diagnostic(61, asked.first_record.to_string())));
    }
    let ids: Vec<Uuid> = page.hits.iter().map(|hit| hit.id).collect();
    let records = load_published_records(context, &ids).await?;
    let written = records.iter().map(|record| {
        let mut xml = Xml::default();
        match asked.schema {
            Schema::Marc => record.marcxml(&mut xml),
            Schema::DublinCore => record.dublin_core(&mut xml),
        }
        xml
    });
    Ok(Ok(answer::records_response(version, asked, total, written.collect())))
}

/// Excludes titles that are suppressed from discovery or from staff.
fn without_suppressed(root: Node) -> Node {
    ["discoverySuppress", "staffSuppress"].into_iter().fold(root, |open, member| {
        Node::Not(Box::new(open), Box::new(Node::Clause(Clause::exact(member, "true"))))
    })
}

/// The SRU diagnostic for a query that mod-search's search refuses.
fn diagnostic_from_fault(fault: Fault) -> Outcome<Diagnostic> {
    match fault.status {
        400..500 => Ok(diagnostic(36, fault.body.render())),
        _ => Err(fault),
    }
}
