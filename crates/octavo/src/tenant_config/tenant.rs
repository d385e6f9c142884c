//! The tenant's side: its records are read, and changed by the calls that clients have, all in one transaction.

use std::collections::HashMap;
use std::sync::LazyLock;

use anyhow::{Result, anyhow};
use octavo_engine::{Context, Method, Module, Platform, create};
use octavo_gateway::{RouteTable, within};
use octavo_kernel::{Fault, Outcome};
use octavo_modules::MODULES;
use octavo_modules::facts::FACTS;
use octavo_pg::Statement;
use octavo_record::{RecordType, table_name};
use serde_json::{Value, json};
use uuid::Uuid;

use super::differ::{Differing, Doing, Step};
use super::kinds::{KINDS, Kind, RULES, RULES_TEXT, Way};
use super::record::{Record, filled_in, is_wanted, of_source_file, shown};
use super::show;
use crate::start::clock;

static ROUTES: LazyLock<RouteTable> = LazyLock::new(|| RouteTable::new(&FACTS, MODULES));

/// How long the records may be locked by others.
const PATIENCE: &str = "set local lock_timeout = '20s'";

/// How often what was refused is tried again after the rest, because it may have waited for that.
const ROUNDS: usize = 10;

/// A tenant within one transaction.
pub(super) struct Tenant {
    context: Context,
    /// Records as they are stored, by kind and key.
    stored: HashMap<(&'static str, String), Value>,
}

/// What came of the changes.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    pub(super) refused: Vec<String>,
    /// Secrets that the tenant does not have and the files do not tell.
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
    /// Of one moment, to be read only.
    pub(super) async fn at_one_moment(platform: &Platform, tenant: &str) -> Result<Tenant> {
        Tenant::within(platform, tenant, |_| {
            Ok(vec!["set transaction isolation level repeatable read read only".into()])
        })
        .await
    }

    /// Nobody else changes these kinds until the transaction ends.
    pub(super) async fn locked(platform: &Platform, tenant: &str) -> Result<Tenant> {
        Tenant::within(platform, tenant, |schema| {
            let mut tables = Vec::new();
            for kind in KINDS {
                tables.push(format!("{schema:?}.{}", table_name(record_of(kind)?)));
            }
            tables.sort_unstable();
            Ok(vec![PATIENCE.into(), format!("lock table {} in share row exclusive mode", tables.join(", "))])
        })
        .await
    }

    async fn within(
        platform: &Platform,
        tenant: &str,
        first: impl FnOnce(&str) -> Result<Vec<String>>,
    ) -> Result<Tenant> {
        let known = platform.tenants.get(tenant).await.map_err(in_words)?;
        let inside = platform.enclosed();
        {
            let mut session = inside.database.system(Default::default()).await?;
            for sql in first(known.id.schema())? {
                session.script(&sql).await.map_err(|error| {
                    anyhow!(error).context("others are changing the configuration; try again")
                })?;
            }
        }
        let context = Context::of_the_server(&inside, tenant, clock()).await.map_err(in_words)?;
        Ok(Tenant { context, stored: HashMap::new() })
    }

