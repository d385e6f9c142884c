//! A view for each type of records that FOLIO has, made from its declaration: `id`, `jsonb`, FOLIO's columns of creation and of references.

use octavo_engine::Module;
use octavo_record::{Kind as FieldKind, RecordType, table_name};

use crate::migrate::{Kind, SECRET_TABLES, folio_schema, plan, why_left_out};

#[derive(Debug)]
pub(super) struct View {
    pub(super) schema: String,
    pub(super) name: String,
    /// What stands behind `create view ... as`. Tables are those of the tenant's schema, which the search path names.
    pub(super) sql: String,
}

/// A condition that leaves out configuration entries with keys and passwords.
const PLAIN_ENTRIES: &str = " where t.doc ->> 'module' not in ('edge', 'login-saml', 'SMTP_SERVER') \
    and concat_ws(' ', t.doc ->> 'configName', t.doc ->> 'code', t.doc ->> 'value') !~* 'passw|secret|api.?key|private.?key|credential'";

const SOURCE_RECORDS: &str = "records_lb";

/// All views of a tenant, those of one schema together.
pub(super) fn views(modules: &[&'static Module], tenant: &str) -> Vec<View> {
    let mut views = Vec::new();
    for kind in plan(modules).iter().filter(|kind| has_view(kind)) {
        let schema = folio_schema(tenant, kind.module);
        let mut add = |name: &str, sql: String| {
            views.push(View { schema: schema.clone(), name: name.to_owned(), sql });
        };
        let only = if kind.table() == "config_data" { PLAIN_ENTRIES } else { "" };
        let shown = kind.view().map_or_else(|| format!("{}{only}", select_sql(kind.record)), str::to_owned);
        add(kind.folios_table(), shown);
        if kind.table() == SOURCE_RECORDS {
            add("marc_records_lb", MARC.to_owned());
            add("raw_records_lb", RAW.to_owned());
        }
    }
    views.sort_by(|one, other| (&one.schema, &one.name).cmp(&(&other.schema, &other.name)));
    views
}

fn has_view(kind: &Kind) -> bool {
    let secret = SECRET_TABLES.contains(&kind.table()) && kind.table() != "config_data";
    kind.module.starts_with("mod-") && why_left_out(kind).is_none() && !secret
}

fn select_sql(record: &RecordType) -> String {
    let mut columns =
        vec!["t.id".to_owned(), format!("({})::jsonb as jsonb", record.response_document_sql("t"))];
    if record.table == SOURCE_RECORDS {
        columns.push(OF_SOURCE_RECORDS.to_owned());
    } else {
        if record.schema().metadata {
            columns.push(CREATED.to_owned());
        }
        columns.extend(reference_columns(record));
    }
    format!("select {} from {} t", columns.join(", "), table_name(record))
}

/// RAML Module Builder has a column for each reference, named by its member in lower case.
fn reference_columns(record: &RecordType) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for reference in record.references.iter().filter(|reference| !reference.field.contains('.')) {
        let field = reference.field;
        let kept = record.field(field).is_some_and(|field| {
            field.kind == FieldKind::Uuid && field.lookup.is_none() && field.expression.is_none()
        });
        let value = match kept {
            true => format!("t.{field:?}"),
            false => format!("(t.doc ->> '{field}')::uuid"),
        };
        let column = format!("{value} as {}", field.to_lowercase());
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

const CREATED: &str = "\
(t.doc #>> '{metadata,createdDate}')::timestamptz at time zone 'UTC' as creation_date, \
t.doc #>> '{metadata,createdByUserId}' as created_by";

const OF_SOURCE_RECORDS: &str = "\
t.\"snapshotId\" as snapshot_id, t.\"matchedId\" as matched_id, (t.doc ->> 'generation')::integer as generation, \
t.doc ->> 'recordType' as record_type, \
(coalesce(t.doc #>> '{externalIdsHolder,instanceId}', t.doc #>> '{externalIdsHolder,holdingsId}', \
t.doc #>> '{externalIdsHolder,authorityId}'))::uuid as external_id, t.\"externalHrid\" as external_hrid, \
t.doc ->> 'state' as state, t.doc ->> 'leaderRecordStatus' as leader_record_status, (t.doc ->> 'order')::integer as \"order\", \
(t.doc #>> '{additionalInfo,suppressDiscovery}')::boolean as suppress_discovery, \
(t.doc #>> '{metadata,createdByUserId}')::uuid as created_by_user_id, (t.doc #>> '{metadata,createdDate}')::timestamptz as created_date, \
(t.doc #>> '{metadata,updatedByUserId}')::uuid as updated_by_user_id, (t.doc #>> '{metadata,updatedDate}')::timestamptz as updated_date";

const MARC: &str = "\
select t.id, case json_typeof(t.doc #> '{parsedRecord,content}') when 'string' then (t.doc #>> '{parsedRecord,content}')::jsonb \
else (t.doc #> '{parsedRecord,content}')::jsonb end as content \
from records_lb t where t.doc ->> 'recordType' like 'MARC%' and t.doc #> '{parsedRecord,content}' is not null";

const RAW: &str = "\
select t.id, t.doc #>> '{rawRecord,content}' as content from records_lb t where t.doc #> '{rawRecord,content}' is not null";

#[cfg(test)]
mod tests {
    use octavo_modules::MODULES;

    use super::*;

    #[test]
    fn views_have_folios_names_and_columns() {
        let views = views(MODULES, "diku");
        let find = |schema: &str, name: &str| {
            views.iter().find(|view| view.schema == schema && view.name == name).map(|view| view.sql.as_str())
        };
        let items = find("diku_mod_inventory_storage", "item").unwrap();
        for part in
            ["as jsonb", "as creation_date", "as created_by", "t.\"holdingsRecordId\" as holdingsrecordid"]
        {
            assert!(items.contains(part), "{part}: {items}");
        }
        assert!(find("diku_mod_source_record_storage", "marc_records_lb").is_some());
        assert!(find("diku_mod_configuration", "config_data").unwrap().contains("where"));
    }

    #[test]
    fn secrets_have_no_view() {
        for view in views(MODULES, "diku") {
            let secret = SECRET_TABLES.contains(&view.name.as_str()) && view.name != "config_data";
            assert!(!secret && !view.name.contains("token"), "{view:?}");
        }
    }
}
