//! The last step of a change. One transaction writes the document, computes the records that depend on it again, and notifies every
//! process. An error of the database becomes a message of FOLIO's.

use octavo_kernel::{Fault, Outcome};
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::{Dependents, RecordType};
use serde_json::{Value, json};
use uuid::Uuid;

use super::faults::{RecordOperation, fault_from_db_error};
use super::statements;
use crate::Context;
use crate::snapshot::RAISE;
use crate::tenants::{ChangeKind, notify_statement};

/// A document that is about to be written to its table.
pub(super) struct DocumentChange<'a> {
    pub(super) operation: RecordOperation,
    pub(super) record: &'static RecordType,
    pub(super) id: Uuid,
    pub(super) document: &'a Value,
    /// Whether the tenant's snapshot contains the record, before or after the change.
    pub(super) in_snapshot: bool,
    /// Whether the transaction that is to write the document is open already.
    pub(super) is_begun: bool,
}

impl DocumentChange<'_> {
    pub(super) async fn write(
        &self,
        context: &Context,
        session: &mut Session,
        mut changes: Vec<Statement>,
        dependents: Option<Dependents>,
    ) -> Outcome<()> {
        let follow = notify_statements_with(context, self.record, self.id, self.in_snapshot);
        let answer = match dependents {
            Some(dependents) => self.write_with_dependents(session, changes, dependents, follow).await,
            None => {
                changes.extend(follow);
                let answer = match (self.is_begun, changes.len()) {
                    (true, _) => session.commit(changes).await,
                    (false, 1) => session.batch(changes).await,
                    (false, _) => session.transaction(changes).await,
                };
                answer.map(drop)
            }
        };
        match answer {
            Ok(()) => {
                invalidate_caches_with(context, self.record, self.id, self.in_snapshot);
                Ok(())
            }
            Err(error) if error.is_conflict() => Err(Fault::text(409, error.to_string())),
            Err(DbError::Refused { code, message, .. }) if code == "22P02" => {
                Err(octavo_kernel::Refusal::new(message).kind("1").code("-1").into())
            }
            Err(error) => {
                Err(fault_from_db_error(context, error, self.operation, self.record, self.document))
            }
        }
    }

    /// Two round trips: the change with the records that depend on it, then these computed anew.
    async fn write_with_dependents(
        &self,
        session: &mut Session,
        mut changes: Vec<Statement>,
        dependents: Dependents,
        follow: Vec<Statement>,
    ) -> Result<(), DbError> {
        changes.push(statements::lock_dependents(dependents.record_type, dependents.field, self.id));
        let read = if self.is_begun { session.batch(changes).await } else { session.begin(changes).await };
        let rows = match read {
            Ok(mut answers) => answers.pop().unwrap_or_default(),
            Err(error) => {
                session.rollback().await?;
                return Err(error);
            }
        };
        let mut documents = Vec::with_capacity(rows.len());
        for (id, mut document) in rows.iter().map(Row::read::<(Uuid, Value)>) {
            recompute_dependent(&dependents, &mut document, self.document);
            documents.push((id, document));
        }
        let mut last = vec![statements::overwrite_all(dependents.record_type, &documents)];
        last.extend(follow);
        session.commit(last).await.map(drop)
    }
}

/// Computes a dependent record (`document`) again from the changed record (`on`).
pub(super) fn recompute_dependent(dependents: &Dependents, document: &mut Value, on: &Value) {
    (dependents.change)(document, on);
    if dependents.record_type.locking {
        document["_version"] = json!(document["_version"].as_i64().unwrap_or(0) + 1);
    }
    if dependents.record_type.schema().metadata {
        for name in ["updatedDate", "updatedByUserId"] {
            if let Some(value) = on["metadata"].get(name) {
                document["metadata"][name] = value.clone();
            }
        }
    }
}

/// The statements that notify every process of a change which a module's own SQL has made.
pub fn notify_statements(context: &Context, record: &RecordType, id: Uuid) -> Vec<Statement> {
    notify_statements_with(context, record, id, record.snapshot)
}

/// Removes what the change has made stale from the caches of this process. Call it after the change is committed.
pub fn invalidate_caches(context: &Context, record: &RecordType, id: Uuid) {
    invalidate_caches_with(context, record, id, record.snapshot);
}

/// The statements that notify every process of a change. The first one raises the version of the snapshot, which decisions compare;
/// everything else waits for the notification.
pub(super) fn notify_statements_with(
    context: &Context,
    record: &RecordType,
    id: Uuid,
    in_snapshot: bool,
) -> Vec<Statement> {
    let tenant = &context.tenant.id;
    let mut statements = Vec::new();
    if in_snapshot {
        statements.push(Statement::new(RAISE));
        statements.push(notify_statement(tenant, ChangeKind::SNAPSHOT).after_commit());
    }
    if let Some(change) = stale_permissions_change(record, id) {
        statements.push(notify_statement(tenant, &change));
    }
    statements
}

pub(super) fn invalidate_caches_with(context: &Context, record: &RecordType, id: Uuid, in_snapshot: bool) {
    if in_snapshot {
        context.platform.snapshots.invalidate(&context.tenant.id);
    }
    if let Some(change) = stale_permissions_change(record, id) {
        context.platform.apply_notification(&format!("{} {change}", context.tenant.id));
    }
}

/// Deletes a record of a type of which only some records are in the snapshot. The same statement notifies every process, as
/// [`notify_statements_with`] does, if the deleted record was in the snapshot.
pub(super) fn delete_and_notify(context: &Context, record: &RecordType, id: Uuid) -> Statement {
    let (delete, condition) = (statements::delete(record, id), record.snapshot_condition());
    let told = notify_statement(&context.tenant.id, ChangeKind::SNAPSHOT);
    let sql = format!(
        "with gone as ({}), counted as (\n{RAISE}\nand exists (select from (select doc::json from gone) g where {condition})\nreturning 1\n)\n\
         select g.doc, (select pg_notify($2, $3)::text from counted) from gone g",
        delete.sql
    );
    Statement::with_params(sql, delete.params.into_iter().chain(told.params).collect())
}

/// The notification for a change of a record on which users' permissions depend; `None` if none do.
fn stale_permissions_change(record: &RecordType, id: Uuid) -> Option<String> {
    match record.stale_permissions {
        octavo_record::StalePermissions::Nothing => None,
        octavo_record::StalePermissions::OneUser if !id.is_nil() => {
            Some(format!("{} {id}", ChangeKind::GRANTS))
        }
        _ => Some(ChangeKind::GRANTS.to_owned()),
    }
}
