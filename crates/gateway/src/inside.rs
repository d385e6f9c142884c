//! Calls that do not come by HTTP, such as those of self-check machines, and of modules that call other modules. The handler of a route
//! runs as for a client, and the caller needs the route's permissions.

use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::sync::{Arc, Weak};

use jiff::Timestamp;
use octavo_engine::{
    Body, Context, Method, Platform, Request, Response, RouteCall, RouteFuture, Routes, Tenant,
};
use octavo_kernel::{Caller, Fault, Outcome};
use octavo_pg::{Client, Usage};
use serde_json::Value;

use crate::Server;
use crate::access::{Requirements, check_permissions};
use crate::answering::refuse_half_done;
use crate::carrying_out::run_handler;
use crate::metrics::{Answered, Timed, now};
use crate::routes::no_module;
use crate::server::Inner;

/// A call by a user who was authenticated elsewhere, such as at a self-check machine.
#[derive(Clone)]
pub struct InsideCall<'a> {
    pub tenant: &'a Arc<Tenant>,
    pub caller: Caller,
    pub method: Method,
    pub path: &'a str,
    pub query: &'a [(&'a str, &'a str)],
    pub body: Option<&'a Value>,
    /// The address of the machine.
    pub client: IpAddr,
    /// The client whose share of the database connections the call uses.
    pub pool_client: Client,
}

impl Server {
    pub fn platform(&self) -> &Platform {
        &self.inner.platform
    }

    pub fn now(&self) -> Timestamp {
        (self.inner.shared.clock)()
    }

    /// Answers as a client would be answered; 403 if the caller lacks a permission of the route.
    pub async fn call_inside(&self, call: InsideCall<'_>) -> Outcome<Response> {
        let again = self.inner.shared.database_servers.as_ref().map(|_| call.clone());
        let usage = Arc::new(Usage::default());
        match (self.call_inside_once(call, &usage).await, again) {
            (Err(fault), Some(call)) => match self.find_moved_tenant(&fault, call.tenant).await {
                // This happens seldom, so its large future is put on the heap.
                Some((server, tenant)) => {
                    refuse_half_done(call.method == Method::Get, &usage)?;
                    let call = InsideCall { tenant: &tenant, ..call };
                    Box::pin(server.call_inside_once(call, &Arc::new(Usage::default()))).await
                }
                None => Err(fault),
            },
            (answered, _) => answered,
        }
    }

    async fn call_inside_once(&self, call: InsideCall<'_>, usage: &Arc<Usage>) -> Outcome<Response> {
        let InsideCall { tenant, caller, method, path, query, body, client, pool_client: whose } = call;
        let platform = &self.inner.platform;
        let found =
            self.inner.shared.routes.find(method, path, |entry| tenant.has_module(entry.module), None);
        let found = found.ok_or_else(no_module)?;
        let entry = found.entry;
        let wanted = Requirements::from_entry(entry, tenant.id.as_str(), &found.parameters);
        let who = caller.username.clone().unwrap_or_default();
        check_permissions(&wanted, &|permission| caller.permissions.has(permission), &who)?;
        self.check_disk_space(entry)?;
        usage.set_purpose(entry.work, Some(whose));
        let context = Context {
            platform: platform.clone(),
            tenant: Arc::clone(tenant),
            caller,
            now: self.now(),
            usage: Arc::clone(usage),
            dry_run: false,
        };
        let request = Request {
            context,
            method,
            path: path.to_owned(),
            dialect: entry.dialect,
            notation: entry.notation,
            parameters: found.parameters,
            query: query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            headers: Vec::new(),
            body: Body::from(body.map(|body| body.to_string().into_bytes()).unwrap_or_default()),
            client: client.to_string(),
        };
        let started = now();
        let ((answered, elsewhere), mut work) = Timed::new(pin!(run_handler(entry, request, ()))).await;
        work += elsewhere;
        let status = answered.as_ref().map_or_else(|fault| fault.status, |response| response.status);
        entry.counts.add(Answered { status, time: started.elapsed(), busy: work.time, usage });
        answered
    }
}

/// The routes of a server, for its own modules.
struct OwnRoutes(Weak<Inner>);

impl Server {
    /// Lets the modules of this server's platform call each other's routes. If two servers share a platform, the calls go to the first.
    pub(crate) fn offer_routes(&self) {
        let _ = self.inner.platform.routes.set(Box::new(OwnRoutes(Arc::downgrade(&self.inner))));
    }
}

impl Routes for OwnRoutes {
    fn call<'a>(&'a self, context: &'a Context, call: RouteCall<'a>) -> RouteFuture<'a> {
        let RouteCall { method, path, query, body, client } = call;
        Box::pin(async move {
            let inner = self.0.upgrade().ok_or_else(|| Fault::internal("the server has ended"))?;
            let call = InsideCall {
                tenant: &context.tenant,
                caller: context.caller.clone(),
                method,
                path,
                query,
                body,
                client: client.parse().unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
                pool_client: Client(context.caller.user_id.map_or(0, |user| user.as_u128())),
            };
            Server { inner }.call_inside(call).await
        })
    }
}
