//! The tenant's side: its records are read, and changed by the calls that clients have, all in one transaction.

use std::collections::HashMap;
use std::sync::LazyLock;

use anyhow::{Result, anyhow};
use octavo_engine::{Context, Method, Module, Platform, create};
use octavo_gateway::{RouteTable, call_as_system};
use octavo_kernel::{Fault, Outcome};
use octavo_modules::MODULES;
use octavo_modules::facts::FACTS;
use octavo_pg::Statement;
use octavo_record::{RecordType, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::differ::{Action, KindDifferences, Step};
use super::kinds::{Calls, KINDS, Kind, RULES, RULES_TEXT};
use super::record::{Record, fill_in_secrets, is_wanted, source_file_body, to_file_form};
use super::show;
use crate::start::clock;

static ROUTES: LazyLock<RouteTable> = LazyLock::new(|| RouteTable::new(&FACTS, MODULES));

/// How long to wait for records that others have locked.
const SET_LOCK_TIMEOUT: &str = "set local lock_timeout = '20s'";

/// The most rounds of changes: a refused change is tried again after the others, because it may depend on them.
const MOST_ATTEMPTS: usize = 10;

/// A tenant within one transaction.
pub(super) struct Tenant {
    context: Context,
    /// Records as they are stored, by kind and key.
    stored: HashMap<(&'static str, String), Value>,
}

/// The result of the changes.
#[derive(Debug, Default)]
pub(super) struct ChangeResult {
    pub(super) refused: Vec<String>,
    /// Secrets that neither the tenant nor the files have.
    pub(super) without_secret: Vec<String>,
}

pub(super) fn record_of(kind: &Kind) -> Result<&'static RecordType> {
    let mut all = MODULES.iter().flat_map(|module| module.tables());
    all.find(|record| record.table == kind.table).ok_or_else(|| anyhow!("{} is no record type", kind.table))
}

/// The module whose records these are.
fn module_of(kind: &Kind) -> &'static str {
    let has = |module: &&&Module| module.tables().iter().any(|record| record.table == kind.table);
    MODULES.iter().find(has).map_or("", |module| module.name)
}

impl Tenant {
    /// Begins a transaction that only reads, and sees the tenant as it is at one moment.
    pub(super) async fn begin_read_only(platform: &Platform, tenant: &str) -> Result<Tenant> {
        Tenant::begin(platform, tenant, |_| {
            Ok(vec!["set transaction isolation level repeatable read read only".into()])
        })
        .await
    }

    /// Begins a transaction that locks the tables of these kinds: nobody else changes them until it ends.
    pub(super) async fn begin_locked(platform: &Platform, tenant: &str) -> Result<Tenant> {
        Tenant::begin(platform, tenant, |schema| {
            let mut tables = Vec::new();
            for kind in KINDS {
                tables.push(format!("{schema:?}.{}", table_name(record_of(kind)?)));
            }
            tables.sort_unstable();
            Ok(vec![
                SET_LOCK_TIMEOUT.into(),
                format!("lock table {} in share row exclusive mode", tables.join(", ")),
            ])
        })
        .await
    }

    async fn begin(
        platform: &Platform,
        tenant: &str,
        first: impl FnOnce(&str) -> Result<Vec<String>>,
    ) -> Result<Tenant> {
        let known = platform.tenants.get(tenant).await.map_err(fault_to_error)?;
        let inside = platform.enclosed();
        {
            let mut session = inside.database.system_session(Default::default()).await?;
            for sql in first(known.id.schema())? {
                session.script(&sql).await.map_err(|error| {
                    anyhow!(error).context("others are changing the configuration; try again")
                })?;
            }
        }
        let context = Context::for_server_task(&inside, tenant, clock()).await.map_err(fault_to_error)?;
        Ok(Tenant { context, stored: HashMap::new() })
    }

