//! Where FOLIO's database keeps a type of records: most in a table with `id` and `jsonb`, some in columns.

/// Quoted names of FOLIO's tables, and an SQL `from` clause over them that has the columns `id` and `jsonb`.
pub(super) struct TableSource {
    pub(super) tables: Vec<String>,
    pub(super) sql: String,
    /// Whether the tables themselves have the columns `id` and `jsonb`.
    pub(super) with_documents: bool,
}

/// Types that FOLIO keeps in other tables than Octavo, or in columns: Octavo's table, FOLIO's tables, and SQL over the schema `{s}`.
const IN_COLUMNS: &[(&str, &[&str], &str)] = &[
    ("snapshots_lb", &["snapshots_lb"], SNAPSHOTS),
    ("records_lb", &["records_lb", "marc_records_lb", "raw_records_lb"], SOURCE_RECORDS),
    ("note_type", &["type"], NOTE_TYPES),
    ("note", &["note", "note_link", "link", "type"], NOTES),
    ("validation_rules", &["validationrules"], PASSWORD_RULES),
    ("authority_note_type", &["authority_note_type"], AUTHORITY_NOTE_TYPES),
    ("authority_source_file", &["authority_source_file", "authority_source_file_code"], SOURCE_FILES),
    ("authority", &["authority"], AUTHORITIES),
    ("mapping_rules", &["mapping_rules"], MAPPING_RULES),
    ("instance_authority_link", &["instance_authority_link"], LINKS),
    (
        "calendars",
        &["calendars", "normal_hours", "exceptions", "exception_hours", "service_point_calendars"],
        CALENDARS,
    ),
    ("remote_storage_configurations", &["remote_storage_configurations"], STORAGES),
    ("location_mappings", &["location_mappings", "original_locations"], STORAGE_LOCATIONS),
    ("accession_queue", &["accession_queue"], ACCESSIONS),
    ("retrieval_queue", &["retrieval_queue"], RETRIEVALS),
];

/// FOLIO's schema of a tenant's module: `diku_mod_users`.
pub(crate) fn folio_schema(tenant: &str, module: &str) -> String {
    format!("{tenant}_{}", module.replace('-', "_"))
}

/// The two ways in which a type may be kept: with documents, or in columns where FOLIO does so.
pub(super) fn table_sources(tenant: &str, module: &str, table: &str) -> [Option<TableSource>; 2] {
    let schema = format!("{:?}", folio_schema(tenant, module));
    let named = |table: &&str| format!("{schema}.{table:?}");
    let plain = TableSource { tables: vec![named(&table)], sql: named(&table), with_documents: true };
    let in_columns = IN_COLUMNS.iter().find(|(of, _, _)| *of == table);
    let in_columns = in_columns.map(|(_, tables, sql)| TableSource {
        tables: tables.iter().map(named).collect(),
        sql: format!("({})", sql.replace("{s}", &schema)),
        with_documents: false,
    });
    [Some(plain), in_columns]
}

/// `metadata` of FOLIO's columns of who made and changed a row, and when.
macro_rules! metadata {
    () => {
        "jsonb_strip_nulls(jsonb_build_object('createdDate', r.created_date, 'createdByUserId', r.created_by_user_id, \
         'updatedDate', r.updated_date, 'updatedByUserId', r.updated_by_user_id))"
    };
}

const SNAPSHOTS: &str = concat!(
    "select r.id, jsonb_strip_nulls(jsonb_build_object('jobExecutionId', r.id, 'status', r.status, \
     'processingStartedDate', r.processing_started_date)) || jsonb_build_object('metadata', ",
    metadata!(),
    ") as jsonb from {s}.snapshots_lb r"
);

const SOURCE_RECORDS: &str = concat!(
    "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'snapshotId', r.snapshot_id, 'matchedId', r.matched_id, \
     'generation', r.generation, 'recordType', r.record_type, 'state', r.state, 'leaderRecordStatus', r.leader_record_status, \
     'deleted', r.state::text = 'DELETED', 'order', r.\"order\")) || jsonb_build_object(\
     'additionalInfo', jsonb_build_object('suppressDiscovery', coalesce(r.suppress_discovery, false)), \
     'externalIdsHolder', case r.record_type::text \
       when 'MARC_HOLDING' then jsonb_strip_nulls(jsonb_build_object('holdingsId', r.external_id, 'holdingsHrid', r.external_hrid)) \
       when 'MARC_AUTHORITY' then jsonb_strip_nulls(jsonb_build_object('authorityId', r.external_id, 'authorityHrid', r.external_hrid)) \
       else jsonb_strip_nulls(jsonb_build_object('instanceId', r.external_id, 'instanceHrid', r.external_hrid)) end, \
     'metadata', ",
    metadata!(),
    ") || case when m.id is null then '{}' else jsonb_build_object('parsedRecord', jsonb_build_object('id', m.id, 'content', m.content)) end \
     || case when w.id is null then '{}' else jsonb_build_object('rawRecord', jsonb_build_object('id', w.id, 'content', w.content)) end \
     as jsonb from {s}.records_lb r left join {s}.marc_records_lb m on m.id = r.id left join {s}.raw_records_lb w on w.id = r.id"
);