    /// The records of a kind, by label and key.
    pub(super) async fn read(&mut self, kind: &'static Kind) -> Result<Vec<Record>> {
        let record = record_of(kind)?;
        let sql = format!("select doc::text from {} order by id", table_name(record));
        let mut session = self.context.session().await.map_err(in_words)?;
        let texts: Vec<String> = session.read(Statement::new(sql)).await?;
        drop(session);
        let mut records = Vec::new();
        for text in texts {
            let Some(stored) = record.read(Some(&text)).filter(|stored| is_wanted(kind, stored)) else {
                continue;
            };
            let found = Record::new(kind, shown(kind, &stored));
            self.stored.insert((kind.name, key(kind, &found)), stored);
            records.push(found);
        }
        let place = |record: &Record| match kind.way {
            Way::CustomFields => record.document["order"].as_i64(),
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

    /// Does everything, in rounds: what is refused may have to wait for something that comes later.
    pub(super) async fn change(&self, all: &[Differing]) -> Result<Outcomes> {
        let mut outcomes = Outcomes::default();
        let deletions = |wanted: bool| move |step: &&Step| (step.doing == Doing::Delete) == wanted;
        let first =
            all.iter().flat_map(|one| one.steps.iter().filter(deletions(false)).map(move |step| (one, step)));
        let last = all
            .iter()
            .rev()
            .flat_map(|one| one.steps.iter().filter(deletions(true)).map(move |step| (one, step)));
        let mut waiting: Vec<(&Differing, &Step)> = first.chain(last).collect();
        for _ in 0..ROUNDS {
            let mut refused = Vec::new();
            outcomes.refused.clear();
            let before = waiting.len();
            for (differing, step) in waiting {
                if let Some(why) = self.attempt(differing, step, &mut outcomes).await? {
                    outcomes.refused.push(show::refused(
                        &step.doing,
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

    /// One change; what is refused leaves nothing behind. Returns why it is refused.
    async fn attempt(
        &self,
        differing: &Differing,
        step: &Step,
        outcomes: &mut Outcomes,
    ) -> Result<Option<String>> {
        let kind = differing.kind;
        let stored = self.stored.get(&(kind.name, key(kind, &step.record)));
        let mut document = step.record.document.clone();
        let open = step.doing != Doing::Delete && filled_in(&mut document, stored);
        self.script("savepoint attempt").await?;
        match self.carry_out(differing, step, document, stored).await {
            Ok(()) => {
                self.script("release savepoint attempt").await?;
                let named = format!("{}{}", kind.name, step.record.named());
                if open && !outcomes.without_secret.contains(&named) {
                    outcomes.without_secret.push(named);
                }
                Ok(None)
            }
            Err(fault) => {
                self.script("rollback to savepoint attempt; release savepoint attempt").await?;
                let platform = &self.context.platform;
                platform.snapshots.forget_all();
                Ok(Some(show::words(&fault)))
            }
        }
    }

    async fn carry_out(
        &self,
        differing: &Differing,
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
        let is_new = step.doing == Doing::Create;
        if step.doing == Doing::Delete {
            return self.call(kind, Method::Delete, &below(key), None).await;
        }
        match kind.way {
            Way::Usual if is_new => self.call(kind, Method::Post, record.path, Some(document)).await,
            Way::Usual => self.call(kind, Method::Put, &below(key), Some(document)).await,
            Way::StoredFirst => {
                if is_new {
                    let mut session = self.context.session().await?;
                    create(&self.context, &mut session, record, document.clone()).await?;
                }
                self.call(kind, Method::Put, &below(key), Some(document)).await
            }
            Way::CustomFields => self.custom_fields(differing, record, &document).await,
            Way::Posted => self.call(kind, Method::Post, record.path, Some(document)).await,
            Way::Put => self.call(kind, Method::Put, record.path, Some(document)).await,
            Way::One(path) => {
                let id = stored.and_then(|stored| stored["id"].as_str());
                let id = id.ok_or_else(|| {
                    Fault::missing("the tenant has not enabled the module that it belongs to")
                })?;
                document["id"] = json!(id);
                self.call(kind, Method::Put, &format!("{path}/{id}"), Some(document)).await
            }
            Way::SourceFile if is_new => {
                self.call(kind, Method::Post, record.path, Some(of_source_file(&document, None))).await
            }
            Way::SourceFile => {
                let before = stored.map(|stored| shown(kind, stored));
                let mut patch = of_source_file(&document, before.as_ref());
                patch["_version"] = document["_version"].clone();
                self.call(kind, Method::Patch, &below(key), Some(patch)).await
            }
            Way::Rules => {
                self.call(kind, Method::Put, RULES, Some(json!({RULES_TEXT: document[RULES_TEXT]}))).await
            }
        }
    }

    /// One field changes among those that are there, which keep their order; fields have the place that their files say.
    async fn custom_fields(
        &self,
        differing: &Differing,
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
        within(&ROUTES, &self.context, module_of(kind), method, path, body.as_ref()).await.map(drop)
    }

    async fn script(&self, sql: &str) -> Result<()> {
        let mut session = self.context.session().await.map_err(in_words)?;
        Ok(session.script(sql).await?)
    }

    /// Keeps what was changed. Without it nothing is.
    pub(super) async fn commit(self) -> Result<()> {
        self.script("commit").await
    }
}

/// The key of a record among the stored ones of its kind.
fn key(kind: &Kind, record: &Record) -> String {
    match kind.way {
        Way::One(_) | Way::Rules => String::new(),
        _ => record.key.clone(),
    }
}

fn in_words(fault: Fault) -> anyhow::Error {
    anyhow!(fault)
}

/// Whether a text is an id as FOLIO writes them.
pub(super) fn is_id(text: &str) -> bool {
    Uuid::parse_str(text).is_ok()
}
