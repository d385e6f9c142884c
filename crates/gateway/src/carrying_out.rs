//! Runs a request whose caller was admitted: reserves memory for its body, runs its handler, and finishes a change even if the client hangs
//! up.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use octavo_engine::outbox::catch_panics;
use octavo_engine::{Body, Incoming, Notation, Request, Response, no_such_tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{FULL_DISK, is_conflict, is_loss};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tracing::Instrument;

use crate::answer::answer;
use crate::arriving::RequestBody;
use crate::budget::Share;
use crate::counting::RequestState;
use crate::late;
use crate::metrics::{Timed, Work};
use crate::routes::Entry;
use crate::security::OperatorAction;
use crate::server::{DRY_RUN, Server};
use crate::weight::json_weight;

impl Server {
    /// Refuses changes with 507 while the disk of the private database is full. Routes without required permissions, such as log-ins, are
    /// exempt.
    pub(crate) fn check_disk_space(&self, entry: &Entry) -> Outcome<()> {
        let is_full = || self.inner.platform.database.disk().is_full();
        match !entry.serve.only_reads() && !entry.required.is_empty() && is_full() {
            true => Err(Fault::text(507, FULL_DISK)),
            false => Ok(()),
        }
    }

    /// Runs the route's handler. `held` is the memory that the body takes; it is released when the handler has ended.
    pub(crate) async fn carry_out(
        &self,
        entry: &'static Entry,
        request: Request,
        held: (Option<OwnedSemaphorePermit>, Share),
        counting: &mut RequestState<'_>,
    ) -> Outcome<Response> {
        let dry_run = request.context.dry_run;
        let (answered, work) = run_handler(entry, request, held).await;
        counting.work = work;
        let answered = answered.map(|response| entry.notation.format_response(response));
        if dry_run { Ok(answered?.with_header(DRY_RUN, "true")) } else { answered }
    }

    /// The body in the form that the route takes: as a stream, or read completely. `read` is the body if it was read already.
    pub(crate) async fn read_body(
        &self,
        entry: &Entry,
        read: Option<Vec<u8>>,
        (arriving, most): (&mut RequestBody, usize),
        share: &mut Share,
    ) -> Outcome<(Body, Option<OwnedSemaphorePermit>)> {
        if let Some(most) = entry.serve.max_streamed_bytes(&self.inner.platform.settings) {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let incoming = read.map(Incoming::from_bytes).map_or_else(|| arriving.stream(most), Ok)?;
            return Ok((Body::incoming(incoming), None));
        }
        let body = match read {
            Some(body) => body,
            None => arriving.read(most, share).await?,
        };
        self.reserve_body(body, entry.notation, share).await
    }

    /// Reserves memory for the values of a small body; 503 if there is none. A large body waits until no other large one is worked on, and
    /// is parsed on a thread that answers no other request.
    pub(crate) async fn reserve_body(
        &self,
        body: Vec<u8>,
        notation: Notation,
        share: &mut Share,
    ) -> Outcome<(Body, Option<OwnedSemaphorePermit>)> {
        let values = if body.len() <= LARGE_BODY { json_weight(&body, LARGE_VALUES) } else { usize::MAX };
        if values <= LARGE_VALUES {
            share.reserve(body.len() + values)?;
            return Ok((Body::from(body), None));
        }
        let turn = timeout(LONGEST_WAIT, Arc::clone(&self.inner.shared.large_bodies).acquire_owned())
            .await
            .map_err(|_| {
            Fault::text(503, "Other large requests come first. Please try again in a moment")
        })?;
        let read = tokio::task::spawn_blocking(move || {
            (json_weight(&body, MAX_VALUES) <= MAX_VALUES).then(|| Body::read_ahead(body, notation))
        });
        let read = read.await.map_err(Fault::internal)?;
        Ok((
            read.ok_or_else(|| Fault::text(413, "The body has more values than there is room for"))?,
            turn.ok(),
        ))
    }
}

/// Runs the handler of a route for a caller who was admitted. Returns the answer, and how long another task worked on it. `held` is kept
/// until the handler has ended.
pub(crate) async fn run_handler<H: Send + 'static>(
    entry: &'static Entry,
    request: Request,
    held: H,
) -> (Outcome<Response>, Work) {
    let (platform, tenant) = (request.context.platform.clone(), Arc::clone(&request.context.tenant));
    let (answered, work) = match entry.serve.only_reads() {
        // A panic costs one answer and not the connection.
        true => {
            late::allow_late_reads(entry, &request);
            (catch_panics(answer_with_retries(entry, request)).await, Work::default())
        }
        // In a task of its own: a client that hangs up does not stop a change half way.
        false => {
            let (user, changes) = (request.context.caller.user_id, Arc::clone(&platform.caller_changes));
            let tenant_id = tenant.id.clone();
            let changed = late::PendingChange::from_request(&request);
            let operators = OperatorAction::from_request(entry, &request);
            let task = async move {
                let (answered, work) = Timed::new(pin!(answer_with_retries(entry, request))).await;
                changes.note(&tenant_id, user);
                if let (Some(action), Ok(Response { status: ..300, .. })) = (operators, &answered) {
                    action.note();
                }
                let answered = match changed {
                    Some(changed) => changed.add_position(answered).await,
                    None => answered,
                };
                drop(held);
                (answered, work)
            };
            match tokio::spawn(task.in_current_span()).await {
                Ok(done) => done,
                Err(error) => (Err(Fault::internal(error)), Work::default()),
            }
        }
    };
    let answered = match answered {
        // A tenant that was deleted meanwhile took its tables along, and its deletion comes first where both wait for each
        // other.
        Err(fault)
            if (fault.status == 500 || is_conflict(&fault))
                && platform.tenants.is_gone(&tenant.id).await.unwrap_or(false) =>
        {
            Err(no_such_tenant(tenant.id.as_str()))
        }
        answered => answered.map_err(|fault| entry.dialect.translate_fault(fault)),
    };
    (answered, work)
}

