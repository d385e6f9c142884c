//! What a tenant's configuration consists of: each kind of record once, in an order in which records come after those that they name.
//! The record types that are none of it stand in [`LEFT_OUT`], with the reason.

use serde_json::Value;

/// One kind of record, which has a file or a folder of its own.
#[derive(Debug)]
pub(super) struct Kind {
    /// The record type's table.
    pub(super) table: &'static str,
    /// The name of its file without `.json`, or of its folder.
    pub(super) name: &'static str,
    /// The members that are shown to people as the record's name.
    pub(super) label: &'static [&'static str],
    /// The member whose value is unique for each record.
    pub(super) key: &'static str,
    pub(super) shape: Shape,
    pub(super) calls: Calls,
    /// Members that the server computes.
    pub(super) computed_members: &'static [&'static str],
    /// Arrays whose order has no meaning.
    pub(super) unordered_arrays: &'static [&'static str],
    /// Which records of the table are configuration; `None` is all.
    pub(super) is_configuration: Option<fn(&Value) -> bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One JSON array.
    List,
    /// A file for each record, and one for each long text in it.
    Folder,
    /// The one text of the circulation rules.
    Rules,
}

/// The calls by which a record is created, changed and deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    /// POST to the path, PUT and DELETE below it.
    Usual,
    /// POST would give the record another id. So the record is stored directly first, and then replaced by PUT, which checks it.
    StoredFirst,
    /// PUT of all custom fields of a type of record, in their order.
    CustomFields,
    /// POST creates and replaces.
    PostReplaces,
    /// PUT to the path creates and replaces.
    PutReplaces,
    /// A tenant has one, which PUT replaces.
    SingleRecord(&'static str),
    /// POST and PATCH take other members than a record has.
    SourceFile,
    Rules,
}

const NAME: &[&str] = &["name"];
/// The call that checks the rules before it stores them.
pub(super) const RULES: &str = "/circulation/rules";
pub(super) const RULES_TEXT: &str = "rulesAsText";

const fn kind(table: &'static str, name: &'static str) -> Kind {
    Kind {
        table,
        name,
        label: NAME,
        key: "id",
        shape: Shape::List,
        calls: Calls::Usual,
        computed_members: &[],
        unordered_arrays: &[],
        is_configuration: None,
    }
}

const fn kind_with_label(table: &'static str, name: &'static str, label: &'static [&'static str]) -> Kind {
    Kind { label, ..kind(table, name) }
}

