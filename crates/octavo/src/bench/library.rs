//! The library that is measured: a tenant made as an operator makes one, over HTTP. It has FOLIO's reference records, the
//! branches, policies and rules of the demo library, and one member of staff, whose token goes with every measured request.

use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use octavo_lab::load::{Login, Session};
use octavo_modules::okapi::seed;
use octavo_pg::embedded::Embedded;
use serde_json::{Value, json};

use super::print_progress;
use super::private::as_superuser;
use super::scratch::Scratch;
use super::server::Server;

pub(crate) const TENANT: &str = "bench";
pub(crate) const STAFF: &str = "desk";
const STAFF_ID: &str = "00000000-1111-5555-9999-999999999992";

/// The enabled modules; their dependencies come with them.
pub(crate) const MODULES: &[&str] = &[
    "mod-calendar",
    "mod-circulation",
    "mod-configuration",
    "mod-data-import",
    "mod-di-converter-storage",
    "mod-entities-links",
    "mod-feesfines",
    "mod-inventory-storage",
    "mod-login",
    "mod-patron-blocks",
    "mod-permissions",
    "mod-quick-marc",
    "mod-source-record-manager",
    "mod-source-record-storage",
    "mod-users",
    "octavo-events",
];

const PERMISSIONS: &[&str] = &[
    "accounts.collection.get",
    "automated-patron-blocks.collection.get",
    "circulation.check-out-by-barcode.post",
    "circulation.check-in-by-barcode.post",
    "circulation.pick-slips.get",
    "circulation.renew-by-barcode.post",
    "circulation.requests.item.post",
    "circulation.requests.queue.collection.get",
    "circulation.requests.queue.reorder.collection.post",
    "change-manager.jobexecutions.get",
    "configuration.entries.item.post",
    "converter-storage.actionprofile.post",
    "converter-storage.jobprofile.post",
    "converter-storage.mappingprofile.post",
    "converter-storage.matchprofile.post",
    "data-import.upload.file.post",
    "data-import.uploaddefinitions.files.post",
    "data-import.uploaddefinitions.get",
    "data-import.uploaddefinitions.post",
    "instance-authority-links.authority-statistics.collection.get",
    "inventory-storage.items.batch.post",
    "inventory-storage.items.item.get",
    "inventory.items.collection.get",
    "marc-records-editor.item.get",
    "marc-records-editor.item.post",
    "marc-records-editor.item.put",
    "marc-records-editor.status.item.get",
    "login.item.post",
    "metadata-provider.logs.get",
    "octavo.events.all",
    "source-storage.sourceRecords.get",
    "usergroups.item.get",
    "users.collection.get",
    "users.item.post",
];

/// Records of the demo library that are left out: books and patrons, which the module `stock` makes in larger numbers, and records that
/// no measured call reads.
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

/// Makes the library, starts a server and logs a member of staff in. `fill` writes the records that have to exist before the measurement.
pub(crate) async fn start_server_with_library<T>(
    program: &Path,
    scratch: &Scratch,
    database: &Embedded,
    mail: Option<SocketAddr>,
    fill: impl AsyncFnOnce(&str) -> Result<T>,
) -> Result<(Server, Session, T)> {
    print_progress("making the library");
    let url = database.url();
    let server = Server::start(program, scratch.path(), &url).await?;
    let staff = make(&server, mail).await?;
    server.stop().await?;
    let filled = fill(&url).await?;
    // The filled tables are written to the disk now, so that this is not done during a measured operation.
    as_superuser(database, "checkpoint").await?;
    let server = Server::start(program, scratch.path(), &url).await?;
    let staff = staff.at_address(&server.address);
    Ok((server, staff, filled))
}

/// Makes the library and returns a member of staff. If there is a mail server, patrons get notices about their requests by e-mail; there
/// are no notices about loans.
async fn make(server: &Server, mail: Option<SocketAddr>) -> Result<Session> {
    let mut okapi = Session::with_token(&server.address, "", &server.operator_token().await?);
    post(&mut okapi, "/_/proxy/tenants", &json!({"id": TENANT, "name": "Benchmark"}), 201).await?;
    enable_modules(&mut okapi, MODULES).await?;
    let login = Login { username: STAFF.to_owned(), password: STAFF.to_owned() };
    let mut staff = Session::new(&server.address, TENANT, Some(login));
    create_branches_and_rules(&mut staff, mail).await?;
    create_staff(&mut staff).await?;
    enable_modules(&mut okapi, &["mod-authtoken"]).await?;
    staff.log_in().await?;
    Ok(staff)
}

