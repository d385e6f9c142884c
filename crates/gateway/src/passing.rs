//! The way of a request that a module outside of this process takes, or that passes a filter of one.

use std::future::poll_fn;
use std::sync::Arc;

use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use octavo_engine::Tenant;
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_modules_base::module_tokens::generation;
use octavo_remote::{Progress, whole};

use crate::access::{Asking, Wanted, admit};
use crate::arriving::Arriving;
use crate::budget::Share;
use crate::headers::text;
use crate::made::Made;
use crate::outside::{self, Filtered, Passage, Passed, PassedBody, Taker, filter_answer, filter_request};
use crate::server::{Coming, Server};

impl Server {
    /// Lets the caller in or not, and passes the request through filters to the handler, wherever that is.
    pub(crate) async fn pass(
        &self,
        found: outside::Found,
        head: &Parts,
        coming: Coming<'_, '_>,
        arriving: &mut Arriving,
    ) -> Outcome<Made> {
        let caller = self.caller(&found, head, &coming).await?;
        let generation = coming.stated.token.as_deref().map_or(0, generation);
        let (platform, tenant) = (&self.inner.platform, Arc::clone(&coming.tenant));
        let told = (coming.client.address.to_string(), coming.now, generation);
        let mut passage =
            Passage::new((platform, &tenant, &caller), head, coming.path, told, coming.usage.id());
        let most = self.most(&caller, &tenant);
        let mut share = self.inner.shared.budget.share(coming.client.address, Some(&tenant.id));
        if let Some(handler) = found.handler.as_ref().filter(|_| found.filters.is_empty()) {
            can_take(handler)?;
            let (body, handed) = arriving.hand_over(most)?;
            let sent = passage.send(handler, body, &[], &handed.progress).await;
            let (answer, token) = sent.map_err(|fault| handed.fault().unwrap_or(fault))?;
            return Ok(Made::Passed(Box::new(Passage::passed(answer, &token)), share));
        }
        let body = Bytes::from(arriving.read(most, &mut share).await?);
        let wants = match &found.handler {
            Some(handler) => (handler.entry.required(), handler.entry.desired()),
            None => (&[][..], &[][..]),
        };
        let required: Vec<&str> = wants.0.iter().map(String::as_str).collect();
        let body =
            match filter_request(&mut passage, &found.filters, body, (&required, wants.1), most).await? {
                Filtered::Answered(passed) => {
                    share.hold(passed.held())?;
                    return Ok(Made::Passed(passed, share));
                }
                Filtered::On(body) => body,
            };
        let limit = self.inner.limits.body_bytes;
        let is_read = outside::has_any_after(&found.filters);
        let answer = match &found.handler {
            Some(handler) => {
                can_take(handler)?;
                let (answer, token) = passage.send(handler, whole(body), &[], &Progress::default()).await?;
                Made::Passed(Box::new(Passage::passed(answer, &token)), share)
            }
            None => Made::Here(self.here(head, coming, arriving, Some(body.to_vec())).await?),
        };
        if !is_read {
            return Ok(answer);
        }
        let mut share = self.inner.shared.budget.share(caller_address(&passage)?, Some(&passage.tenant.id));
        let (status, headers, body) = read_whole(answer, limit, &mut share).await?;
        let passed = filter_answer(&passage, &found.filters, (status, headers), body, limit).await?;
        share.hold(passed.held())?;
        Ok(Made::Passed(Box::new(passed), share))
    }

    async fn caller(&self, found: &outside::Found, head: &Parts, coming: &Coming<'_, '_>) -> Outcome<Caller> {
        let tenant = coming.tenant.id.as_str();
        let asking = Asking {
            stated: &coming.stated,
            user_header: text(&head.headers, "x-okapi-user-id"),
            client: coming.client,
            open_tenants: self.inner.limits.doors.open_tenants,
            now: coming.now.as_second(),
        };
        match &found.handler {
            Some(handler) => {
                let wanted = handler.wanted(tenant, coming.path, coming.stated.token.is_some());
                admit(&self.inner.platform, &coming.tenant, &wanted, &asking).await
            }
            None => {
                let found = self.find(head, coming.path, &coming.tenant)?;
                let wanted = Wanted::of(found.entry, tenant, &found.parameters);
                admit(&self.inner.platform, &coming.tenant, &wanted, &asking).await
            }
        }
    }

    /// The most bytes of a body. Callers without a name have few.
    pub(crate) fn most(&self, caller: &Caller, tenant: &Tenant) -> usize {
        let limits = &self.inner.limits;
        match caller.username.is_none() && tenant.has("mod-authtoken") {
            true => limits.open_body_bytes.min(limits.body_bytes),
            false => limits.body_bytes,
        }
    }
}

fn caller_address(passage: &Passage<'_>) -> Outcome<std::net::IpAddr> {
    passage.client.parse().map_err(Fault::internal)
}

/// Handlers get requests and answer them; other types are for filters.
fn can_take(handler: &Taker) -> Outcome<()> {
    match handler.entry.kind.as_deref() {
        None | Some("request-response" | "request-response-1.0" | "system") => Ok(()),
        Some(other) => Err(Fault::text(
            501,
            format!("Handlers of type {other} are not built in Octavo: {}", handler.module.id),
        )),
    }
}

/// Status, headers and body of an answer that filters look at.
async fn read_whole(made: Made, most: usize, share: &mut Share) -> Outcome<(u16, HeaderMap, Bytes)> {
    let too_large = || Fault::text(502, format!("An answer of more than {most} bytes cannot pass a filter"));
    match made {
        Made::Passed(passed, _) => {
            let Passed { status, headers, body } = *passed;
            let body = match body {
                PassedBody::Whole(body) => body,
                PassedBody::Stream(answer) => {
                    let answered = answer.whole(most).await.map_err(|failure| match failure {
                        octavo_remote::Failure::TooLarge => too_large(),
                        failure => Fault::text(502, failure.to_string()),
                    })?;
                    share.hold(answered.body.len())?;
                    answered.body.into()
                }
            };
            Ok((status, headers, body))
        }
        Made::Here(response) => {
            let mut headers = HeaderMap::new();
            if !response.content_type.is_empty() {
                headers.insert("content-type", HeaderValue::from_static(response.content_type));
            }
            for (name, value) in response.headers {
                if let Ok(value) = HeaderValue::from_str(&value) {
                    headers.append(name, value);
                }
            }
            let mut body = response.body;
            if let Some(mut rest) = response.rest {
                while let Some(piece) = poll_fn(|context| rest.poll_next(context)).await {
                    body.extend_from_slice(&piece?);
                    share.hold(body.len())?;
                    if body.len() > most {
                        return Err(too_large());
                    }
                }
            }
            Ok((response.status, headers, body.into()))
        }
    }
}
