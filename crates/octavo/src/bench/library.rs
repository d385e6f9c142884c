//! The library that is measured: a tenant made as an operator makes one, over HTTP. It has FOLIO's reference records, the
//! branches, policies and rules of the demo library, and one member of staff, whose token goes with every measured request.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use octavo_modules::okapi::seed;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::http::{Connection, request};
use super::server::Server;

pub(crate) const TENANT: &str = "bench";
const STAFF: &str = "desk";
const STAFF_ID: &str = "00000000-1111-5555-9999-999999999992";

/// Their dependencies come with them.
const MODULES: &[&str] = &[
    "mod-calendar",
    "mod-circulation",
    "mod-configuration",
    "mod-feesfines",
    "mod-inventory-storage",
    "mod-login",
    "mod-patron-blocks",
    "mod-permissions",
    "mod-users",
];

const PERMISSIONS: &[&str] = &[
    "circulation.check-out-by-barcode.post",
    "circulation.check-in-by-barcode.post",
    "circulation.pick-slips.get",
    "circulation.renew-by-barcode.post",
    "circulation.requests.item.post",
    "circulation.requests.queue.collection.get",
    "circulation.requests.queue.reorder.collection.post",
    "configuration.entries.item.post",
    "inventory-storage.items.item.get",
];

/// Of the demo library's records: books and patrons, of which `stock` brings more, and what no measured operation reads.
const LEFT_OUT: &[&str] = &[
    "/instance-storage/instances",
    "/holdings-storage/holdings",
    "/item-storage/items",
    "/users",
    "/proxiesfor",
    "/owners",
    "/feefines",
    "/payments",
    "/waives",
];

const RULES: &str = "/circulation-rules-storage";
const NOTICE_POLICIES: &str = "/patron-notice-policy-storage/patron-notice-policies";

/// A client with the headers that go with each of its requests.
pub(crate) struct Client {
    connection: Connection,
    headers: String,
}

impl Client {
    pub(crate) async fn new(address: SocketAddr, headers: String) -> Result<Client> {
        Ok(Client { connection: Connection::open(address).await?, headers })
    }

    /// Sends, and fails unless the answer has this status. Returns its body, and the value of a header of it.
    async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
        status: u16,
    ) -> Result<(Value, Option<String>)> {
        let told = format!("{method} {path} {body}");
        let mut bytes = Vec::new();
        request(&mut bytes, method, path, &self.headers, &body.to_string());
        let answer = timeout(Duration::from_secs(120), self.connection.exchange(&bytes)).await;
        let answer = answer.with_context(|| format!("no answer: {told}"))?.with_context(|| told.clone())?;
        answer.expect(status, &told)?;
        let token = answer.header("x-okapi-token").map(str::to_owned);
        Ok((if answer.body.is_empty() { Value::Null } else { answer.json()? }, token))
    }
}

/// Makes the library and returns the header lines of a member of staff. Where there is a mail server, patrons are told by it
/// what becomes of their requests; of loans nobody is told anything.
pub(crate) async fn make(server: &Server, mail: Option<SocketAddr>) -> Result<String> {
    let address = server.address;
    let operator = server.operator().await?;
    let mut okapi = Client::new(address, format!("X-Okapi-Token: {operator}\r\n")).await?;
    okapi.send("POST", "/_/proxy/tenants", &json!({"id": TENANT, "name": "Benchmark"}), 201).await?;
    install(&mut okapi, MODULES).await?;
    let mut library = Client::new(address, format!("X-Okapi-Tenant: {TENANT}\r\n")).await?;
    furnish(&mut library, mail).await?;
    employ(&mut library).await?;
    install(&mut okapi, &["mod-authtoken"]).await?;
    let log_in = json!({"username": STAFF, "password": STAFF});
    let (_, token) = library.send("POST", "/authn/login", &log_in, 201).await?;
    let token = token.context("logging in gave no token")?;
    Ok(format!("X-Okapi-Tenant: {TENANT}\r\nX-Okapi-Token: {token}\r\nAccept: application/json\r\n"))
}

