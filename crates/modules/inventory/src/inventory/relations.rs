//! The relations of an instance: parent and child instances, preceding and succeeding titles. They are records of
//! mod-inventory-storage, which mod-inventory shows and accepts as members of the instance.
//!
//! As in FOLIO, an instance is sent with all its relations: stored relations that the body lacks are deleted. A relation to an unknown
//! instance is refused, and so is the id of a relation between other instances.

use octavo_kernel::{Fault, Outcome, Refusal};
use octavo_modules_base::inventory_records::{INSTANCE_RELATIONSHIP, PRECEDING_SUCCEEDING_TITLE};
use octavo_pg::Statement;
use octavo_record::Reading;
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Debug, Default)]
pub(super) struct Relations {
    relationships: Vec<(Uuid, Value)>,
    titles: Vec<(Uuid, Value)>,
}

impl Relations {
    /// Reads the relations from a body. `instance` is the id of the instance that the body describes.
    pub(super) fn read(body: &Value, instance: Uuid, fresh_id: fn() -> Uuid) -> Relations {
        let mut relations = Relations::default();
        let list = |name: &str| body[name].as_array().map_or(&[][..], Vec::as_slice);
        let id = |element: &Value| {
            element["id"].as_str().and_then(|id| Uuid::parse_str(id).ok()).unwrap_or_else(fresh_id)
        };
        for (name, other, own) in [
            ("parentInstances", "superInstanceId", "subInstanceId"),
            ("childInstances", "subInstanceId", "superInstanceId"),
        ] {
            for element in list(name) {
                let kind = &element["instanceRelationshipTypeId"];
                let mut record = json!({"instanceRelationshipTypeId": kind});
                record[other] = element[other].clone();
                record[own] = json!(instance);
                relations.relationships.push((id(element), record));
            }
        }
        for (name, other, own) in [
            ("precedingTitles", "precedingInstanceId", "succeedingInstanceId"),
            ("succeedingTitles", "succeedingInstanceId", "precedingInstanceId"),
        ] {
            for element in list(name) {
                let mut record = json!({});
                for field in [other, "title", "hrid", "identifiers"] {
                    if !element[field].is_null() {
                        record[field] = element[field].clone();
                    }
                }
                record[own] = json!(instance);
                relations.titles.push((id(element), record));
            }
        }
        relations
    }

    /// Refuses relations that break the schema of their records.
    pub(super) fn checked(self) -> Outcome<Relations> {
        let records =
            [(&INSTANCE_RELATIONSHIP, &self.relationships), (&PRECEDING_SUCCEEDING_TITLE, &self.titles)];
        for (record, all) in records {
            for (_, document) in all {
                record.schema().check(document.clone(), Reading::FromClient).map_err(Fault::refused)?;
            }
        }
        Ok(self)
    }

    /// The statements that write the relations. With `replacing`, all other relations of the instance are removed.
    pub(super) fn statements(self, instance: Uuid, replacing: bool, metadata: &Value) -> Vec<Statement> {
        let mut statements = Vec::new();
        let written = [
            (self.relationships, REMOVE_RELATIONSHIPS, [CHANGE_RELATIONSHIPS, ADD_RELATIONSHIPS]),
            (self.titles, REMOVE_TITLES, [CHANGE_TITLES, ADD_TITLES]),
        ];
        for (records, remove, write) in written {
            let ids: Vec<Uuid> = records.iter().map(|(id, _)| *id).collect();
            if replacing {
                statements.push(Statement::new(remove).uuid(instance).uuids(ids));
            }
            if !records.is_empty() {
                let documents = records.into_iter().map(|(id, mut record)| {
                    record["id"] = json!(id);
                    record["metadata"] = metadata.clone();
                    record.to_string()
                });
                let documents: Vec<String> = documents.collect();
                statements
                    .extend(write.map(|write| Statement::new(write).texts(documents.clone()).uuid(instance)));
            }
        }
        statements
    }
}

/// Statements that set the preceding and succeeding titles of an instance that are no instances themselves. With `replacing`, they replace
/// the existing ones.
pub fn unconnected_title_statements(
    instance: Uuid,
    preceding: &[Value],
    succeeding: &[Value],
    replacing: bool,
    fresh_id: fn() -> Uuid,
    metadata: &Value,
) -> Vec<Statement> {
    let titles = json!({"precedingTitles": preceding, "succeedingTitles": succeeding});
    let mut statements = Relations::read(&titles, instance, fresh_id).statements(instance, false, metadata);
    if replacing {
        statements.insert(0, Statement::new(REMOVE_OTHER_TITLES).uuid(instance));
    }
    statements
}

