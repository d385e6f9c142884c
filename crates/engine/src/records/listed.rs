//! References in lists: members with the ids of many other records, such as statistical codes. No foreign key protects them. The records
//! whose ids a change adds to a list are looked up together with its other reads, and locked by the change. The deletion of such a record
//! locks it first, and then searches for lists with its id, without an index: it reads the whole tables, and meanwhile only transactions
//! that need the deleted record wait.
//!
//! A list that does not change may have ids without a record: libraries bring such records from other systems.

use std::collections::{BTreeSet, HashSet};

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_pg::{DbError, Row, Session, Statement};
use octavo_record::{ListReference, RecordType, table_name};
use serde_json::Value;
use uuid::Uuid;

use crate::Context;

/// A document, and the stored document that it replaces.
pub(super) type WithPrevious<'d> = (&'d Value, Option<&'d Value>);

/// The ids in lists for which there is a record.
pub(super) type ExistingIds = HashSet<Uuid>;

/// Whether the records that a lookup finds are locked until the end of the transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lookup {
    Unlocked,
    Locked,
}

fn checked_lists(record: &RecordType) -> impl Iterator<Item = &ListReference> {
    record.list_references.iter().filter(|list| list.message.is_some())
}

fn listed_ids<'d>(list: &ListReference, document: &'d Value) -> impl Iterator<Item = (&'d str, Uuid)> {
    let listed = document[list.field].as_array().map_or(&[][..], Vec::as_slice);
    listed.iter().filter_map(Value::as_str).filter_map(|text| Some((text, Uuid::parse_str(text).ok()?)))
}

/// Statements that look up the ids in the lists of documents; [`existing_ids`] reads their answers.
pub(super) fn lookup_statements(
    record: &RecordType,
    documents: &[&Value],
    looking: Lookup,
) -> Vec<Statement> {
    let lookup = |list: &ListReference| {
        let ids: BTreeSet<Uuid> =
            documents.iter().flat_map(|document| listed_ids(list, document)).map(|(_, id)| id).collect();
        (!ids.is_empty()).then(|| {
            let lock = if looking == Lookup::Locked { LOCK } else { "" };
            let sql = format!("select id from {:?} where id = any($1) order by id{lock}", list.table);
            Statement::new(sql).uuids(ids.into_iter().collect())
        })
    };
    checked_lists(record).filter_map(lookup).collect()
}

/// Skips locked rows: a record that another transaction is deleting counts as deleted.
const LOCK: &str = " for key share skip locked";

pub(super) fn existing_ids<'r>(answers: impl IntoIterator<Item = &'r Vec<Row>>) -> ExistingIds {
    answers.into_iter().flatten().map(Row::read::<Uuid>).collect()
}

/// Refuses a document that adds an id to a list for which there is no record: as text with status 400 if `plain`, otherwise with 422.
pub(super) fn refuse_absent(
    record: &RecordType,
    (document, before): WithPrevious<'_>,
    found: &ExistingIds,
    plain: bool,
) -> Outcome<()> {
    for list in checked_lists(record).filter(|list| has_changed(list, document, before)) {
        let absent = listed_ids(list, document).find(|(_, id)| !found.contains(id));
        let (Some((value, _)), Some(words)) = (absent, list.message) else { continue };
        let id = document["id"].as_str().unwrap_or_default();
        let told = |text: &str| text.replace("{id}", id).replace("{}", value);
        return Err(match plain {
            true => Fault::bad_request(told(words.plain)),
            false => Refusal::rmb(told(words.refusal)).about(record.table, id).into(),
        });
    }
    Ok(())
}

fn has_changed(list: &ListReference, document: &Value, before: Option<&Value>) -> bool {
    before.is_none_or(|before| before[list.field] != document[list.field])
}

/// Statements that lock the records whose ids documents add to lists. They fail with a conflict if a record was deleted since the lookup.
pub(super) fn lock_statements(record: &RecordType, documents: &[WithPrevious<'_>]) -> Vec<Statement> {
    let lock = |list: &ListReference| {
        let new = documents.iter().filter(|(document, before)| has_changed(list, document, *before));
        let ids: BTreeSet<Uuid> =
            new.flat_map(|(document, _)| listed_ids(list, document)).map(|(_, id)| id).collect();
        (!ids.is_empty()).then(|| {
            let sql = format!(
                "select octavo.expect(\n  (select count(*) from (select from {:?} where id = any($1) order by id{LOCK}) l) \
                 = cardinality($1), $2)",
                list.table
            );
            Statement::new(sql).uuids(ids.into_iter().collect()).text(list.table.replace('_', " "))
        })
    };
    checked_lists(record).filter_map(lock).collect()
}

/// The record types that have lists of ids of records of this type.
pub(super) fn referring_lists(
    context: &Context,
    record: &RecordType,
) -> Vec<(&'static RecordType, &'static ListReference)> {
    let lists = |other: &'static RecordType| other.list_references.iter().map(move |list| (other, list));
    let all = context.platform.record_types().flat_map(lists);
    all.filter(|(_, list)| list.table == record.table).collect()
}

/// Why a record cannot be deleted, if its id is in a list; the caller has locked the record.
pub(super) async fn refusal_to_delete(
    session: &mut Session,
    naming: &[(&'static RecordType, &'static ListReference)],
    id: Uuid,
) -> Result<Option<Fault>, DbError> {
    for (other, list) in naming {
        // The text is compared first: to parse each document would take several times as long.
        let sql = format!(
            "select exists (\n  select from {} t\n  where t.doc::text like '%' || $1 || '%'\n  \
             and (t.doc -> '{}')::jsonb ? $1)",
            table_name(other),
            list.field
        );
        if session.read::<Option<bool>>(Statement::new(sql).text(id.to_string())).await? == Some(true) {
            let message = list.still_listed.replace("{name}", other.name).replace("{}", &id.to_string());
            return Ok(Some(Fault::bad_request(message)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use octavo_record::MissingMessages;
    use serde_json::json;

    use super::*;

    static BOOK: RecordType = RecordType {
        table: "book",
        list_references: &[ListReference {
            field: "codes",
            table: "code",
            message: Some(MissingMessages { refusal: "no {} in {id}", plain: "no {} at {id}", code: None }),
            still_listed: "{} is in a {name}",
        }],
        ..RecordType::BASE
    };

    #[test]
    fn what_is_newly_named_has_to_be_there() {
        let [there, gone] = [1, 2].map(|number| Uuid::from_u128(number).to_string());
        let found = ExistingIds::from([Uuid::from_u128(1)]);
        let book = |codes: Value| json!({"id": "b", "codes": codes});
        for (codes, before, accepted) in [
            (json!([there]), None, true),
            (json!([there, gone]), None, false),
            (json!([gone]), Some(book(json!([gone]))), true),
            (json!([gone]), Some(book(json!([gone, there]))), false),
            (json!([]), Some(book(json!([gone]))), true),
            (json!(null), None, true),
        ] {
            let document = book(codes);
            let written = (&document, before.as_ref());
            assert_eq!(refuse_absent(&BOOK, written, &found, true).is_ok(), accepted, "{document}");
            let newly = has_changed(&BOOK.list_references[0], &document, before.as_ref());
            let locked = newly && document["codes"].as_array().is_some_and(|codes| !codes.is_empty());
            assert_eq!(lock_statements(&BOOK, &[written]).len(), usize::from(locked), "{document}");
        }
        let fault = refuse_absent(&BOOK, (&book(json!([gone])), None), &found, true).unwrap_err();
        assert_eq!(fault.body.render(), format!("no {gone} at b"));
    }
}
