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

use crate::asked::{Search, deadline, required_parameter, search_fault};
use crate::indexes::{AUTHORITIES, Resource, TITLES, index_of};

pub(crate) async fn title_ids(request: Request) -> Outcome<Response> {
    answer(request, IdKind::Titles).await
}

pub(crate) async fn holdings_ids(request: Request) -> Outcome<Response> {
    answer(request, IdKind::Holdings).await
}

async fn answer(request: Request, kind: IdKind) -> Outcome<Response> {
    let query = required_parameter(&request, "query", "String")?.to_owned();
    let lines = request.header("content-type").is_some_and(|kind| kind.starts_with("text/plain"));
    stream_ids(request, &query, kind, lines).await
}

/// The kind of record whose ids are requested.
#[derive(Clone, Copy)]
pub(crate) enum IdKind {
    Titles,
    Holdings,
    Authorities,
}

impl IdKind {
    /// The index that the query searches.
    pub(crate) fn resource(self) -> &'static Resource {
        match self {
            IdKind::Titles | IdKind::Holdings => &TITLES,
            IdKind::Authorities => &AUTHORITIES,
        }
    }
}

/// A message of the thread that reads the index. If the channel closes without `End`, the thread has failed.
enum IndexMessage {
    Ids(Vec<Uuid>),
    End(engine::Result<()>),
}

/// How many ids a message has, and how many messages are sent before the first is received.
const IDS_PER_MESSAGE: usize = 5_000;
const MESSAGES_AHEAD: usize = 2;
/// An answer of up to this many bytes is sent in one piece. A longer answer is sent in pieces of at least `PIECE_BYTES`.
const MAX_SINGLE_PIECE_BYTES: usize = 1 << 20;
const PIECE_BYTES: usize = 64 << 10;

/// Answers with all ids that a query finds. With `lines`, the answer is one id a line, without JSON.
pub(crate) async fn stream_ids(
    request: Request,
    query: &str,
    kind: IdKind,
    lines: bool,
) -> Outcome<Response> {
    let search = Search::read(query, kind.resource())?;
    let wanted = search.compile_query()?;
    search.sort_fields()?;
    let index = index_of(&request.context, kind.resource()).await?;
    let (give, found) = mpsc::channel(MESSAGES_AHEAD);
    let limit = deadline(&request.context, Work::Many);
    tokio::task::spawn_blocking(move || {
        let mut ids = Vec::with_capacity(IDS_PER_MESSAGE);
        let done = index.for_each_id(&wanted, limit, &mut |block| {
            ids.extend_from_slice(block);
            ids.len() < IDS_PER_MESSAGE || give.blocking_send(IndexMessage::Ids(take(&mut ids))).is_ok()
        });
        // If the client has disconnected, nothing receives these messages.
        let _ = give.blocking_send(IndexMessage::Ids(ids));
        let _ = give.blocking_send(IndexMessage::End(done));
    });
    let context = request.context;
    let mut written = String::new();
    if !lines {
        written.push_str("{\"ids\":[");
    }
    let mut ids =
        IdStream { context, kind, lines, found, unsent: written, count: 0, is_over: false, _permit: None };
    let first = ids.next(MAX_SINGLE_PIECE_BYTES).await?;
    let answer = |text| if lines { Response::text(200, text) } else { Response::json_text(200, text) };
    if ids.is_over {
        return Ok(answer(first));
    }
    ids._permit = Some(ids.context.platform.long_lists.wait_for_permit().await?);
    Ok(Response { streamed_rest: Some(ids.pieces()), ..answer(first) })
}

/// The ids of an answer that is being sent.
struct IdStream {
    context: Context,
    kind: IdKind,
    /// One id a line, without JSON.
    lines: bool,
    found: mpsc::Receiver<IndexMessage>,
    /// Text that has been written and not sent.
    unsent: String,
    count: u64,
    is_over: bool,
    /// The permit for a long list: a thread is blocked for as long as the client takes to receive it.
    _permit: Option<OwnedSemaphorePermit>,
}

impl IdStream {
    /// The next piece, of at least this many bytes unless the ids end before.
    async fn next(&mut self, bytes: usize) -> Outcome<String> {
        while self.unsent.len() < bytes && !self.is_over {
            match self.found.recv().await {
                Some(IndexMessage::Ids(ids)) => {
                    let ids = match self.kind {
                        IdKind::Titles | IdKind::Authorities => ids,
                        IdKind::Holdings => {
                            let holdings = Statement::new(HOLDINGS).uuids(ids);
                            self.context.session().await?.read(holdings).await?
                        }
                    };
                    self.write(&ids);
                }
                Some(IndexMessage::End(done)) => {
                    done.map_err(search_fault)?;
                    self.is_over = true;
                    if !self.lines {
                        let _ = write!(self.unsent, "],\"totalRecords\":{}}}", self.count);
                    }
                }
                None => return Err(Fault::internal("the ids were not read to their end")),
            }
        }
        Ok(take(&mut self.unsent))
    }

    fn write(&mut self, ids: &[Uuid]) {
        for id in ids {
            let _ = match (self.lines, self.count) {
                (true, _) => writeln!(self.unsent, "{id}"),
                (false, 0) => write!(self.unsent, "{{\"id\":\"{id}\"}}"),
                (false, _) => write!(self.unsent, ",{{\"id\":\"{id}\"}}"),
            };
            self.count += 1;
        }
    }

    fn pieces(mut self) -> Pieces {
        Pieces::new(async move {
            if self.is_over {
                return Ok(None);
            }
            let piece = self.next(PIECE_BYTES).await?;
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