pub(super) static KINDS: &[Kind] = &[
    kind_with_label("groups", "patron-groups", &["group"]),
    kind_with_label("addresstype", "address-types", &["addressType"]),
    kind("departments", "departments"),
    Kind {
        label: &["entityType", "name"],
        calls: Calls::CustomFields,
        computed_members: &["refId"],
        ..kind("custom_fields", "custom-fields")
    },
    Kind {
        label: &["configName"],
        calls: Calls::SingleRecord("/users/configurations/entry"),
        ..kind("users_configuration", "profile-pictures")
    },
    Kind { calls: Calls::PutReplaces, ..kind("validation_rules", "password-rules") },
    Kind {
        label: &["displayName"],
        computed_members: &[
            "mutable",
            "dummy",
            "deprecated",
            "moduleName",
            "moduleVersion",
            "childOf",
            "grantedTo",
        ],
        unordered_arrays: &["subPermissions", "tags"],
        is_configuration: Some(|permission| permission["mutable"] == true && permission["dummy"] != true),
        ..kind("permissions", "permission-sets")
    },
    Kind {
        label: &["module", "configName", "code"],
        is_configuration: Some(|entry| entry["userId"].is_null() && !is_api_key(entry)),
        ..kind("config_data", "configuration-entries")
    },
    Kind {
        label: &["scope", "key"],
        is_configuration: Some(|entry| entry["userId"].is_null()),
        ..kind("settings", "settings")
    },
    kind_with_label("tags", "tags", &["label"]),
    kind("note_type", "note-types"),
    kind("locinstitution", "institutions"),
    kind("loccampus", "campuses"),
    kind("loclibrary", "libraries"),
    Kind { shape: Shape::Folder, ..kind("staff_slips", "staff-slips") },
    kind("service_point", "service-points"),
    kind("location", "locations"),
    Kind { calls: Calls::StoredFirst, unordered_arrays: &["assignments"], ..kind("calendars", "calendars") },
    kind("remote_storage_configurations", "remote-storages"),
    Kind {
        label: &["folioLocationId"],
        key: "folioLocationId",
        calls: Calls::PostReplaces,
        computed_members: &["id"],
        ..kind("location_mappings", "remote-storage-locations")
    },
    kind("material_type", "material-types"),
    kind("loan_type", "loan-types"),
    kind("identifier_type", "identifier-types"),
    kind("instance_relationship_type", "instance-relationship-types"),
    kind("contributor_type", "contributor-types"),
    kind("contributor_name_type", "contributor-name-types"),
    kind("instance_type", "instance-types"),
    kind("instance_format", "instance-formats"),
    kind("nature_of_content_term", "nature-of-content-terms"),
    kind("classification_type", "classification-types"),
    kind("electronic_access_relationship", "electronic-access-relationships"),
    kind("statistical_code_type", "statistical-code-types"),
    kind("statistical_code", "statistical-codes"),
    kind("instance_status", "instance-statuses"),
    kind("mode_of_issuance", "modes-of-issuance"),
    kind("alternative_title_type", "alternative-title-types"),
    kind("ill_policy", "ill-policies"),
    kind("call_number_type", "call-number-types"),
    kind("holdings_type", "holdings-types"),
    kind("instance_note_type", "instance-note-types"),
    kind("holdings_note_type", "holdings-note-types"),
    kind("item_note_type", "item-note-types"),
    kind("item_damaged_status", "item-damaged-statuses"),
    kind("holdings_records_source", "holdings-sources"),
    Kind {
        computed_members: &["createdDate", "createdByUserId", "updatedDate", "updatedByUserId"],
        ..kind("oai_set", "harvest-sets")
    },
    kind("authority_note_type", "authority-note-types"),
    Kind { calls: Calls::SourceFile, ..kind("authority_source_file", "authority-source-files") },
    Kind { shape: Shape::Folder, ..kind("template", "templates") },
    kind("event_configurations", "account-events"),
    kind_with_label("smtp_configuration", "mail-server", &["host"]),
    kind("fixed_due_date_schedule", "fixed-due-date-schedules"),
    kind("cancellation_reason", "cancellation-reasons"),
    kind_with_label("owners", "fee-fine-owners", &["owner"]),
    kind_with_label("feefines", "fee-fine-types", &["feeFineType"]),
    kind_with_label("payments", "payment-methods", &["nameMethod"]),
    kind_with_label("waives", "waive-reasons", &["nameReason"]),
    kind_with_label("refunds", "refund-reasons", &["nameReason"]),
    kind_with_label("transfers", "transfer-accounts", &["accountName"]),
    kind_with_label("comments", "comment-settings", &[]),
    kind_with_label("transfer_criteria", "transfer-criteria", &["criteria"]),
    kind("manual_block_templates", "manual-block-templates"),
    kind("patron_block_conditions", "patron-block-conditions"),
    kind_with_label("patron_block_limits", "patron-block-limits", &["patronGroupId", "conditionId"]),
    kind("loan_policy", "loan-policies"),
    kind("request_policy", "request-policies"),
    kind("patron_notice_policy", "patron-notice-policies"),
    kind("overdue_fine_policy", "overdue-fine-policies"),
    kind("lost_item_fee_policy", "lost-item-fee-policies"),
    Kind {
        label: &[],
        key: "",
        shape: Shape::Rules,
        calls: Calls::Rules,
        ..kind("circulation_rules", "circulation-rules")
    },
];

/// Whether an entry is an API key for availability requests. Such keys are secrets and are not exported.
fn is_api_key(entry: &Value) -> bool {
    octavo_modules::is_api_key(entry)
}

