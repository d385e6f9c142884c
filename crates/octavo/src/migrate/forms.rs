//! What Octavo keeps as rows with columns instead of documents: the circulation log, links of titles to authorities, mapping rules.

use octavo_engine::load::PreparedRecord;
use octavo_kernel::{Fault, Outcome};
use octavo_marc::Kind as Marc;
use octavo_modules::circulation_log::LOG;
use octavo_modules::mapping::default_rules;
use octavo_pg::Statement;
use octavo_record::RecordType;
use serde_json::{Value, json};
use uuid::Uuid;

use super::log;

pub(super) struct ColumnForm {
    pub(super) module: &'static str,
    pub(super) record: fn() -> &'static RecordType,
    /// The table in FOLIO's database, if it is called otherwise.
    pub(super) folios_table: &'static str,
    pub(super) is_wanted: fn(&Value) -> bool,
    /// Converts a record of FOLIO to a row.
    pub(super) to_row: fn(&Value) -> Outcome<PreparedRecord>,
    /// The SQL statement that inserts rows from a JSON array.
    pub(super) append_sql: &'static str,
    /// An SQL `from` clause: this tenant's rows in the form of the source, with `id` and `jsonb`. If `None`, it is made from the
    /// declaration.
    pub(super) rows_sql: Option<&'static str>,
    /// The view for reports, with FOLIO's columns.
    pub(super) view_sql: Option<&'static str>,
}

/// In the order in which they are brought over.
pub(super) const FORMS: &[ColumnForm] = &[
    ColumnForm {
        module: "mod-source-record-manager",
        record: || &RULES,
        folios_table: "mapping_rules",
        is_wanted: is_changed,
        to_row: rules_row,
        append_sql: ADD_RULES,
        rows_sql: Some(RULES_HERE),
        view_sql: Some(RULES_VIEW),
    },
    ColumnForm {
        module: "mod-entities-links",
        record: || &LINKS,
        folios_table: "instance_authority_link",
        is_wanted: |_| true,
        to_row: links_row,
        append_sql: ADD_LINKS,
        rows_sql: Some(LINKS_HERE),
        view_sql: Some(LINKS_VIEW),
    },
    ColumnForm {
        module: "mod-audit",
        record: || &LOG,
        folios_table: "circulation_logs",
        is_wanted: |_| true,
        to_row: log::log_row,
        append_sql: log::APPEND,
        rows_sql: None,
        view_sql: None,
    },
];

pub(super) fn form_of_table(table: &str) -> Option<&'static ColumnForm> {
    FORMS.iter().find(|form| (form.record)().table == table)
}

pub(super) fn append_statement(form: &ColumnForm, rows: &[&PreparedRecord]) -> Statement {
    let rows: Vec<&Value> = rows.iter().map(|ready| &ready.document).collect();
    Statement::new(form.append_sql).text(json!(rows).to_string())
}

/// The rules by which MARC records of a kind are mapped. Their id is made of the kind.
pub(super) static RULES: RecordType =
    RecordType { name: "mapping rules", table: "mapping_rules", ..RecordType::BASE };

/// The links of an instance to authorities. Their id is that of the instance.
pub(super) static LINKS: RecordType =
    RecordType { name: "links of an instance", table: "instance_authority_link", ..RecordType::BASE };

/// Kinds of mapping rules: FOLIO's name, that in paths and in Octavo's table, and where the default is.
pub(super) const KINDS: [(&str, &str, Marc); 3] = [
    ("MARC_BIB", "marc-bib", Marc::Bibliographic),
    ("MARC_HOLDING", "marc-holdings", Marc::Holdings),
    ("MARC_AUTHORITY", "marc-authority", Marc::Authority),
];

/// The id of rules, and their kind.
pub(super) fn rules_record(kind: usize, rules: &Value) -> Value {
    json!({"id": Uuid::from_u128(kind as u128), "recordType": KINDS[kind].0, "rules": rules})
}

/// Whether the library has changed the rules. Unchanged rules are not brought over: Octavo's own defaults are used.
fn is_changed(record: &Value) -> bool {
    let kind = KINDS.iter().find(|(name, ..)| record["recordType"] == *name);
    let default = kind.and_then(|(.., kind)| serde_json::from_str::<Value>(default_rules(*kind)).ok());
    default.is_none_or(|default| default != record["rules"])
}

