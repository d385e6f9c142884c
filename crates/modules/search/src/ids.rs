//! The ids of all titles or authorities that a query finds, or of the holdings of titles, in the millions: they are found as
//! the client takes them.

use std::fmt::Write;
use std::mem::take;

use octavo_engine::{Context, Pieces, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{Statement, Work};
use octavo_search::engine;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use uuid::Uuid;

use crate::asked::{Search, deadline, failed, required};
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};

pub(crate) async fn of_titles(request: Request) -> Outcome<Response> {
    answer(request, Kind::Titles).await
}

pub(crate) async fn of_holdings(request: Request) -> Outcome<Response> {
    answer(request, Kind::Holdings).await
}

async fn answer(request: Request, kind: Kind) -> Outcome<Response> {
    let query = required(&request, "query", "String")?.to_owned();
    let lines = request.header("content-type").is_some_and(|kind| kind.starts_with("text/plain"));
    every(request, &query, kind, lines).await
}

/// What ids are of.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Titles,
    Holdings,
    Authorities,
}

impl Kind {
    /// What the query is about.
    pub(crate) fn resource(self) -> &'static Resource {
        match self {
            Kind::Titles | Kind::Holdings => &TITLES,
            Kind::Authorities => &AUTHORITIES,
        }
    }
}

/// What the thread that reads the index hands over. An end that does not come means that the thread failed.
enum Found {
    Ids(Vec<Uuid>),
    End(engine::Result<()>),
}

/// So many ids are handed over at once, and so many times before one is taken.
const AT_ONCE: usize = 5_000;
const AHEAD: usize = 2;
/// An answer of up to this many bytes is put together and sent in one piece.
const HELD: usize = 1 << 20;
const PIECE: usize = 64 << 10;

/// All ids that a query finds; `lines` are without JSON.
pub(crate) async fn every(request: Request, query: &str, kind: Kind, lines: bool) -> Outcome<Response> {
    let search = Search::read(query, kind.resource())?;
    let wanted = search.wanted()?;
    search.sort()?;
    let index = index_of(&request.context, kind.resource()).await?;
    let (give, found) = mpsc::channel(AHEAD);
    let limit = deadline(&request.context, Work::Many);
    tokio::task::spawn_blocking(move || {
        let mut ids = Vec::with_capacity(AT_ONCE);
        let done = index.every_id(&wanted, limit, &mut |block| {
            ids.extend_from_slice(block);
            ids.len() < AT_ONCE || give.blocking_send(Found::Ids(take(&mut ids))).is_ok()
        });
        // A client that is gone wants neither the rest nor the end.
        let _ = give.blocking_send(Found::Ids(ids));
        let _ = give.blocking_send(Found::End(done));
    });
    let context = request.context;
    let mut written = String::new();
    if !lines {
        written.push_str("{\"ids\":[");
    }
    let mut ids = Ids { context, kind, lines, found, written, count: 0, is_over: false, _place: None };
    let first = ids.next(HELD).await?;
    let answer = |text| if lines { Response::text(200, text) } else { Response::json_text(200, text) };
    if ids.is_over {
        return Ok(answer(first));
    }
    ids._place = Some(ids.context.platform.long_lists.enter().await?);
    Ok(Response { rest: Some(ids.pieces()), ..answer(first) })
}

/// An answer on its way.
struct Ids {
    context: Context,
    kind: Kind,
    /// One id a line, without JSON.
    lines: bool,
    found: mpsc::Receiver<Found>,
    /// Not sent yet.
    written: String,
    count: u64,
    is_over: bool,
    /// A thread waits for as long as the client takes.
    _place: Option<OwnedSemaphorePermit>,
}

impl Ids {
    /// The next piece, of at least this many bytes unless the ids end before.
    async fn next(&mut self, bytes: usize) -> Outcome<String> {
        while self.written.len() < bytes && !self.is_over {
            match self.found.recv().await {
                Some(Found::Ids(ids)) => {
                    let ids = match self.kind {
                        Kind::Titles | Kind::Authorities => ids,
                        Kind::Holdings => {
                            let holdings = Statement::new(HOLDINGS).uuids(ids);
                            self.context.session().await?.read(holdings).await?
                        }
                    };
                    self.write(&ids);
                }
                Some(Found::End(done)) => {
                    done.map_err(failed)?;
                    self.is_over = true;
                    if !self.lines {
                        let _ = write!(self.written, "],\"totalRecords\":{}}}", self.count);
                    }
                }
                None => return Err(Fault::internal("the ids were not read to their end")),
            }
        }
        Ok(take(&mut self.written))
    }

    fn write(&mut self, ids: &[Uuid]) {
        for id in ids {
            let _ = match (self.lines, self.count) {
                (true, _) => writeln!(self.written, "{id}"),
                (false, 0) => write!(self.written, "{{\"id\":\"{id}\"}}"),
                (false, _) => write!(self.written, ",{{\"id\":\"{id}\"}}"),
            };
            self.count += 1;
        }
    }

    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.is_over {
                return Ok(None);
            }
            let piece = self.next(PIECE).await?;
            Ok(Some((piece, self.pieces())))
        })
    }
}

const HOLDINGS: &str = "\
select h.id
from holdings_record h
where h.\"instanceId\" = any($1)
order by h.\"instanceId\", h.id";

octavo_pg::statements! {
    other = [HOLDINGS],
}
