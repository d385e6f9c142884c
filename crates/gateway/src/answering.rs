//! The way of a request that a module inside answers: its route is found, its caller let in, its body read, its handler run. If the
//! tenant moves to another database meanwhile, it is done again there.

use std::sync::Arc;

use hyper::http::request::Parts;
use octavo_engine::{Context, Request, Response};
use octavo_kernel::{Fault, Outcome};

use crate::access::{Asking, Wanted, admit};
use crate::arriving::Arriving;
use crate::budget::Share;
use crate::headers::text;
use crate::security;
use crate::server::{Coming, Inner, Server, collect, is_dry_run, of_address};

/// What was read of the body of a request, should it be done again.
struct Read {
    is_taken: bool,
    /// `None` of a body that was read piece by piece.
    body: Option<Vec<u8>>,
    /// What `body` takes of the memory for bodies.
    share: Share,
}

impl Read {
    fn keep(&mut self, body: &[u8]) -> Outcome<()> {
        self.share.hold(body.len())?;
        self.body = Some(body.to_vec());
        Ok(())
    }
}

const MOVED: &str = "The library was moved to another database meanwhile. Please send this again";

impl Server {
    /// The way of a request that a module inside answers. `body` is what filters have made of the client's.
    pub(crate) async fn here(
        &self,
        head: &Parts,
        mut coming: Coming<'_, '_>,
        arriving: &mut Arriving,
        body: Option<Vec<u8>>,
    ) -> Outcome<Response> {
        let are_several = self.inner.shared.elsewhere.is_some();
        let share = || self.inner.shared.budget.share(coming.client.address, Some(&coming.tenant.id));
        let mut read = are_several.then(|| Read { is_taken: body.is_some(), body: None, share: share() });
        if let (Some(read), Some(body)) = (&mut read, &body) {
            read.keep(body)?;
        }
        let answered = self.once(head, &mut coming, arriving, body, read.as_mut()).await;
        let (fault, read) = match (answered, read) {
            (Err(fault), Some(read)) => (fault, read),
            (answered, _) => return answered,
        };
        let Some((server, tenant)) = self.moved(&fault, &coming.tenant).await else { return Err(fault) };
        // Where it is done again its body is counted anew.
        let Read { is_taken, body, share } = read;
        drop(share);
        if is_taken && body.is_none() {
            return Err(Fault::unavailable(MOVED, "its body was read piece by piece"));
        }
        coming.tenant = tenant;
        // Seldom: what is large lies on the heap.
        Box::pin(server.once(head, &mut coming, arriving, body, None)).await
    }

    /// Tries to answer at this server's database. What is read of the body is kept in `read`.
    async fn once(
        &self,
        head: &Parts,
        coming: &mut Coming<'_, '_>,
        arriving: &mut Arriving,
        body: Option<Vec<u8>>,
        read: Option<&mut Read>,
    ) -> Outcome<Response> {
        let Inner { platform, limits, .. } = &*self.inner;
        let Coming { stated, path, query, tenant, client, usage, now, counting } = coming;
        let (path, client, now) = (*path, *client, *now);
        let found = self.find(head, path, tenant)?;
        counting.counts = &found.entry.counts;
        counting.asks(Arc::clone(tenant), found.entry, now);
        let asking = Asking {
            stated,
            user_header: text(&head.headers, "x-okapi-user-id"),
            client,
            open_tenants: limits.doors.open_tenants,
            now: now.as_second(),
        };
        let wanted = Wanted::of(found.entry, tenant.id.as_str(), &found.parameters);
        let entry = found.entry;
        let caller = match admit(platform, tenant, &wanted, &asking).await {
            Ok(caller) => caller,
            Err(fault) => {
                let whom = (&asking, &head.headers);
                security::refused(platform, tenant, entry, whom, (&fault, now)).await;
                return Err(fault);
            }
        };
        security::acts(usage, entry, &caller, &asking, &head.headers);
        self.has_room_for(entry)?;
        let mut share = self.inner.shared.budget.share(client.address, Some(&tenant.id));
        let most = self.most(&caller, tenant);
        let (body, turn) = self.taken(entry, body, (arriving, most), &mut share).await?;
        let is_kept = read.is_some();
        if let Some(read) = read {
            (read.is_taken, read.body) = (true, None);
            if entry.serve.streamed(&platform.settings).is_none() {
                read.keep(&body)?;
            }
        }
        let platform = self.platform_of(entry, &found.parameters).await?;
        let whose = caller
            .user_id
            .map_or_else(|| of_address(client.address), |user| octavo_pg::Client(user.as_u128()));
        usage.is_for(entry.work, Some(whose));
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
            headers: collect(&head.headers, client),
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
        let mut read = Read { is_taken: true, body: None, share: budget.share(client, None) };
        read.keep("x".repeat(SMALL * 3).as_bytes()).unwrap();
        assert_eq!(read.body.as_ref().map(Vec::len), Some(SMALL * 3));
        assert_eq!(budget.share(client, None).hold(SMALL * 2).unwrap_err().status, 503);
        assert_eq!(read.keep("x".repeat(SMALL * 5).as_bytes()).unwrap_err().status, 503);
        drop(read);
        budget.share(client, None).hold(SMALL * 2).unwrap();
    }
}
