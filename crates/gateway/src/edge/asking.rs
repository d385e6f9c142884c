//! Answers a call with an API key: checks the key, then calls the module's route as the key's user.

use std::borrow::Cow;
use std::sync::Arc;

use hyper::http::request::Parts;
use octavo_engine::{
    Body, Context, EdgeCall, EdgeModule, EdgeRequest, Notation, Request, Response, invalid_key_fault,
};
use octavo_kernel::{Caller, Fault, Outcome, Permissions};
use octavo_modules_base::api_keys::ApiKey;
use octavo_pg::Usage;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{EdgeFound, edges, without_key};
use crate::arriving::RequestBody;
use crate::clients::Client;
use crate::counting::RequestState;
use crate::routes::{Found, no_module};
use crate::security;
use crate::server::{Server, describe_request, fault_response};

/// The path of a route with the values of its parameters.
fn fill_pattern(pattern: &str, parameters: &[String]) -> String {
    let mut parameters = parameters.iter();
    let segments = pattern.split('/').map(|segment| match segment.starts_with('{') {
        true => {
            let value = parameters.next().map(String::as_str).unwrap_or_default();
            Cow::Owned(utf8_percent_encode(value, NON_ALPHANUMERIC).to_string())
        }
        false => Cow::Borrowed(segment),
    });
    segments.collect::<Vec<_>>().join("/")
}

impl Server {
    /// Calls the module's route as the key's user, and answers in the form of the edge module.
    pub(crate) async fn answer_edge_call(
        &self,
        found: EdgeFound,
        head: &Parts,
        arriving: &mut RequestBody,
        (client, usage): (Client, Arc<Usage>),
        counting: &mut RequestState<'_>,
    ) -> Response {
        let EdgeFound { edge, call, key, mut request } = found;
        let asked =
            self.call_route((edge, call), key, &mut request, arriving, (client, usage), counting).await;
        let named =
            || describe_request(&head.method, without_key(edges(&self.inner.platform), head.uri.path()));
        (edge.render_response)(&request, asked.unwrap_or_else(|fault| fault_response(&fault, named)))
    }

    async fn call_route(
        &self,
        (edge, call): (&'static EdgeModule, &'static EdgeCall),
        key: Option<String>,
        request: &mut EdgeRequest,
        arriving: &mut RequestBody,
        (client, usage): (Client, Arc<Usage>),
        counting: &mut RequestState<'_>,
    ) -> Outcome<Response> {
        let key = key.as_deref().and_then(ApiKey::read).ok_or_else(invalid_key_fault)?;
        // An unknown tenant gets the same answer as any other wrong key.
        let unknown = |fault: Fault| if fault.status == 400 { invalid_key_fault() } else { fault };
        let (server, tenant) = self.server_of_tenant(&key.tenant).await.map_err(unknown)?;
        let platform = &server.inner.platform;
        let now = (self.inner.shared.clock)();
        let Some(caller) = key.authenticate(platform, &tenant, edge.name, &usage).await? else {
            security::note_unknown_key(platform, &tenant, edge.name, (client, now));
            return Err(invalid_key_fault());
        };
        let (method, pattern) = call.route;
        let route = self.route_by_pattern(method, pattern, &tenant);
        let Found { entry, .. } = route.ok_or_else(no_module)?;
        counting.set_route(Arc::clone(&tenant), entry, now);
        let caller = narrow_permissions(caller, &entry.required)?;
        self.check_disk_space(entry)?;
        let mut share = self.inner.shared.budget.share(client.address, Some(&tenant.id));
        let most = self.inner.limits.open_body_bytes.min(self.inner.limits.body_bytes);
        let body = arriving.read(most, &mut share).await?;
        let (body, turn) = self.reserve_body(body, Notation::COMPACT, &mut share).await?;
        request.body = body;
        usage.set_purpose(entry.work, caller.user_id.map(|user| octavo_pg::Client(user.as_u128())));
        let context = Context { platform: platform.clone(), tenant, caller, now, usage, dry_run: false };
        let ask = (call.make_request)(&context, request).await?;
        let request = Request {
            context,
            method,
            path: fill_pattern(pattern, &ask.parameters),
            dialect: entry.dialect,
            notation: entry.notation,
            parameters: ask.parameters,
            query: ask.query,
            headers: Vec::new(),
            body: Body::from(ask.body),
            client: client.address.to_string(),
        };
        // A copy, should the tenant move meanwhile; it takes of the memory for bodies, too.
        let again = match &self.inner.shared.database_servers {
            Some(_) => {
                let of_tenant = Some(&request.context.tenant.id);
                let mut share = self.inner.shared.budget.share(client.address, of_tenant);
                share.reserve(request.body.len())?;
                request.duplicate().map(|request| (request, share))
            }
            None => None,
        };
        let answered = server.carry_out(entry, request, (turn, share), counting).await;
        let answered = match (answered, again) {
            (Err(fault), Some((mut request, share))) => {
                match server.find_moved_tenant(&fault, &Arc::clone(&request.context.tenant)).await {
                    Some((server, tenant)) => {
                        request.context.platform = server.inner.platform.clone();
                        request.context.tenant = tenant;
                        Box::pin(server.carry_out(entry, request, (None, share), counting)).await
                    }
                    None => Err(fault),
                }
            }
            (answered, _) => answered,
        };
        let named = || format!("{} {} ({method} {pattern})", edge.name, call.path);
        Ok(answered.unwrap_or_else(|fault| entry.notation.format_response(fault_response(&fault, named))))
    }
}

/// The caller with the permissions that the route asks for and no others.
fn narrow_permissions(caller: Caller, required: &[&str]) -> Outcome<Caller> {
    if let Some(lacking) = required.iter().find(|permission| !caller.permissions.has(permission)) {
        let who = caller.username.as_deref().unwrap_or_default();
        let id = caller.user_id.map(|id| id.to_string()).unwrap_or_default();
        return Err(Fault::text(
            403,
            format!("Access for user '{who}' ({id}) requires permission: {lacking}"),
        ));
    }
    let permissions = Permissions::new(required.iter().map(|name| (*name).to_owned()).collect());
    Ok(Caller { permissions, ..caller })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_gives_the_permissions_of_its_route_alone() {
        let caller = Caller {
            tenant: octavo_kernel::TenantId::parse("t").unwrap(),
            user_id: None,
            username: Some("u".to_owned()),
            session: None,
            permissions: Permissions::new(["a", "b"].map(str::to_owned).into()),
        };
        let has = |permissions: &Permissions| ["a", "b", "c"].map(|name| permissions.has(name));
        assert_eq!(
            has(&narrow_permissions(caller.clone(), &["a"]).unwrap().permissions),
            [true, false, false]
        );
        let fault = narrow_permissions(caller, &["a", "c"]).unwrap_err();
        assert_eq!(
            (fault.status, fault.body.render()),
            (403, "Access for user 'u' () requires permission: c".into())
        );
    }

    #[test]
    fn a_path_is_filled_with_what_was_in_another() {
        let parameters = ["a/b c".to_owned(), "2".to_owned()];
        assert_eq!(fill_pattern("/x/{id}/y/{other}/z", &parameters), "/x/a%2Fb%20c/y/2/z");
    }
}
