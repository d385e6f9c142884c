//! The last step of a change. One transaction writes the document, computes the records that depend on it anew, and notifies
//! every process. What the database refuses is told in FOLIO's words.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::{Dependents, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{Doing, fault_of};
use super::statements;
use crate::Context;
use crate::snapshot::RAISE;
use crate::tenants::Change as Told;
use crate::tenants::notify;

/// A document on its way into its table.
pub(super) struct Change<'a> {
    pub(super) doing: Doing,
    pub(super) record: &'static RecordType,
    pub(super) id: Uuid,
    pub(super) document: &'a Value,
    /// Whether the snapshot held what it replaces, or holds it.
    pub(super) in_snapshot: bool,
}

impl Change<'_> {
    pub(super) async fn write(
        &self,
        context: &Context,
        session: &mut Session,
        mut changes: Vec<Statement>,
        dependents: Option<Dependents>,
    ) -> Outcome<()> {
        let follow = follow(context, self.record, self.id, self.in_snapshot);
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
                tell(context, self.record, self.id, self.in_snapshot);
                Ok(())
            }
            Err(error) if error.is_conflict() => Err(Fault::text(409, error.to_string())),
            Err(DbError::Refused { code, message, .. }) if code == "22P02" => {
                Err(octavo_kernel::Refusal::new(message).kind("1").code("-1").into())
            }
            Err(error) => Err(fault_of(context, error, self.doing, self.record, self.document)),
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
        for (id, mut document) in rows.iter().map(Row::read::<(Uuid, Value)>) {
            change_dependent(&dependents, &mut document, self.document);
            documents.push((id, document));
        }
        let mut last = vec![statements::overwrite_all(dependents.of, &documents)];
        last.extend(follow);
        session.commit(last).await.map(drop)
    }
}

/// Computes a record anew that depends on a changed one.
pub(super) fn change_dependent(dependents: &Dependents, document: &mut Value, on: &Value) {
    (dependents.change)(document, on);
    if dependents.of.locking {
        document["_version"] = json!(document["_version"].as_i64().unwrap_or(0) + 1);
    }
    if dependents.of.schema().metadata {
        for name in ["updatedDate", "updatedByUserId"] {
            if let Some(value) = on["metadata"].get(name) {
                document["metadata"][name] = value.clone();
            }
        }
    }
}

/// The statements by which every process learns of a change that is made by SQL of a module's own.
pub fn follow_ups(context: &Context, record: &RecordType, id: Uuid) -> Vec<Statement> {
    follow(context, record, id, record.snapshot)
}

/// Makes this process forget at once what the change has made stale; to be called after the change.
pub fn announce(context: &Context, record: &RecordType, id: Uuid) {
    tell(context, record, id, record.snapshot);
}

/// The statements by which every process learns of a change: decisions compare the version of the snapshot, which the first one
/// raises, everything else waits for the notification.
pub(super) fn follow(context: &Context, record: &RecordType, id: Uuid, in_snapshot: bool) -> Vec<Statement> {
    let tenant = &context.tenant.id;
    let mut statements = Vec::new();
    if in_snapshot {
        statements.push(Statement::new(RAISE));
        statements.push(notify(tenant, Told::SNAPSHOT).after_commit());
    }
    if let Some(change) = grants(record, id) {
        statements.push(notify(tenant, &change));
    }
    statements
}

pub(super) fn tell(context: &Context, record: &RecordType, id: Uuid, in_snapshot: bool) {
    if in_snapshot {
        context.platform.snapshots.forget(&context.tenant.id);
    }
    if let Some(change) = grants(record, id) {
        context.platform.changed(&format!("{} {change}", context.tenant.id));
    }
}

/// Deletes a record of a type of which the snapshot holds some: what is deleted tells, in the same statement, whether it was
/// one of them and follows as [`follow`] has it.
pub(super) fn delete_from_some(context: &Context, record: &RecordType, id: Uuid) -> Statement {
    let (delete, condition) = (statements::delete(record, id), record.snapshot_condition());
    let told = notify(&context.tenant.id, Told::SNAPSHOT);
    let sql = format!(
        "with gone as ({}), counted as (\n{RAISE}\nand exists (select from (select doc::json from gone) g where {condition})\nreturning 1\n)\n\
         select g.doc, (select pg_notify($2, $3)::text from counted) from gone g",
        delete.sql
    );
    Statement::with(sql, delete.params.into_iter().chain(told.params).collect())
}

/// Records on which a user's permissions rest.
fn grants(record: &RecordType, id: Uuid) -> Option<String> {
    match record.grants {
        octavo_record::Grants::Nothing => None,
        octavo_record::Grants::OneUser if !id.is_nil() => Some(format!("{} {id}", Told::GRANTS)),
        _ => Some(Told::GRANTS.to_owned()),
    }
}
