//! Logging a machine in: message 93 names a user of the library with their password, and the machine's service point.

use std::net::IpAddr;
use std::sync::Arc;

use octavo_cql::quote_term;
use octavo_engine::{Method, Snapshot, Tenant};
use octavo_gateway::{InsideCall, Server};
use octavo_kernel::{Caller, Outcome, Permissions};
use octavo_modules::login::{Credentials, log_in};
use octavo_pg::Client;
use octavo_sip2::Message;
use serde_json::Value;
use uuid::Uuid;

use crate::configuration::{self, Settings};
use crate::desk::{refused, request};
use crate::session::SignedIn;

/// Checks user and password as a log-in by HTTP does, with the same waits after wrong ones.
pub(crate) async fn sign_in(
    server: &Server,
    tenant: &str,
    (client, whose): (IpAddr, Client),
    asked: &Message,
) -> Outcome<SignedIn> {
    if asked.fixed("user_algorithm") != "0" || asked.fixed("password_algorithm") != "0" {
        return Err(refused("The terminal encrypts its name or password in a way that is not known"));
    }
    let (server, tenant) = &server.server_of_tenant(tenant).await?;
    let nobody = Caller::without_user(tenant.id.clone(), Permissions::default());
    let credentials = Credentials {
        username: Some(asked.text("CN").to_owned()),
        user_id: None,
        password: Some(asked.text("CO").to_owned()),
    };
    let user = log_in(&request(server, tenant, nobody, client), &credentials).await?;
    let snapshot = server.platform().snapshots.get(&tenant.id).await?;
    let service_point = find_service_point(&snapshot, asked.text("CP"))?;
    let settings = load_settings(server, tenant, (client, whose), service_point.as_deref()).await?;
    Ok(SignedIn {
        tenant: tenant.id.as_str().to_owned(),
        user: user.id,
        username: user.username,
        generation: user.generation,
        service_point,
        settings,
    })
}

/// Named by its id, as edge-sip2 has it, or by its code, which is short enough for any machine.
fn find_service_point(snapshot: &Snapshot, location: &str) -> Outcome<Option<String>> {
    if location.is_empty() {
        return Ok(None);
    }
    let id = Uuid::parse_str(location).ok();
    let mut points = snapshot.table("service_point");
    let found = points.find(|(known, point)| Some(**known) == id || point["code"] == location);
    let found = found.ok_or_else(|| refused(format!("No service point has the id or code {location}")))?;
    Ok(Some(found.0.to_string()))
}

/// The settings of the machines at a service point, as they are now. They are the library's for its machines, so the machine's user
/// needs no permission to read them.
pub(crate) async fn load_settings(
    server: &Server,
    tenant: &Arc<Tenant>,
    (client, whose): (IpAddr, Client),
    service_point: Option<&str>,
) -> Outcome<Settings> {
    let of_terminal = configuration::terminal_settings_name(service_point.unwrap_or_default());
    let names = format!("({} or {})", quote_term(configuration::TENANT_SETTINGS), quote_term(&of_terminal));
    let library = Caller::without_user(tenant.id.clone(), Permissions::all());
    let list = async |module: &str, path: &str, name: &str, query: String| -> Outcome<Vec<Value>> {
        if !tenant.has_module(module) {
            return Ok(Vec::new());
        }
        let call = InsideCall {
            tenant,
            caller: library.clone(),
            method: Method::Get,
            path,
            query: &[("query", &query), ("limit", "10")],
            body: None,
            client,
            pool_client: whose,
        };
        let response = server.call_inside(call).await?;
        let mut answer: Value = serde_json::from_slice(&response.body).unwrap_or_default();
        Ok(answer[name].as_array_mut().map(std::mem::take).unwrap_or_default())
    };
    let query = format!("scope=={} and key=={names}", quote_term(configuration::SCOPE));
    let entries = list("mod-settings", "/settings/entries", "items", query).await?;
    let query = format!("module=={} and configName=={names}", quote_term(configuration::MODULE));
    let older = list("mod-configuration", "/configurations/entries", "configs", query).await?;
    let stored = |wanted: &str| {
        let entry = entries.iter().find(|entry| entry["key"] == wanted);
        let older = || older.iter().find(|entry| entry["configName"] == wanted && entry["enabled"] != false);
        entry.or_else(older).map(|entry| entry["value"].clone())
    };
    let snapshot = server.platform().snapshots.get(&tenant.id).await?;
    Ok(Settings::read(&snapshot, stored(configuration::TENANT_SETTINGS), stored(&of_terminal)))
}
