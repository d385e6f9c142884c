//! A request whose caller was let in is carried out: its body has room, its handler runs, and a change goes on if the client hangs up.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use octavo_engine::outbox::guarded;
use octavo_engine::{Body, Incoming, Method, Notation, Request, Response, no_such_tenant};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{FULL_DISK, is_conflict, is_loss};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tracing::Instrument;

use crate::answer::answer;
use crate::arriving::Arriving;
use crate::budget::Share;
use crate::counting::Counting;
use crate::late;
use crate::metrics::{Timed, Work};
use crate::routes::Entry;
use crate::security;
use crate::server::{DRY_RUN, Server};
use crate::weight::weight;

impl Server {
    /// Changes are refused while the disk of the private database is full, but for log-ins and the like.
    pub(crate) fn has_room_for(&self, entry: &Entry) -> Outcome<()> {
        let is_full = || self.inner.platform.database.disk().is_full();
        match !entry.serve.reads() && !entry.required.is_empty() && is_full() {
            true => Err(Fault::text(507, FULL_DISK)),
            false => Ok(()),
        }
    }

    /// Lets the route's handler answer; `held` is what the body takes, until it is worked on no longer.
    pub(crate) async fn carry_out(
        &self,
        entry: &'static Entry,
        request: Request,
        held: (Option<OwnedSemaphorePermit>, Share),
        counting: &mut Counting<'_>,
    ) -> Outcome<Response> {
        let dry_run = request.context.dry_run;
        let (answered, work) = perform(entry, request, held).await;
        counting.work = work;
        let answered = answered.map(|response| entry.notation.written(response));
        if dry_run { Ok(answered?.with(DRY_RUN, "true")) } else { answered }
    }

    /// The body as the route takes it: on its way, or as a whole. `read` is what was read of it already.
    pub(crate) async fn taken(
        &self,
        entry: &Entry,
        read: Option<Vec<u8>>,
        (arriving, most): (&mut Arriving, usize),
        share: &mut Share,
    ) -> Outcome<(Body, Option<OwnedSemaphorePermit>)> {
        if let Some(most) = entry.serve.streamed(&self.inner.platform.settings) {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            let incoming = read.map(Incoming::whole).map_or_else(|| arriving.stream(most), Ok)?;
            return Ok((Body::incoming(incoming), None));
        }
        let body = match read {
            Some(body) => body,
            None => arriving.read(most, share).await?,
        };
        self.weighed(body, entry.notation, share).await
    }

    /// The body, as soon as there is room for its values. A large one waits until no other is worked on, and is read on a thread
    /// that answers nobody else.
    pub(crate) async fn weighed(
        &self,
        body: Vec<u8>,
        notation: Notation,
        share: &mut Share,
    ) -> Outcome<(Body, Option<OwnedSemaphorePermit>)> {
        let values = if body.len() <= LARGE { weight(&body, LARGE_VALUES) } else { usize::MAX };
        if values <= LARGE_VALUES {
            share.hold(body.len() + values)?;
            return Ok((Body::from(body), None));
        }
        let turn = timeout(LONGEST_WAIT, Arc::clone(&self.inner.shared.large).acquire_owned())
            .await
            .map_err(|_| Fault::text(503, "Other large requests come first. Please try again in a moment"))?;
        let read = tokio::task::spawn_blocking(move || {
            (weight(&body, MOST_VALUES) <= MOST_VALUES).then(|| Body::read_ahead(body, notation))
        });
        let read = read.await.map_err(Fault::internal)?;
        Ok((
            read.ok_or_else(|| Fault::text(413, "The body has more values than there is room for"))?,
            turn.ok(),
        ))
    }
}

/// Runs the handler of a route for a caller who was let in. Tells, too, how long another task worked on it. What is `held` is kept as
/// long as that takes.
pub(crate) async fn perform<H: Send + 'static>(
    entry: &'static Entry,
    request: Request,
    held: H,
) -> (Outcome<Response>, Work) {
    let (platform, tenant) = (request.context.platform.clone(), Arc::clone(&request.context.tenant));
    let is_operators = !entry.serve.reads() && entry.pattern.starts_with(OF_TENANT);
    let named = is_operators.then(|| request.parameters.first().cloned()).flatten();
    let at = request.context.now;
    let client = if is_operators { request.client.clone() } else { String::new() };
    let (answered, work) = match entry.serve.reads() {
        // A panic costs one answer and not the connection.
        true => {
            late::allow(entry, &request);
            (guarded(answered(entry, request)).await, Work::default())
        }
        // In a task of its own: a client that hangs up does not stop a change half way.
        false => {
            let (user, changes) = (request.context.caller.user_id, Arc::clone(&platform.changes));
            let tenant_id = tenant.id.clone();
            let changed = late::Changed::by(&request);
            let task = async move {
                let (answered, work) = Timed::new(pin!(answered(entry, request))).await;
                changes.note(&tenant_id, user);
                let answered = match changed {
                    Some(changed) => changed.told(answered).await,
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
    if let (true, Some(of), Ok(response)) = (is_operators, named.as_deref(), &answered)
        && response.status < 300
    {
        security::operated(&platform, entry, of, (&client, at));
    }
    let answered = match answered {
        // A tenant that was deleted meanwhile took its tables along, and its deletion comes first where both wait for each
        // other.
        Err(fault)
            if (fault.status == 500 || is_conflict(&fault))
                && platform.tenants.is_gone(&tenant.id).await.unwrap_or(false) =>
        {
            Err(no_such_tenant(tenant.id.as_str()))
        }
        answered => answered.map_err(|fault| entry.dialect.words(fault)),
    };
    (answered, work)
}

/// Runs the handler of a route. A read that a replica did not answer is run anew with the database. Where another server of the database
/// may have taken over meanwhile, a request is run anew after the connection was lost, if it only reads, or nothing that it has done lasts.
async fn answered(entry: &'static Entry, mut request: Request) -> Outcome<Response> {
    let usage = Arc::clone(&request.context.usage);
    let mut repeats = if request.context.platform.database.fails_over() { AGAIN } else { 0 };
    // The handler's future is large, so there is one place only that awaits it.
    loop {
        let is_late = usage.is_late();
        let again = if is_late || repeats > 0 { request.again() } else { None };
        let answered = answer(entry, request).await;
        let Some(again) = again else { return answered };
        if !is_late || !usage.is_let_down() {
            let is_safe = entry.method == Method::Get || usage.is_untouched();
            match &answered {
                Err(fault) if repeats > 0 && is_safe && is_loss(fault) => repeats -= 1,
                _ => return answered,
            }
        }
        usage.count_repeat();
        request = again;
    }
}

/// How often a request is begun anew after its connection was lost.
const AGAIN: usize = 2;
/// What the paths begin with at which an operator changes a tenant.
const OF_TENANT: &str = "/_/proxy/tenants/{";
/// Larger bodies (by their own bytes, or by those of their values) are worked on one after the other.
const LARGE: usize = 1 << 20;
const LARGE_VALUES: usize = 4 << 20;
/// The most bytes that the values of a body may take. 16 MB of items, a batch of some six thousand, take less than half of it.
const MOST_VALUES: usize = 128 << 20;
const LONGEST_WAIT: Duration = Duration::from_secs(30);
