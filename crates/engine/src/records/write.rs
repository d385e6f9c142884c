//! The last step of a change: the document into its table, the records that depend on it after it, and word of it to every
//! process, all in one transaction; what the database refuses, in FOLIO's words.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Session, Statement};
use octavo_record::{Dependents, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{Doing, fault_of};
use super::statements;
use crate::Context;
use crate::platform::Change as Told;
use crate::tenants::notify;

/// A document on its way into its table.
pub(super) struct Change<'a> {
    pub(super) doing: Doing,
    pub(super) record: &'static RecordType,
    pub(super) id: Uuid,
    pub(super) document: &'a Value,
}

impl Change<'_> {
    pub(super) async fn write(
        &self,
        context: &Context,
        session: &mut Session,
        mut changes: Vec<Statement>,
        dependents: Option<Dependents>,
    ) -> Outcome<()> {
        let follow = follow_ups(context, self.record, self.id);
        let answer = match dependents {
            Some(dependents) => self.with_dependents(session, changes, dependents, follow).await,
            None => {
                changes.extend(follow);
                let alone = changes.len() == 1;
                let answer =
                    if alone { session.batch(changes).await } else { session.transaction(changes).await };
                answer.map(drop)
            }
        };
        match answer {
            Ok(()) => {
                announce(context, self.record, self.id);
                Ok(())
            }
            Err(error) if error.is_conflict() => Err(Fault::text(409, error.to_string())),
            Err(DbError::Refused { code, message, .. }) if code == "22P02" => {
                Err(octavo_kernel::Refusal::new(message).kind("1").code("-1").into())
            }
            Err(error) => {
                let all = context.platform.record_types();
                Err(fault_of(error, self.doing, self.record, all, self.document))
            }
        }
    }

    /// Two round trips: the change with the records that depend on it, then these computed anew.
    async fn with_dependents(
        &self,
        session: &mut Session,
        mut changes: Vec<Statement>,
        dependents: Dependents,
        follow: Vec<Statement>,
    ) -> Result<(), DbError> {
        changes.push(statements::dependents(dependents.of, dependents.field, self.id));
        let read = session.begin(changes).await;
        let rows = match read {
            Ok(mut answers) => answers.pop().unwrap_or_default(),
            Err(error) => {
                session.rollback().await?;
                return Err(error);
            }
        };
        let mut documents = Vec::with_capacity(rows.len());
        for row in &rows {
            let Some(mut document) = row.json(1) else { continue };
            (dependents.change)(&mut document, self.document);
            if dependents.of.locking {
                document["_version"] = json!(document["_version"].as_i64().unwrap_or(0) + 1);
            }
            if dependents.of.schema().metadata {
                for name in ["updatedDate", "updatedByUserId"] {
                    if let Some(value) = self.document["metadata"].get(name) {
                        document["metadata"][name] = value.clone();
                    }
                }
            }
            documents.push((row.uuid(0), document));
        }
        let mut last = vec![statements::overwrite_all(dependents.of, &documents)];
        last.extend(follow);
        session.commit(last).await.map(drop)
    }
}

/// What goes with a change so that every process learns of it; for changes that are made by SQL of a module's own.
pub fn follow_ups(context: &Context, record: &RecordType, id: Uuid) -> Vec<Statement> {
    let tenant = &context.tenant.id;
    let mut statements = Vec::new();
    if record.snapshot {
        statements.push(Statement::new("update snapshot_version set version = version + 1"));
        statements.push(notify(tenant, Told::SNAPSHOT));
    }
    if let Some(change) = grants(record, id) {
        statements.push(notify(tenant, &change));
    }
    statements
}

/// The same for this process, at once; after the change.
pub fn announce(context: &Context, record: &RecordType, id: Uuid) {
    if record.snapshot {
        context.platform.snapshots.forget(&context.tenant.id);
    }
    if let Some(change) = grants(record, id) {
        context.platform.changed(&format!("{} {change}", context.tenant.id));
    }
}

/// Records on which a user's permissions rest.
fn grants(record: &RecordType, id: Uuid) -> Option<String> {
    match record.grants {
        octavo_record::Grants::Nothing => None,
        octavo_record::Grants::OneUser if !id.is_nil() => Some(format!("{} {id}", Told::GRANTS)),
        _ => Some(Told::GRANTS.to_owned()),
    }
}
