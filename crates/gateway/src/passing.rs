//! Answers a request whose handler is a module outside of this process, or that passes a filter of one.

use std::future::poll_fn;
use std::sync::Arc;

use hyper::body::Bytes;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use octavo_engine::Tenant;
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_modules_base::module_tokens::generation;
use octavo_remote::{Progress, full_body};

use crate::access::{AccessRequest, Requirements, admit};
use crate::arriving::RequestBody;
use crate::budget::Share;
use crate::headers::header_text;
use crate::made::ServerAnswer;
use crate::outside::{
    self, Filtered, ForwardedAnswer, ForwardedBody, Forwarding, ModuleRoute, filter_answer, filter_request,
};
use crate::server::{IncomingRequest, Server};

impl Server {
    /// Admits or refuses the caller, and sends the request through filters to the handler, in this process or outside.
    pub(crate) async fn forward_request(
        &self,
        found: outside::FoundRoutes,
        head: &Parts,
        coming: IncomingRequest<'_, '_>,
        arriving: &mut RequestBody,
    ) -> Outcome<ServerAnswer> {
        let caller = self.admit_caller(&found, head, &coming).await?;
        let generation = coming.credentials.token.as_deref().map_or(0, generation);
        let (platform, tenant) = (&self.inner.platform, Arc::clone(&coming.tenant));
        let told = (coming.client.address.to_string(), coming.now, generation);
        let mut passage =
            Forwarding::new((platform, &tenant, &caller), head, coming.path, told, coming.usage.request_id());
        let most = self.max_body_bytes(&caller, &tenant);
        let mut share = self.inner.shared.budget.share(coming.client.address, Some(&tenant.id));
        if let Some(handler) = found.handler.as_ref().filter(|_| found.filters.is_empty()) {
            check_handler_kind(handler)?;
            let (body, handed) = arriving.hand_over(most)?;
            let sent = passage.send(handler, body, &[], &handed.progress).await;
            let (answer, token) = sent.map_err(|fault| handed.fault().unwrap_or(fault))?;
            return Ok(ServerAnswer::Forwarded(
                Box::new(Forwarding::answer_for_client(answer, &token)),
                share,
            ));
        }
        let body = Bytes::from(arriving.read(most, &mut share).await?);
        let wants = match &found.handler {
            Some(handler) => (handler.entry.required_permissions(), handler.entry.desired_permissions()),
            None => (&[][..], &[][..]),
        };
        let required: Vec<&str> = wants.0.iter().map(String::as_str).collect();
        let body =
            match filter_request(&mut passage, &found.filters, body, (&required, wants.1), most).await? {
                Filtered::Answered(passed) => {
                    share.reserve(passed.bytes_in_memory())?;
                    return Ok(ServerAnswer::Forwarded(passed, share));
                }
                Filtered::Continue(body) => body,
            };
        let limit = self.inner.limits.body_bytes;
        let is_read = outside::has_response_filter(&found.filters);
        let answer = match &found.handler {
            Some(handler) => {
                check_handler_kind(handler)?;
                let (answer, token) =
                    passage.send(handler, full_body(body), &[], &Progress::default()).await?;
                ServerAnswer::Forwarded(Box::new(Forwarding::answer_for_client(answer, &token)), share)
            }
            None => {
                ServerAnswer::Inside(self.answer_inside(head, coming, arriving, Some(body.to_vec())).await?)
            }
        };
        if !is_read {
            return Ok(answer);
        }
        let mut share = self.inner.shared.budget.share(caller_address(&passage)?, Some(&passage.tenant.id));
        let (status, headers, body) = read_whole(answer, limit, &mut share).await?;
        let passed = filter_answer(&passage, &found.filters, (status, headers), body, limit).await?;
        share.reserve(passed.bytes_in_memory())?;
        Ok(ServerAnswer::Forwarded(Box::new(passed), share))
    }

    async fn admit_caller(
        &self,
        found: &outside::FoundRoutes,
        head: &Parts,
        coming: &IncomingRequest<'_, '_>,
    ) -> Outcome<Caller> {
        let tenant = coming.tenant.id.as_str();
        let asking = AccessRequest {
            credentials: &coming.credentials,
            user_header: header_text(&head.headers, "x-okapi-user-id"),
            client: coming.client,
            open_tenants: self.inner.limits.trust.open_tenants,
            now: coming.now.as_second(),
        };
        match &found.handler {
            Some(handler) => {
                let wanted = handler.requirements(tenant, coming.path, coming.credentials.token.is_some());
                admit(&self.inner.platform, &coming.tenant, &wanted, &asking).await
            }
            None => {
                let found = self.find_route(head, coming.path, &coming.tenant)?;
                let wanted = Requirements::from_entry(found.entry, tenant, &found.parameters);
                admit(&self.inner.platform, &coming.tenant, &wanted, &asking).await
            }
        }
    }

    /// The most bytes of a request's body. Callers without a user name may send fewer, if the tenant has mod-authtoken.
    pub(crate) fn max_body_bytes(&self, caller: &Caller, tenant: &Tenant) -> usize {
        let limits = &self.inner.limits;
        match caller.username.is_none() && tenant.has_module("mod-authtoken") {
            true => limits.open_body_bytes.min(limits.body_bytes),
            false => limits.body_bytes,
        }
    }
}

fn caller_address(passage: &Forwarding<'_>) -> Outcome<std::net::IpAddr> {
    passage.client.parse().map_err(Fault::internal)
}

/// Returns 501 for a handler of a type that only filters may have.
fn check_handler_kind(handler: &ModuleRoute) -> Outcome<()> {
    match handler.entry.kind.as_deref() {
        None | Some("request-response" | "request-response-1.0" | "system") => Ok(()),
        Some(other) => Err(Fault::text(
            501,
            format!("Handlers of type {other} are not built in Octavo: {}", handler.module.id),
        )),
    }
}

/// Status, headers and body of an answer that filters look at.
async fn read_whole(made: ServerAnswer, most: usize, share: &mut Share) -> Outcome<(u16, HeaderMap, Bytes)> {
    let too_large = || Fault::text(502, format!("An answer of more than {most} bytes cannot pass a filter"));
    match made {
        ServerAnswer::Forwarded(passed, _) => {
            let ForwardedAnswer { status, headers, body } = *passed;
            let body = match body {
                ForwardedBody::Whole(body) => body,
                ForwardedBody::Stream(answer) => {
                    let answered = answer.read_to_end(most).await.map_err(|failure| match failure {
                        octavo_remote::Failure::TooLarge => too_large(),
                        failure => Fault::text(502, failure.to_string()),
                    })?;
                    share.reserve(answered.body.len())?;
                    answered.body.into()
                }
            };
            Ok((status, headers, body))
        }
        ServerAnswer::Inside(response) => {
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
            if let Some(mut rest) = response.streamed_rest {
                while let Some(piece) = poll_fn(|context| rest.poll_next(context)).await {
                    body.extend_from_slice(&piece?);
                    share.reserve(body.len())?;
                    if body.len() > most {
                        return Err(too_large());
                    }
                }
            }
            Ok((response.status, headers, body.into()))
        }
    }
}