const NOTE_TYPES: &str = "select r.id, jsonb_build_object('id', r.id, 'name', r.name, 'metadata', jsonb_strip_nulls(jsonb_build_object(\
     'createdDate', r.created_date, 'createdByUserId', r.created_by, 'updatedDate', r.updated_date, 'updatedByUserId', r.updated_by))) \
     as jsonb from {s}.type r";

const NOTES: &str = "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'title', r.title, 'content', r.content, 'domain', r.domain, \
     'typeId', r.type_id, 'type', t.name, 'popUpOnCheckOut', r.pop_up_on_check_out, 'popUpOnUser', r.pop_up_on_user, \
     'metadata', jsonb_build_object('createdDate', r.created_date, 'createdByUserId', r.created_by, \
       'updatedDate', r.updated_date, 'updatedByUserId', r.updated_by), \
     'links', (select coalesce(jsonb_agg(jsonb_build_object('id', l.object_id, 'type', l.object_type) order by l.object_type, l.object_id), '[]') \
       from {s}.note_link nl join {s}.link l on l.id = nl.link_id where nl.note_id = r.id))) as jsonb \
     from {s}.note r left join {s}.type t on t.id = r.type_id";

const PASSWORD_RULES: &str = "select r.id, jsonb_strip_nulls(jsonb_build_object('ruleId', r.id, 'id', r.id, 'name', r.name, 'type', r.rule_type, \
     'state', r.rule_state, 'validationType', r.validation_type, 'orderNo', r.order_no, 'expression', r.rule_expression, \
     'implementationReference', r.implementation_reference, 'moduleName', r.module_name, 'description', r.description, \
     'errMessageId', r.err_message_id)) as jsonb from {s}.validationrules r";

const AUTHORITY_NOTE_TYPES: &str = concat!(
    "select r.id, jsonb_build_object('id', r.id, 'name', r.name, 'source', r.source, 'metadata', ",
    metadata!(),
    ") as jsonb from {s}.authority_note_type r"
);

const SOURCE_FILES: &str = concat!(
    "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'name', r.name, 'type', r.type, 'baseUrl', r.base_url, 'source', r.source, \
     'codes', (select coalesce(jsonb_agg(c.code order by c.id), '[]') from {s}.authority_source_file_code c \
       where c.authority_source_file_id = r.id), 'metadata', ",
    metadata!(),
    ")) as jsonb from {s}.authority_source_file r"
);

/// Headings stand in a column of their own, whose member is called by their kind.
const AUTHORITIES: &str = concat!(
    "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'naturalId', r.natural_id, 'sourceFileId', r.source_file_id, \
     'source', r.source, '_version', r._version, 'subjectHeadings', r.subject_heading_code, 'identifiers', r.identifiers, 'notes', r.notes, \
     'metadata', ",
    metadata!(),
    ")) || case when r.heading_type is null then '{}' else jsonb_build_object(r.heading_type, r.heading) end \
     || coalesce((select jsonb_object_agg('sft' || upper(left(h.kind, 1)) || substr(h.kind, 2), h.headings) from \
       (select e ->> 'headingType' as kind, jsonb_agg(e -> 'heading') as headings from jsonb_array_elements(r.sft_headings) e group by 1) h), '{}') \
     || coalesce((select jsonb_object_agg('saft' || upper(left(h.kind, 1)) || substr(h.kind, 2), h.headings) from \
       (select e ->> 'headingType' as kind, jsonb_agg(e -> 'heading') as headings from jsonb_array_elements(r.saft_headings) e group by 1) h), '{}') \
     as jsonb from {s}.authority r where not coalesce(r.deleted, false)"
);

const MAPPING_RULES: &str = "select \
     ('00000000-0000-0000-0000-00000000000' || case r.record_type::text when 'MARC_BIB' then 0 when 'MARC_HOLDING' then 1 else 2 end)::uuid as id, \
     jsonb_build_object('recordType', r.record_type, 'rules', r.jsonb -> 'mappingRules') as jsonb \
     from {s}.mapping_rules r";

const LINKS: &str = "select r.instance_id as id, jsonb_build_object('links', jsonb_agg(jsonb_build_object(\
     'authorityId', r.authority_id, 'linkingRuleId', r.linking_rule_id, 'status', r.status, 'errorCause', r.error_cause) \
     order by r.authority_id, r.linking_rule_id)) as jsonb from {s}.instance_authority_link r group by r.instance_id";