    /// The records of a kind, by label and key.
    pub(super) async fn read(&mut self, kind: &'static Kind) -> Result<Vec<Record>> {
        let record = record_of(kind)?;
        let sql = format!("select doc::text from {} order by id", table_name(record));
        let mut session = self.context.session().await.map_err(fault_to_error)?;
        let texts: Vec<String> = session.read(Statement::new(sql)).await?;
        drop(session);
        let mut records = Vec::new();
        for text in texts {
            let Some(stored) = record.parse_stored(Some(&text)).filter(|stored| is_wanted(kind, stored))
            else {
                continue;
            };
            let found = Record::new(kind, to_file_form(kind, &stored));
            self.stored.insert((kind.name, record_key(kind, &found)), stored);
            records.push(found);
        }
        let place = |record: &Record| match kind.calls {
            Calls::CustomFields => record.document["order"].as_i64(),
            _ => None,
        };
        records.sort_by(|one, other| {
            (place(one), one.label.to_lowercase(), &one.key).cmp(&(
                place(other),
                other.label.to_lowercase(),
                &other.key,
            ))
        });
        Ok(records)
    }

    /// Makes all changes, in rounds: a refused change is tried again, because it may depend on a later one.
    pub(super) async fn change_all(&self, all: &[KindDifferences]) -> Result<ChangeResult> {
        let mut outcomes = ChangeResult::default();
        let deletions = |wanted: bool| move |step: &&Step| (step.action == Action::Delete) == wanted;
        let first =
            all.iter().flat_map(|one| one.steps.iter().filter(deletions(false)).map(move |step| (one, step)));
        let last = all
            .iter()
            .rev()
            .flat_map(|one| one.steps.iter().filter(deletions(true)).map(move |step| (one, step)));
        let mut waiting: Vec<(&KindDifferences, &Step)> = first.chain(last).collect();
        for _ in 0..MOST_ATTEMPTS {
            let mut refused = Vec::new();
            outcomes.refused.clear();
            let before = waiting.len();
            for (differing, step) in waiting {
                if let Some(why) = self.try_step(differing, step, &mut outcomes).await? {
                    outcomes.refused.push(show::refusal_line(
                        &step.action,
                        differing.kind.name,
                        &step.record,
                        &why,
                    ));
                    refused.push((differing, step));
                }
            }
            if refused.is_empty() || refused.len() == before {
                break;
            }
            waiting = refused;
        }
        Ok(outcomes)
    }

    /// Makes one change; a refused change is rolled back. Returns the reason if it is refused.
    async fn try_step(
        &self,
        differing: &KindDifferences,
        step: &Step,
        outcomes: &mut ChangeResult,
    ) -> Result<Option<String>> {
        let kind = differing.kind;
        let stored = self.stored.get(&(kind.name, record_key(kind, &step.record)));
        let mut document = step.record.document.clone();
        let open = step.action != Action::Delete && fill_in_secrets(&mut document, stored);
        self.script("savepoint attempt").await?;
        match self.apply_step(differing, step, document, stored).await {
            Ok(()) => {
                self.script("release savepoint attempt").await?;
                let named = format!("{}{}", kind.name, step.record.display_name());
                if open && !outcomes.without_secret.contains(&named) {
                    outcomes.without_secret.push(named);
                }
                Ok(None)
            }
            Err(fault) => {
                self.script("rollback to savepoint attempt; release savepoint attempt").await?;
                let platform = &self.context.platform;
                platform.snapshots.invalidate_all();
                Ok(Some(show::fault_message(&fault)))
            }
        }
    }