/// The record types that are no configuration.
#[cfg(test)]
pub(super) static LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "people, and what belongs to one of them",
        &[
            "users",
            "proxyfor",
            "profile_picture",
            "patronpin",
            "user_tenant",
            "user_merge",
            "permissions_users",
            "service_point_user",
            "user_request_preference",
            "manualblocks",
            "note",
            "notify_data",
        ],
    ),
    (
        "log-ins, passwords and tokens",
        &[
            "auth_credentials",
            "auth_credentials_history",
            "auth_attempts",
            "auth_password_action",
            "refresh_tokens",
            "auth_ended_sessions",
            "auth_places",
            "event_logs",
            "sso_used",
        ],
    ),
    (
        "the collection",
        &[
            "instance",
            "holdings_record",
            "item",
            "bound_with_part",
            "instance_relationship",
            "preceding_succeeding_title",
            "instance_source_marc",
            "authority",
            "authority_archive",
            "snapshots_lb",
            "records_lb",
            "circulation_item",
        ],
    ),
    (
        "what happens at the desk",
        &[
            "loan",
            "audit_loan",
            "audit_data",
            "request",
            "check_in",
            "scheduled_notice",
            "patron_action_session",
            "actual_cost_record",
            "check_out_lock",
            "decision",
            "accounts",
            "feefineactions",
            "notice",
            "email_statistics",
            "print_entry",
            "dcb_transaction",
            "dcb_transaction_change",
        ],
    ),
    ("what comes into remote storages and is wanted of them", &["accession_queue", "retrieval_queue"]),
    (
        "events and where they go: a webhook begins to get events when it is made, with a secret of its own",
        &["webhook", "refused_event"],
    ),
    ("what happened to the security of one installation", &["security_event"]),
    (
        "jobs",
        &[
            "synchronization_jobs",
            "tlr_feature_toggle_job",
            "reindex_job",
            "authority_reindex_job",
            "iteration_job",
            "async_migration_job",
            "async_migration_jobs",
        ],
    ),
    (
        "profiles of imports, whose relations go with them, and what belongs to them: not carried over yet",
        &[
            "job_profiles",
            "match_profiles",
            "action_profiles",
            "mapping_profiles",
            "profile_associations",
            "profile_wrappers",
            "marc_field_protection_settings",
            "forms_configs",
            "file_extensions",
        ],
    ),
    ("uploaded files, and what jobs were when they began", &["upload_definitions", "profile_snapshots"]),
    ("the history of configuration entries", &["audit_config_data"]),
    (
        "the service for single sign-on and the LDAP directory, which belong to one installation, with their secrets",
        &["sso_settings"],
    ),
    ("profiles of copy cataloging, which hold passwords for other catalogues", &["copycat_profile"]),
    (
        "the next number to be given, which goes on by itself",
        &["hrid_settings", "servint_number_generator", "servint_number_generator_sequence"],
    ),
    (
        "dashboards, which are their users' own, and what the modules made with Grails keep for themselves",
        &[
            "servint_refdata_category",
            "servint_refdata_value",
            "servint_app_setting",
            "servint_dashboard",
            "servint_dashboard_access",
            "servint_dashboard_display_data",
            "servint_widget_type",
            "servint_widget_definition",
            "servint_widget_instance",
        ],
    ),
    (
        "open access: its vocabularies, settings and checklists would be configuration, and are not carried over yet",
        &[
            "oa_refdata_category",
            "oa_refdata_value",
            "oa_app_setting",
            "oa_checklist_item_definition",
            "oa_work",
            "oa_title_instance",
            "oa_party",
            "oa_publication_request",
            "oa_correspondence",
            "oa_charge",
        ],
    ),
];

pub(super) fn kind_by_name(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use octavo_modules::MODULES;
    use octavo_record::RecordType;

    use super::*;

    fn record_types() -> Vec<&'static RecordType> {
        MODULES.iter().flat_map(|module| module.tables()).collect()
    }

    #[test]
    fn every_record_type_is_configuration_or_left_out_with_a_reason() {
        let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.table).collect();
        let left_out: Vec<&str> = LEFT_OUT.iter().flat_map(|(_, tables)| *tables).copied().collect();
        let declared: HashSet<&str> = record_types().iter().map(|record| record.table).collect();
        let mut decided = HashSet::new();
        for table in kinds.iter().chain(&left_out) {
            assert!(declared.contains(table), "{table} is no record type");
            assert!(decided.insert(*table), "{table} stands there twice");
        }
        let open: Vec<_> = declared.difference(&decided).collect();
        assert!(open.is_empty(), "neither a kind of configuration nor left out: {open:?}");
        let names: HashSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), KINDS.len(), "two kinds have one name");
    }

    #[test]
    fn a_record_comes_after_those_that_it_names() {
        let place = |table: &str| KINDS.iter().position(|kind| kind.table == table);
        for record in record_types() {
            let Some(at) = place(record.table) else { continue };
            for reference in record.references {
                let named = place(reference.table);
                assert!(named.is_none_or(|named| named <= at), "{} names {}", record.table, reference.table);
            }
        }
    }
}
