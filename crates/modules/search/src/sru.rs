//! SRU 1.2 and 2.0 (Search/Retrieve via URL, of the Library of Congress and OASIS): other libraries' and discovery systems' programs
//! search the titles and get them as MARCXML or Dublin Core. An addition of Octavo's: FOLIO has none. The search is mod-search's.

mod answer;
mod asked;
mod diagnostics;
mod query;

use octavo_cql::{Clause, Node, Query};
use octavo_engine::{
    Call, Context, Edge, EdgeAsking, EdgeCall, EdgeRequest, Method, Module, Request, Response, calls,
};
use octavo_kernel::{Fault, Outcome, Xml};
use octavo_modules_inventory::oai_pmh::published;
use uuid::Uuid;

use crate::asked::{Search, find};
use crate::indexes::{TITLES, index_of};
use crate::ranking::ranking;
use asked::{Asked, DEEPEST, Operation, Schema, Version};
use diagnostics::{Diagnostic, diagnostic};

pub static MODULE: Module = Module { name: "octavo-sru", calls: CALLS, edges: &[EDGE], ..Module::BASE };

static CALLS: &[Call] = calls! {
    Get "/octavo/sru" => respond;
};

/// The same for programs with an API key.
const EDGE: Edge = Edge { name: "octavo-sru", calls: &[call("/sru"), call("/sru/{apiKeyPath}")], shown };

const fn call(path: &'static str) -> EdgeCall {
    EdgeCall { method: Method::Get, path, route: (Method::Get, "/octavo/sru"), ask }
}

fn ask<'a>(_: &'a Context, request: &'a EdgeRequest) -> EdgeAsking<'a> {
    Box::pin(async { Ok(request.passed_on()) })
}

fn shown(_: &EdgeRequest, answered: Response) -> Response {
    answered
}

async fn respond(request: Request) -> Outcome<Response> {
    let (version, operation) = asked::read(&request.query);
    let asked = match operation {
        Ok(Operation::Explain) => {
            let host = request.header("host").unwrap_or("localhost");
            return Ok(answer::explain(version, host, request.context.tenant.id.as_str()));
        }
        Ok(Operation::SearchRetrieve(asked)) => asked,
        Err(wrong) => return Ok(answer::wrong(version, &wrong)),
    };
    match retrieve(&request.context, version, &asked).await? {
        Ok(answer) => Ok(answer),
        Err(wrong) => Ok(answer::wrong(version, &wrong)),
    }
}

async fn retrieve(
    context: &Context,
    version: Version,
    asked: &Asked,
) -> Outcome<Result<Response, Diagnostic>> {
    let query = match query::translated(&asked.query, asked.sort_keys.as_deref()) {
        Ok(Query { root, sort }) => Query { root: open(root), sort },
        Err(wrong) => return Ok(Err(wrong)),
    };
    let search = Search::of(query, &TITLES);
    let meant = (|| Ok((search.wanted()?, search.sort()?, ranking(&search)?)))();
    let (wanted, sort, ranking) = match meant {
        Ok(meant) => meant,
        Err(fault) => return refused(fault).map(Err),
    };
    let end = (asked.start - 1).saturating_add(asked.most).min(DEEPEST);
    let range = (asked.start - 1).min(end)..end;
    let index = index_of(context, &TITLES).await?;
    let page = find(context, move |deadline| index.page(&wanted, &sort, &ranking, range, deadline)).await?;
    let total = page.total as u64;
    if asked.start > 1 && asked.start as u64 > total.min(DEEPEST as u64) {
        return Ok(Err(diagnostic(61, asked.start.to_string())));
    }
    let ids: Vec<Uuid> = page.hits.iter().map(|hit| hit.id).collect();
    let records = published(context, &ids).await?;
    let written = records.iter().map(|record| {
        let mut xml = Xml::default();
        match asked.schema {
            Schema::Marc => record.marcxml(&mut xml),
            Schema::DublinCore => record.dublin_core(&mut xml),
        }
        xml
    });
    Ok(Ok(answer::found(version, asked, total, written.collect())))
}

/// Without what is suppressed from discovery, or shown to nobody but staff.
fn open(root: Node) -> Node {
    ["discoverySuppress", "staffSuppress"].into_iter().fold(root, |open, member| {
        Node::Not(Box::new(open), Box::new(Node::Clause(Clause::exact(member, "true"))))
    })
}

/// A query that the search refuses, as a diagnostic.
fn refused(fault: Fault) -> Outcome<Diagnostic> {
    match fault.status {
        400..500 => Ok(diagnostic(36, fault.body.render())),
        _ => Err(fault),
    }
}