async fn post(user: &mut Session, path: &str, body: &Value, status: u16) -> Result<()> {
    user.ask("POST", path, &body.to_string(), status).await.map(|_| ())
}

async fn enable_modules(okapi: &mut Session, modules: &[&str]) -> Result<()> {
    let enable: Vec<Value> = modules.iter().map(|id| json!({"id": id, "action": "enable"})).collect();
    let path = format!("/_/proxy/tenants/{TENANT}/install?tenantParameters=loadReference%3Dtrue");
    post(okapi, &path, &Value::Array(enable), 200).await
}

/// Branches, locations, policies and rules.
async fn create_branches_and_rules(library: &mut Session, mail: Option<SocketAddr>) -> Result<()> {
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
                    let rules =
                        json!({"rulesAsText": with_more_lines(rules, &rule_criteria_ids(library).await?)});
                    library.ask("PUT", "/circulation/rules", &rules.to_string(), 204).await?;
                }
                path => post(library, path, &record, 201).await?,
            }
        }
    }
    if let Some(server) = mail {
        let server = json!({
            "host": server.ip().to_string(), "port": server.port(), "username": "", "password": "", "ssl": false,
            "loginOption": "DISABLED", "startTlsOptions": "DISABLED", "from": "Harbour Library <desk@example.org>",
        });
        post(library, "/smtp-configuration", &server, 201).await?;
    }
    Ok(())
}

/// Rules of a library in use have about so many lines.
const RULE_LINES: usize = 200;

/// The ids of the loan types, material types and patron groups, which are the criteria of circulation rules.
async fn rule_criteria_ids(library: &mut Session) -> Result<[Vec<String>; 3]> {
    let mut kinds = [const { Vec::new() }; 3];
    let lists = [("/loan-types", "loantypes"), ("/material-types", "mtypes"), ("/groups", "usergroups")];
    for (ids, (path, name)) in kinds.iter_mut().zip(lists) {
        let list = library.ask("GET", &format!("{path}?limit=1000"), "", 200).await?.answer.json()?;
        let records = list[name].as_array().with_context(|| format!("{path} has no {name}"))?;
        ids.extend(records.iter().filter_map(|record| record["id"].as_str()).map(str::to_owned));
    }
    Ok(kinds)
}

/// Returns the rules with more lines, which every check-out has to look at: a line for each loan type (except that of the lent items),
/// material type and patron group, with the policies of the fallback line.
fn with_more_lines(rules: &str, [loan_types, materials, groups]: &[Vec<String>; 3]) -> String {
    let policies = rules.lines().find_map(|line| line.strip_prefix("fallback-policy: ")).unwrap_or_default();
    let others = loan_types.iter().filter(|id| *id != LOAN_TYPE_OF_STOCK);
    let lines = others.flat_map(|loan_type| {
        materials.iter().flat_map(move |material| {
            groups.iter().map(move |group| format!("t {loan_type} + m {material} + g {group}: {policies}"))
        })
    });
    let lines: Vec<String> = lines.take(RULE_LINES.saturating_sub(rules.lines().count())).collect();
    format!("{rules}\n{}\n", lines.join("\n"))
}

/// The loan type of what `stock` has on the shelves.
const LOAN_TYPE_OF_STOCK: &str = "2b94c631-fca9-4892-a730-03ee529ffe27";

async fn create_staff(library: &mut Session) -> Result<()> {
    let person = json!({"lastName": "Desk", "firstName": "Staff"});
    let user = json!({"id": STAFF_ID, "username": STAFF, "active": true, "personal": person});
    let credentials = json!({"username": STAFF, "password": STAFF});
    let granted = json!({"userId": STAFF_ID, "permissions": PERMISSIONS});
    post(library, "/users", &user, 201).await?;
    post(library, "/authn/credentials", &credentials, 201).await?;
    post(library, "/perms/users", &granted, 201).await?;
    Ok(())
}