/// Runs the handler of a route. If a replica did not answer a read, the request is repeated with the primary server. If the connection was
/// lost and another server of the database may have taken over, the request is repeated, provided that it only reads, or that nothing which
/// it has done so far lasts.
async fn answer_with_retries(entry: &'static Entry, mut request: Request) -> Outcome<Response> {
    let usage = Arc::clone(&request.context.usage);
    let mut repeats = if request.context.platform.database.fails_over() { MAX_REPEATS } else { 0 };
    // The handler's future is large, so there is one place only that awaits it.
    loop {
        let is_late = usage.may_read_from_replica();
        let again = if is_late || repeats > 0 { request.duplicate() } else { None };
        let answered = answer(entry, request).await;
        let Some(again) = again else { return answered };
        if !is_late || !usage.has_replica_failed() {
            let is_safe = entry.serve.only_reads() || usage.has_no_lasting_effect();
            if !(repeats > 0 && is_safe && answered.as_ref().is_err_and(is_loss)) {
                return answered;
            }
            repeats -= 1;
            tokio::time::sleep(REPEAT_PAUSE).await;
        }
        usage.count_repeat();
        request = again;
    }
}

/// How often a request is begun anew after its connection was lost.
const MAX_REPEATS: usize = 2;
/// How long is waited before that. The connections of a server that dies end one after the other, and a request that is repeated at once
/// may get another one of them.
const REPEAT_PAUSE: Duration = Duration::from_millis(100);
/// Larger bodies (by their own bytes, or by those of their values) are worked on one after the other.
const LARGE_BODY: usize = 1 << 20;
const LARGE_VALUES: usize = 4 << 20;
/// The most bytes that the values of a body may take. 16 MB of items, a batch of some six thousand, take less than half of it.
const MAX_VALUES: usize = 128 << 20;
const LONGEST_WAIT: Duration = Duration::from_secs(30);