/// Refuses a preceding or succeeding title with neither an instance id nor a title.
pub(super) fn refuse_untitled(body: &Value) -> Outcome<()> {
    for (name, field, message) in [
        ("succeedingTitles", "succeedingTitles.title", "Title is required for unconnected succeeding title"),
        ("precedingTitles", "precedingTitles.title", "Title is required for unconnected preceding title"),
    ] {
        let untitled = |element: &Value| {
            element["precedingInstanceId"].is_null()
                && element["succeedingInstanceId"].is_null()
                && element["title"].as_str().is_none_or(|title| title.trim().is_empty())
        };
        if body[name].as_array().is_some_and(|titles| titles.iter().any(untitled)) {
            return Err(Refusal::new(message).about(field, None::<&str>).into());
        }
    }
    Ok(())
}

const REMOVE_RELATIONSHIPS: &str = "\
delete from instance_relationship
where (\"superInstanceId\" = $1 or \"subInstanceId\" = $1)
and not id = any($2)";

/// SQL that changes those relations (`$1`) of the instance (`$2`) that already exist.
macro_rules! change {
    ($table:literal, $one:literal, $other:literal) => {
        concat!(
            "update ",
            $table,
            " t
set doc = d.doc
from (select text::json as doc from unnest($1::text[]) text) d
where t.id = (d.doc ->> 'id')::uuid
and (t.\"",
            $one,
            "\" = $2 or t.\"",
            $other,
            "\" = $2)
and t.doc::jsonb - 'metadata' <> d.doc::jsonb - 'metadata'"
        )
    };
}

/// SQL that adds those relations (`$1`) of the instance (`$2`) that do not exist yet.
macro_rules! add {
    ($table:literal, $one:literal, $other:literal) => {
        concat!(
            "insert into ",
            $table,
            " (id, doc)
select (d.doc ->> 'id')::uuid, d.doc
from (select text::json as doc from unnest($1::text[]) text) d
where not exists (
  select from ",
            $table,
            " t
  where t.id = (d.doc ->> 'id')::uuid
  and (t.\"",
            $one,
            "\" = $2 or t.\"",
            $other,
            "\" = $2))"
        )
    };
}

const CHANGE_RELATIONSHIPS: &str = change!("instance_relationship", "superInstanceId", "subInstanceId");
const ADD_RELATIONSHIPS: &str = add!("instance_relationship", "superInstanceId", "subInstanceId");
const CHANGE_TITLES: &str =
    change!("preceding_succeeding_title", "precedingInstanceId", "succeedingInstanceId");
const ADD_TITLES: &str = add!("preceding_succeeding_title", "precedingInstanceId", "succeedingInstanceId");

const REMOVE_TITLES: &str = "\
delete from preceding_succeeding_title
where (\"precedingInstanceId\" = $1 or \"succeedingInstanceId\" = $1)
and not id = any($2)";

const REMOVE_OTHER_TITLES: &str = "\
delete from preceding_succeeding_title
where \"precedingInstanceId\" = $1 and \"succeedingInstanceId\" is null
or \"succeedingInstanceId\" = $1 and \"precedingInstanceId\" is null";

octavo_pg::statements!(
    hot = [
        REMOVE_RELATIONSHIPS,
        CHANGE_RELATIONSHIPS,
        ADD_RELATIONSHIPS,
        REMOVE_TITLES,
        REMOVE_OTHER_TITLES,
        CHANGE_TITLES,
        ADD_TITLES
    ]
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_become_records_of_both_sides() {
        let body = json!({
            "parentInstances": [{"superInstanceId": "p", "instanceRelationshipTypeId": "t"}],
            "precedingTitles": [{"title": "before"}],
            "succeedingTitles": [{"succeedingInstanceId": "s"}],
        });
        let relations = Relations::read(&body, Uuid::nil(), Uuid::nil);
        let nil = Uuid::nil().to_string();
        let above = json!({"superInstanceId": "p", "subInstanceId": nil, "instanceRelationshipTypeId": "t"});
        assert_eq!(relations.relationships[0].1, above);
        assert_eq!(relations.titles[0].1, json!({"title": "before", "succeedingInstanceId": nil}));
        assert_eq!(relations.titles[1].1, json!({"succeedingInstanceId": "s", "precedingInstanceId": nil}));
    }

    #[test]
    fn a_title_of_no_instance_of_ours_is_given() {
        assert!(
            refuse_untitled(&json!({"precedingTitles": [{"title": "T"}, {"precedingInstanceId": "x"}]}))
                .is_ok()
        );
        for body in [json!({"precedingTitles": [{}]}), json!({"succeedingTitles": [{"title": " "}]})] {
            assert!(refuse_untitled(&body).is_err(), "{body}");
        }
    }
}