    async fn apply_step(
        &self,
        differing: &KindDifferences,
        step: &Step,
        mut document: Value,
        stored: Option<&Value>,
    ) -> Outcome<()> {
        let kind = differing.kind;
        let record = record_of(kind).map_err(|error| Fault::internal(error.to_string()))?;
        let below = |key: &str| format!("{}/{key}", record.path);
        let key = step.record.key.as_str();
        if let (Some(version), true) = (stored.and_then(|stored| stored.get("_version")), record.locking) {
            document["_version"] = version.clone();
        }
        let is_new = step.action == Action::Create;
        if step.action == Action::Delete {
            return self.call(kind, Method::Delete, &below(key), None).await;
        }
        match kind.calls {
            Calls::Usual if is_new => self.call(kind, Method::Post, record.path, Some(document)).await,
            Calls::Usual => self.call(kind, Method::Put, &below(key), Some(document)).await,
            Calls::StoredFirst => {
                if is_new {
                    let mut session = self.context.session().await?;
                    create(&self.context, &mut session, record, document.clone()).await?;
                }
                self.call(kind, Method::Put, &below(key), Some(document)).await
            }
            Calls::CustomFields => self.put_custom_fields(differing, record, &document).await,
            Calls::PostReplaces => self.call(kind, Method::Post, record.path, Some(document)).await,
            Calls::PutReplaces => self.call(kind, Method::Put, record.path, Some(document)).await,
            Calls::SingleRecord(path) => {
                let id = stored.and_then(|stored| stored["id"].as_str());
                let id = id.ok_or_else(|| {
                    Fault::not_found_with("the tenant has not enabled the module that it belongs to")
                })?;
                document["id"] = json!(id);
                self.call(kind, Method::Put, &format!("{path}/{id}"), Some(document)).await
            }
            Calls::SourceFile if is_new => {
                self.call(kind, Method::Post, record.path, Some(source_file_body(&document, None))).await
            }
            Calls::SourceFile => {
                let before = stored.map(|stored| to_file_form(kind, stored));
                let mut patch = source_file_body(&document, before.as_ref());
                patch["_version"] = document["_version"].clone();
                self.call(kind, Method::Patch, &below(key), Some(patch)).await
            }
            Calls::Rules => {
                self.call(kind, Method::Put, RULES, Some(json!({RULES_TEXT: document[RULES_TEXT]}))).await
            }
        }
    }

    /// Changes one custom field with the call that takes all fields. The other fields keep their order.
    async fn put_custom_fields(
        &self,
        differing: &KindDifferences,
        record: &RecordType,
        document: &Value,
    ) -> Outcome<()> {
        let mut session = self.context.session().await?;
        let sql = format!("select doc::text from {} where doc ->> 'entityType' = $1", table_name(record));
        let entity = document["entityType"].as_str().unwrap_or_default();
        let mut fields: Vec<Value> = session.read(Statement::new(sql).text(entity)).await?;
        drop(session);
        let order = |field: &Value| {
            let step = differing.steps.iter().find(|step| step.record.document["id"] == field["id"]);
            step.map_or(&field["order"], |step| &step.record.document["order"]).as_i64().unwrap_or(i64::MAX)
        };
        fields.retain(|field| field["id"] != document["id"]);
        fields.push(document.clone());
        fields.sort_by_key(order);
        let body = json!({"entityType": entity, "customFields": fields});
        self.call(differing.kind, Method::Put, record.path, Some(body)).await
    }

    async fn call(&self, kind: &Kind, method: Method, path: &str, body: Option<Value>) -> Outcome<()> {
        call_as_system(&ROUTES, &self.context, module_of(kind), method, path, body.as_ref()).await.map(drop)
    }

    async fn script(&self, sql: &str) -> Result<()> {
        let mut session = self.context.session().await.map_err(fault_to_error)?;
        Ok(session.script(sql).await?)
    }

    /// Commits the transaction. Without this call all changes are rolled back.
    pub(super) async fn commit(self) -> Result<()> {
        self.script("commit").await
    }
}

/// The key of a record among the stored ones of its kind.
fn record_key(kind: &Kind, record: &Record) -> String {
    match kind.calls {
        Calls::SingleRecord(_) | Calls::Rules => String::new(),
        _ => record.key.clone(),
    }
}

fn fault_to_error(fault: Fault) -> anyhow::Error {
    anyhow!(fault)
}

/// Whether a text is an id as FOLIO writes them.
pub(super) fn is_id(text: &str) -> bool {
    Uuid::parse_str(text).is_ok()
}