const CALENDARS: &str = concat!(
    "select r.id, jsonb_build_object('id', r.id, 'name', r.name, 'startDate', r.start_date, 'endDate', r.end_date, \
     'assignments', (select coalesce(jsonb_agg(p.service_point_id order by p.service_point_id), '[]') \
       from {s}.service_point_calendars p where p.calendar_id = r.id), \
     'normalHours', (select coalesce(jsonb_agg(jsonb_build_object('startDay', h.start_day, 'startTime', to_char(h.start_time, 'HH24:MI'), \
       'endDay', h.end_day, 'endTime', to_char(h.end_time, 'HH24:MI')) order by h.start_day, h.start_time), '[]') \
       from {s}.normal_hours h where h.calendar_id = r.id), \
     'exceptions', (select coalesce(jsonb_agg(jsonb_build_object('name', e.name, 'startDate', e.start_date, 'endDate', e.end_date, \
       'openings', (select coalesce(jsonb_agg(jsonb_build_object('startDate', o.start_date, 'startTime', to_char(o.open_start_time, 'HH24:MI'), \
         'endDate', o.end_date, 'endTime', to_char(o.open_end_time, 'HH24:MI')) order by o.start_date, o.open_start_time), '[]') \
         from {s}.exception_hours o where o.exception_id = e.id)) order by e.start_date), '[]') \
       from {s}.exceptions e where e.calendar_id = r.id), \
     'metadata', ",
    metadata!(),
    ") as jsonb from {s}.calendars r"
);

/// FOLIO writes an empty text where a storage says nothing of how it works.
const STORAGES: &str = "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'name', r.name, 'apiKey', r.api_key, \
     'providerName', r.provider_name, 'url', r.url, 'statusUrl', r.status_url, 'accessionDelay', r.accession_delay, \
     'accessionTimeUnit', r.accession_time_unit, 'accessionWorkflowDetails', nullif(r.accession_workflow_details, ''), \
     'returningWorkflowDetails', nullif(r.returning_workflow_details, ''), \
     'metadata', jsonb_build_object('createdDate', r.created_date at time zone 'UTC', 'createdByUserId', r.created_by_user_id, \
       'createdByUsername', r.created_by_username, 'updatedDate', r.updated_date at time zone 'UTC', \
       'updatedByUserId', r.updated_by_user_id, 'updatedByUsername', r.updated_by_username))) as jsonb \
     from {s}.remote_storage_configurations r";

const STORAGE_LOCATIONS: &str = "select r.final_location_id as id, jsonb_build_object('folioLocationId', r.final_location_id, \
     'configurationId', r.remote_configuration_id, \
     'originalLocationIds', (select coalesce(jsonb_agg(o.original_location_id order by o.original_location_id), '[]') \
       from {s}.original_locations o where o.final_location_id = r.final_location_id)) as jsonb from {s}.location_mappings r";

const ACCESSIONS: &str = "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'itemBarcode', r.item_barcode, \
     'createdDateTime', r.created_date_time at time zone 'UTC', 'accessionedDateTime', r.accessioned_date_time at time zone 'UTC', \
     'remoteStorageId', r.remote_storage_id, 'callNumber', r.call_number, 'instanceTitle', r.instance_title, \
     'instanceAuthor', r.instance_author, 'instanceContributors', r.instance_contributors, 'publisher', r.publisher, \
     'publishYear', r.publish_year, 'publishPlace', r.publish_place, 'volume', r.volume, 'enumeration', r.enumeration, \
     'chronology', r.chronology, 'issn', r.issn, 'isbn', r.isbn, 'oclc', r.oclc, 'physicalDescription', r.physical_description, \
     'materialType', r.material_type, 'copyNumber', r.copy_number, 'permanentLocationId', r.permanent_location_id)) as jsonb \
     from {s}.accession_queue r";

const RETRIEVALS: &str = "select r.id, jsonb_strip_nulls(jsonb_build_object('id', r.id, 'holdId', r.hold_id, 'itemBarcode', r.item_barcode, \
     'createdDateTime', r.created_date_time at time zone 'UTC', 'retrievedDateTime', r.retrieved_date_time at time zone 'UTC', \
     'remoteStorageId', r.remote_storage_id, 'instanceTitle', r.instance_title, 'instanceAuthor', r.instance_author, \
     'callNumber', r.call_number, 'patronBarcode', r.patron_barcode, 'patronName', r.patron_name, 'pickupLocation', r.pickup_location, \
     'requestStatus', r.request_status, 'requestNote', r.request_note, 'requestType', r.request_type)) as jsonb \
     from {s}.retrieval_queue r";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_found_by_tenant_and_module() {
        let [plain, in_columns] = table_sources("diku", "mod-inventory-storage", "item");
        assert_eq!(plain.unwrap().sql, "\"diku_mod_inventory_storage\".\"item\"");
        assert!(in_columns.is_none());
        let [_, in_columns] = table_sources("diku", "mod-source-record-storage", "records_lb");
        let place = in_columns.unwrap();
        assert_eq!(place.tables.len(), 3);
        assert!(place.sql.contains("from \"diku_mod_source_record_storage\".records_lb r"), "{}", place.sql);
    }
}
