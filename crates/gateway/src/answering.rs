//! Answers a request by a module in this process: finds the route, admits the caller, reads the body, runs the handler. If the tenant was
//! moved to another database meanwhile, the request is repeated there.

use std::sync::Arc;

use hyper::http::request::Parts;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Usage};

use crate::access::{AccessRequest, Requirements, admit};
use crate::arriving::RequestBody;
use crate::budget::Share;
use crate::headers::header_text;
use crate::security;
use crate::server::{IncomingRequest, Inner, Server, client_by_address, handler_headers, is_dry_run};

/// What was read of a request's body, in case the request has to be repeated at another database.
struct ReadBody {
    is_read: bool,
    /// `None` if the body was read piece by piece: then it cannot be read again.
    body: Option<Vec<u8>>,
    /// What `body` takes of the memory for bodies.
    share: Share,
}

impl ReadBody {
    fn keep(&mut self, body: &[u8]) -> Outcome<()> {
        self.share.reserve(body.len())?;
        self.body = Some(body.to_vec());
        Ok(())
    }
}

const MOVED_MESSAGE: &str = "The library was moved to another database meanwhile. Please send this again";

const HALF_DONE_MESSAGE: &str = "The library was moved to another database meanwhile. A part of this was done before. Please look before you send this again";

/// Refuses to repeat a change of which a transaction was committed before the tenant left: this part is in the other database already, and
/// would be done twice. The answer suggests no retry, as after a commit without an answer.
pub(crate) fn refuse_half_done(only_reads: bool, usage: &Usage) -> Outcome<()> {
    match only_reads || usage.has_no_lasting_effect() {
        true => Ok(()),
        false => {
            let cause = DbError::Lost("the tenant left between two transactions of a change".to_owned());
            Err(Fault::unavailable(HALF_DONE_MESSAGE, cause))
        }
    }
}

impl Server {
    /// Answers a request by a module in this process. `body` is the client's body after filters, if the request passed any.
    pub(crate) async fn answer_inside(
        &self,
        head: &Parts,
        mut coming: IncomingRequest<'_, '_>,
        arriving: &mut RequestBody,
        body: Option<Vec<u8>>,
    ) -> Outcome<Response> {
        let are_several = self.inner.shared.database_servers.is_some();
        let share = || self.inner.shared.budget.share(coming.client.address, Some(&coming.tenant.id));
        let mut read = are_several.then(|| ReadBody { is_read: body.is_some(), body: None, share: share() });
        if let (Some(read), Some(body)) = (&mut read, &body) {
            read.keep(body)?;
        }
        let answered = self.try_answer(head, &mut coming, arriving, body, read.as_mut()).await;
        let (fault, read) = match (answered, read) {
            (Err(fault), Some(read)) => (fault, read),
            (answered, _) => return answered,
        };
        let Some((server, tenant)) = self.find_moved_tenant(&fault, &coming.tenant).await else {
            return Err(fault);
        };
        // Where it is done again its body is counted anew.
        let ReadBody { is_read, body, share } = read;
        drop(share);
        if is_read && body.is_none() {
            return Err(Fault::unavailable(MOVED_MESSAGE, "its body was read piece by piece"));
        }
        let only_reads = coming.state.route.as_ref().is_none_or(|asked| asked.entry.serve.only_reads());
        refuse_half_done(only_reads, &coming.usage)?;
        coming.tenant = tenant;
        // This happens seldom, so its large future is put on the heap.
        Box::pin(server.try_answer(head, &mut coming, arriving, body, None)).await
    }

    /// Answers the request at this server's database. The body that is read is kept in `read`.
    async fn try_answer(
        &self,
        head: &Parts,
        coming: &mut IncomingRequest<'_, '_>,
        arriving: &mut RequestBody,
        body: Option<Vec<u8>>,
        read: Option<&mut ReadBody>,
    ) -> Outcome<Response> {
        let Inner { platform, limits, .. } = &*self.inner;
        let IncomingRequest { credentials: stated, path, query, tenant, client, usage, now, state: counting } =
            coming;
        let (path, client, now) = (*path, *client, *now);
        let found = self.find_route(head, path, tenant)?;
        counting.counts = &found.entry.counts;
        counting.set_route(Arc::clone(tenant), found.entry, now);
        let asking = AccessRequest {
            credentials: stated,
            user_header: header_text(&head.headers, "x-okapi-user-id"),
            client,
            open_tenants: limits.trust.open_tenants,
            now: now.as_second(),
        };
        let wanted = Requirements::from_entry(found.entry, tenant.id.as_str(), &found.parameters);
        let entry = found.entry;
        let caller = match admit(platform, tenant, &wanted, &asking).await {
            Ok(caller) => caller,
            Err(fault) => {
                let whom = (&asking, &head.headers);
                security::note_refused(platform, tenant, entry, whom, (&fault, now)).await;
                return Err(fault);
            }
        };
        security::note_acting_user(usage, entry, &caller, &asking, &head.headers);
        self.check_disk_space(entry)?;
        let mut share = self.inner.shared.budget.share(client.address, Some(&tenant.id));
        let most = self.max_body_bytes(&caller, tenant);
        let (body, turn) = self.read_body(entry, body, (arriving, most), &mut share).await?;
        let is_kept = read.is_some();
        if let Some(read) = read {
            (read.is_read, read.body) = (true, None);
            if entry.serve.max_streamed_bytes(&platform.settings).is_none() {
                read.keep(&body)?;
            }
        }
        let platform = self.platform_for(entry, &found.parameters).await?;
        let whose = caller
            .user_id
            .map_or_else(|| client_by_address(client.address), |user| octavo_pg::Client(user.as_u128()));
        usage.set_purpose(entry.work, Some(whose));
        let dry_run = is_dry_run(&head.headers, entry)?;
        let context =
            Context { platform, tenant: Arc::clone(tenant), caller, now, usage: Arc::clone(usage), dry_run };
        let request = Request {
            context,
            method: entry.method,
            path: path.to_owned(),
            dialect: entry.dialect,
            notation: entry.notation,
            parameters: found.parameters,
            query: if is_kept { query.clone() } else { std::mem::take(query) },
            headers: handler_headers(&head.headers, client),
            body,
            client: client.address.to_string(),
        };
        self.carry_out(entry, request, (turn, share), counting).await
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::budget::{Budget, SMALL};

    #[test]
    fn the_copy_of_a_body_takes_of_the_memory_for_bodies() {
        let (budget, client) = (Budget::new(SMALL * 8), IpAddr::from([192, 0, 2, 1]));
        let mut read = ReadBody { is_read: true, body: None, share: budget.share(client, None) };
        read.keep("x".repeat(SMALL * 3).as_bytes()).unwrap();
        assert_eq!(read.body.as_ref().map(Vec::len), Some(SMALL * 3));
        assert_eq!(budget.share(client, None).reserve(SMALL * 2).unwrap_err().status, 503);
        assert_eq!(read.keep("x".repeat(SMALL * 5).as_bytes()).unwrap_err().status, 503);
        drop(read);
        budget.share(client, None).reserve(SMALL * 2).unwrap();
    }
}