fn rules_row(record: &Value) -> Outcome<PreparedRecord> {
    let kind = KINDS.iter().find(|(name, ..)| record["recordType"] == *name);
    let (_, name, _) =
        kind.ok_or_else(|| Fault::bad_request("they are for no kind of records that is known"))?;
    if !record["rules"].is_object() {
        return Err(Fault::bad_request("they are no object of rules"));
    }
    Ok(PreparedRecord { id: record_id(record)?, document: json!({"kind": name, "rules": record["rules"]}) })
}

fn links_row(record: &Value) -> Outcome<PreparedRecord> {
    let complete = |link: &&Value| link["authorityId"].is_string() && link["linkingRuleId"].is_i64();
    let links: Vec<&Value> = record["links"].as_array().into_iter().flatten().filter(complete).collect();
    let id = record_id(record)?;
    Ok(PreparedRecord { id, document: json!({"id": id, "links": links}) })
}

fn record_id(record: &Value) -> Outcome<Uuid> {
    let id = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok());
    id.ok_or_else(|| Fault::bad_request("it has no id"))
}

const ADD_RULES: &str = "\
insert into mapping_rules (record_type, rules)
select kind, rules
from json_to_recordset($1::text::json) r (kind text, rules json)";

const RULES_HERE: &str = "\
(select
  ('00000000-0000-0000-0000-00000000000' || case record_type when 'marc-bib' then 0 when 'marc-holdings' then 1 else 2 end)::uuid as id,
  jsonb_build_object(
    'recordType', case record_type when 'marc-bib' then 'MARC_BIB' when 'marc-holdings' then 'MARC_HOLDING' else 'MARC_AUTHORITY' end,
    'rules', rules) as jsonb
from mapping_rules)";

const RULES_VIEW: &str = "\
select
  ('00000000-0000-0000-0000-00000000000' || case record_type when 'marc-bib' then 0 when 'marc-holdings' then 1 else 2 end)::uuid as id,
  jsonb_build_object('mappingRules', rules) as jsonb,
  case record_type when 'marc-bib' then 'MARC_BIB' when 'marc-holdings' then 'MARC_HOLDING' else 'MARC_AUTHORITY' end as record_type
from mapping_rules";

const ADD_LINKS: &str = "\
insert into instance_authority_link (instance, authority, rule, status, error, updated)
select r.id, l.\"authorityId\", l.\"linkingRuleId\", coalesce(l.status, 'ACTUAL'), l.\"errorCause\", coalesce(l.\"updatedAt\", now())
from json_to_recordset($1::text::json) r (id uuid, links json)
cross join lateral rows from (json_to_recordset(r.links)
    as (\"authorityId\" uuid, \"linkingRuleId\" bigint, status text, \"errorCause\" text, \"updatedAt\" timestamptz))
  with ordinality l (\"authorityId\", \"linkingRuleId\", status, \"errorCause\", \"updatedAt\", place)
order by r.id, l.place
on conflict do nothing";

const LINKS_HERE: &str = "\
(select instance as id, jsonb_build_object('links', jsonb_agg(jsonb_build_object(
  'authorityId', authority, 'linkingRuleId', rule, 'status', status, 'errorCause', error) order by authority, rule)) as jsonb
from instance_authority_link
group by instance)";

const LINKS_VIEW: &str = "\
select l.id, l.authority as authority_id, l.instance as instance_id, l.rule as linking_rule_id, l.status, l.error as error_cause,
  l.updated as created_at, l.updated as updated_at
from instance_authority_link l";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rules_that_were_changed_are_brought_over() {
        for (kind, (name, path, marc)) in KINDS.iter().enumerate() {
            let mut rules_: Value = serde_json::from_str(default_rules(*marc)).unwrap();
            assert!(!is_changed(&rules_record(kind, &rules_)), "{name}");
            rules_["999"] = json!([]);
            let changed = rules_record(kind, &rules_);
            assert!(is_changed(&changed), "{name}");
            assert_eq!(rules_row(&changed).unwrap().document["kind"], *path);
        }
        assert!(rules_row(&json!({"id": Uuid::nil(), "recordType": "EDIFACT", "rules": {}})).is_err());
    }

    #[test]
    fn links_without_an_authority_or_a_rule_are_left_out() {
        let [instance, authority] = [1, 2].map(Uuid::from_u128);
        let whole = json!({"authorityId": authority, "linkingRuleId": 8});
        let record =
            json!({"id": instance, "links": [whole, {"authorityId": authority}, {"linkingRuleId": 8}]});
        let ready = links_row(&record).unwrap();
        assert_eq!((ready.id, &ready.document["links"]), (instance, &json!([whole])));
    }
}