async fn install(okapi: &mut Client, modules: &[&str]) -> Result<()> {
    let enable: Vec<Value> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
    let path = format!("/_/proxy/tenants/{TENANT}/install?tenantParameters=loadReference%3Dtrue");
    okapi.send("POST", &path, &Value::Array(enable), 200).await.map(|_| ())
}

/// Branches, locations, policies and rules.
async fn furnish(library: &mut Client, mail: Option<SocketAddr>) -> Result<()> {
    for seed in seed::manifest("demo").iter().filter(|seed| !LEFT_OUT.contains(&seed.path.as_str())) {
        for mut record in seed::records(&seed.file).map_err(|fault| anyhow!(fault))? {
            if seed.path == NOTICE_POLICIES {
                record["loanNotices"] = json!([]);
                if mail.is_none() {
                    record["requestNotices"] = json!([]);
                }
            }
            match seed.path.as_str() {
                RULES => {
                    let rules = record["rulesAsText"].as_str().context("no rules")?;
                    let rules = json!({"rulesAsText": with_more(rules, &kinds(library).await?)});
                    library.send("PUT", "/circulation/rules", &rules, 204).await?
                }
                path => library.send("POST", path, &record, 201).await?,
            };
        }
    }
    if let Some(server) = mail {
        let server = json!({
            "host": server.ip().to_string(), "port": server.port(), "username": "", "password": "", "ssl": false,
            "loginOption": "DISABLED", "startTlsOptions": "DISABLED", "from": "Harbour Library <desk@example.org>",
        });
        library.send("POST", "/smtp-configuration", &server, 201).await?;
    }
    Ok(())
}

/// Rules of a library in use have about so many lines.
const LINES: usize = 200;

/// Ids of what rules choose by: loan types, kinds of material, patron groups.
async fn kinds(library: &mut Client) -> Result<[Vec<String>; 3]> {
    let mut kinds = [const { Vec::new() }; 3];
    let lists = [("/loan-types", "loantypes"), ("/material-types", "mtypes"), ("/groups", "usergroups")];
    for (ids, (path, name)) in kinds.iter_mut().zip(lists) {
        let (list, _) = library.send("GET", &format!("{path}?limit=1000"), &Value::Null, 200).await?;
        let records = list[name].as_array().with_context(|| format!("{path} has no {name}"))?;
        ids.extend(records.iter().filter_map(|record| record["id"].as_str()).map(str::to_owned));
    }
    Ok(kinds)
}

/// The rules, and lines that every check-out has to look at: for each loan type but that of what is lent, kind of material and
/// patron group, what the rules say of all others.
fn with_more(rules: &str, [loan_types, materials, groups]: &[Vec<String>; 3]) -> String {
    let policies = rules.lines().find_map(|line| line.strip_prefix("fallback-policy: ")).unwrap_or_default();
    let others = loan_types.iter().filter(|id| *id != LENT_AS);
    let lines = others.flat_map(|loan_type| {
        materials.iter().flat_map(move |material| {
            groups.iter().map(move |group| format!("t {loan_type} + m {material} + g {group}: {policies}"))
        })
    });
    let lines: Vec<String> = lines.take(LINES.saturating_sub(rules.lines().count())).collect();
    format!("{rules}\n{}\n", lines.join("\n"))
}

/// The loan type of what `stock` has on the shelves.
const LENT_AS: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";

async fn employ(library: &mut Client) -> Result<()> {
    let person = json!({"lastName": "Desk", "firstName": "Staff"});
    let user = json!({"id": STAFF_ID, "username": STAFF, "active": true, "personal": person});
    let credentials = json!({"username": STAFF, "password": STAFF});
    let granted = json!({"userId": STAFF_ID, "permissions": PERMISSIONS});
    library.send("POST", "/users", &user, 201).await?;
    library.send("POST", "/authn/credentials", &credentials, 201).await?;
    library.send("POST", "/perms/users", &granted, 201).await?;
    Ok(())
}
