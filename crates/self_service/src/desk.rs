//! The calls of FOLIO's interface that answer one message, made as the user as whom the machine has logged in.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use octavo_engine::{Body, Context, Dialect, Grant, Method, Notation, Request, Response, Tenant};
use octavo_gateway::{InsideCall, Server};
use octavo_kernel::{Caller, Fault, Outcome, Permissions, Refusal};
use octavo_modules_base::grants;
use octavo_pg::{Client, Usage};
use serde_json::Value;

use crate::configuration::Settings;
use crate::session::{SignedIn, Verified};

/// The most records of one kind that are read for a message.
pub(crate) const MOST_RECORDS: usize = 100;

pub(crate) struct Desk<'a> {
    server: Server,
    tenant: Arc<Tenant>,
    caller: Caller,
    client: IpAddr,
    whose: Client,
    pub(crate) now: Timestamp,
    pub(crate) signed_in: &'a SignedIn,
    /// The patron who has shown a password or PIN to this machine.
    pub(crate) verified: &'a mut Option<Verified>,
}

/// Records of one kind, and how many there are.
pub(crate) struct Found {
    pub(crate) records: Vec<Value>,
    pub(crate) total: usize,
}

impl<'a> Desk<'a> {
    /// `None` if the user may no longer be logged in: inactive, deleted, or with a new password.
    pub(crate) async fn open(
        server: &Server,
        (client, whose): (IpAddr, Client),
        signed_in: &'a SignedIn,
        verified: &'a mut Option<Verified>,
    ) -> Outcome<Option<Desk<'a>>> {
        let (server, tenant) = server.server_of_tenant(&signed_in.tenant).await?;
        let standing = grants::standing(server.platform(), &tenant, signed_in.user).await?;
        let permissions = match &standing.grant {
            Grant::Inactive | Grant::Unknown => return Ok(None),
            _ if !standing.sessions.accept(None, signed_in.generation) => return Ok(None),
            Grant::Active { permissions } => permissions.clone(),
            Grant::NoPermissions => Permissions::default(),
        };
        let caller = Caller {
            tenant: tenant.id.clone(),
            user_id: Some(signed_in.user),
            username: Some(signed_in.username.clone()),
            session: None,
            permissions,
        };
        let now = server.now();
        Ok(Some(Desk { server, tenant, caller, client, whose, now, signed_in, verified }))
    }

    pub(crate) fn settings(&self) -> &'a Settings {
        &self.signed_in.settings
    }

    /// The service point of the machine, without which nothing circulates.
    pub(crate) fn service_point(&self) -> Outcome<&'a str> {
        let told = self.signed_in.service_point.as_deref();
        told.ok_or_else(|| refused("This terminal has logged in without a service point (location code)"))
    }

    /// One call, answered in JSON; null for an answer without a body.
    pub(crate) async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Outcome<Value> {
        self.send(method, path, &[], body).await?.json_value()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Outcome<Value> {
        self.call(Method::Post, path, Some(body)).await
    }

    /// The records that a CQL query finds, at most `most` of them.
    pub(crate) async fn find(&self, path: &str, name: &str, cql: &str, most: usize) -> Outcome<Found> {
        self.find_as(self.caller.clone(), path, name, cql, most).await
    }

    /// Finds records that no answer shows, so that the machine's user needs no permission to read them.
    pub(crate) async fn find_unshown(
        &self,
        path: &str,
        name: &str,
        cql: &str,
        most: usize,
    ) -> Outcome<Found> {
        let library = Caller::without_user(self.tenant.id.clone(), Permissions::all());
        self.find_as(library, path, name, cql, most).await
    }

    async fn find_as(
        &self,
        caller: Caller,
        path: &str,
        name: &str,
        cql: &str,
        most: usize,
    ) -> Outcome<Found> {
        let limit = most.min(MOST_RECORDS).to_string();
        let query = [("query", cql), ("limit", &*limit)];
        let response = self.respond_as(caller, Method::Get, path, &query, None).await?;
        let mut answer = response.json_value()?;
        let total = answer["totalRecords"].as_u64().and_then(|total| usize::try_from(total).ok());
        let Value::Array(records) = answer[name].take() else {
            return Err(Fault::internal(format!("{path} answers without {name}")));
        };
        Ok(Found { total: total.unwrap_or(records.len()).max(records.len()), records })
    }

    /// The first record that a CQL query finds. Two are requested: if there is only one, as in most cases, the total needs no counting.
    pub(crate) async fn first(&self, path: &str, name: &str, cql: &str) -> Outcome<Option<Value>> {
        Ok(self.find(path, name, cql, 2).await?.records.into_iter().next())
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Outcome<Response> {
        self.respond_as(self.caller.clone(), method, path, query, body).await
    }

    async fn respond_as(
        &self,
        caller: Caller,
        method: Method,
        path: &str,
        query: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Outcome<Response> {
        let call = InsideCall {
            tenant: &self.tenant,
            caller,
            method,
            path,
            query,
            body,
            client: self.client,
            pool_client: self.whose,
        };
        let answered = self.server.call_inside(call).await;
        if let Err(fault) = &answered {
            match fault.status {
                // Says which permission is lacking. Staff can give it; a patron at the machine cannot.
                403 => {
                    tracing::warn!(user = %self.signed_in.user, why = fault.body.render(), "a terminal may not do that");
                }
                500.. => {
                    tracing::error!(path, cause = ?fault.cause().map(ToString::to_string), "a call failed");
                }
                _ => {}
            }
        }
        answered
    }

    /// A request for a check that goes through no route, such as that of a patron's password.
    pub(crate) fn request(&self) -> Request {
        request(&self.server, &self.tenant, self.caller.clone(), self.client)
    }
}

/// A request that goes through no route.
pub(crate) fn request(server: &Server, tenant: &Arc<Tenant>, caller: Caller, client: IpAddr) -> Request {
    let context = Context {
        platform: server.platform().clone(),
        tenant: Arc::clone(tenant),
        caller,
        now: server.now(),
        usage: Arc::<Usage>::default(),
        dry_run: false,
    };
    Request {
        context,
        method: Method::Post,
        path: String::new(),
        dialect: Dialect::Rmb,
        notation: Notation::COMPACT,
        parameters: Vec::new(),
        query: Vec::new(),
        headers: Vec::new(),
        body: Body::default(),
        client: client.to_string(),
    }
}

/// A refusal whose words the machine shows, as opposed to a failure of the server.
pub(crate) fn refused(words: impl Into<String>) -> Fault {
    Refusal::new(words).into()
}
