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
    /// The members by which people know a record.
    pub(super) label: &'static [&'static str],
    /// The member that tells records apart.
    pub(super) key: &'static str,
    pub(super) shape: Shape,
    pub(super) way: Way,
    /// Members that the server computes.
    pub(super) computed: &'static [&'static str],
    /// Arrays whose order means nothing.
    pub(super) sets: &'static [&'static str],
    /// Which records of the table are configuration; `None` is all.
    pub(super) only: Option<fn(&Value) -> bool>,
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
pub(super) enum Way {
    /// POST to the path, PUT and DELETE below it.
    Usual,
    /// POST would give the record another id: it is stored first, and then replaced by the call, which checks it.
    StoredFirst,
    /// PUT of all custom fields of a type of record, in their order.
    CustomFields,
    /// POST creates and replaces.
    Posted,
    /// PUT to the path creates and replaces.
    Put,
    /// A tenant has one, which PUT replaces.
    One(&'static str),
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
        way: Way::Usual,
        computed: &[],
        sets: &[],
        only: None,
    }
}

const fn known_by(table: &'static str, name: &'static str, label: &'static [&'static str]) -> Kind {
    Kind { label, ..kind(table, name) }
}

pub(super) static KINDS: &[Kind] = &[
    known_by("groups", "patron-groups", &["group"]),
    known_by("addresstype", "address-types", &["addressType"]),
    kind("departments", "departments"),
    Kind {
        label: &["entityType", "name"],
        way: Way::CustomFields,
        computed: &["refId"],
        ..kind("custom_fields", "custom-fields")
    },
    Kind {
        label: &["configName"],
        way: Way::One("/users/configurations/entry"),
        ..kind("users_configuration", "profile-pictures")
    },
    Kind { way: Way::Put, ..kind("validation_rules", "password-rules") },
    Kind {
        label: &["displayName"],
        computed: &["mutable", "dummy", "deprecated", "moduleName", "moduleVersion", "childOf", "grantedTo"],
        sets: &["subPermissions", "tags"],
        only: Some(|permission| permission["mutable"] == true && permission["dummy"] != true),
        ..kind("permissions", "permission-sets")
    },
    Kind {
        label: &["module", "configName", "code"],
        only: Some(|entry| entry["userId"].is_null() && !is_api_key(entry)),
        ..kind("config_data", "configuration-entries")
    },
    Kind {
        label: &["scope", "key"],
        only: Some(|entry| entry["userId"].is_null()),
        ..kind("settings", "settings")
    },
    known_by("tags", "tags", &["label"]),
    kind("note_type", "note-types"),
    kind("locinstitution", "institutions"),
    kind("loccampus", "campuses"),
    kind("loclibrary", "libraries"),
    Kind { shape: Shape::Folder, ..kind("staff_slips", "staff-slips") },
    kind("service_point", "service-points"),
    kind("location", "locations"),
    Kind { way: Way::StoredFirst, sets: &["assignments"], ..kind("calendars", "calendars") },
    kind("remote_storage_configurations", "remote-storages"),
    Kind {
        label: &["folioLocationId"],
        key: "folioLocationId",
        way: Way::Posted,
        computed: &["id"],
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
        computed: &["createdDate", "createdByUserId", "updatedDate", "updatedByUserId"],
        ..kind("oai_set", "harvest-sets")
    },
    kind("authority_note_type", "authority-note-types"),
    Kind { way: Way::SourceFile, ..kind("authority_source_file", "authority-source-files") },
    Kind { shape: Shape::Folder, ..kind("template", "templates") },
    kind("event_configurations", "account-events"),
    known_by("smtp_configuration", "mail-server", &["host"]),
    kind("fixed_due_date_schedule", "fixed-due-date-schedules"),
    kind("cancellation_reason", "cancellation-reasons"),
    known_by("owners", "fee-fine-owners", &["owner"]),
    known_by("feefines", "fee-fine-types", &["feeFineType"]),
    known_by("payments", "payment-methods", &["nameMethod"]),
    known_by("waives", "waive-reasons", &["nameReason"]),
    known_by("refunds", "refund-reasons", &["nameReason"]),
    known_by("transfers", "transfer-accounts", &["accountName"]),
    known_by("comments", "comment-settings", &[]),
    known_by("transfer_criteria", "transfer-criteria", &["criteria"]),
    kind("manual_block_templates", "manual-block-templates"),
    kind("patron_block_conditions", "patron-block-conditions"),
    known_by("patron_block_limits", "patron-block-limits", &["patronGroupId", "conditionId"]),
    kind("loan_policy", "loan-policies"),
    kind("request_policy", "request-policies"),
    kind("patron_notice_policy", "patron-notice-policies"),
    kind("overdue_fine_policy", "overdue-fine-policies"),
    kind("lost_item_fee_policy", "lost-item-fee-policies"),
    Kind {
        label: &[],
        key: "",
        shape: Shape::Rules,
        way: Way::Rules,
        ..kind("circulation_rules", "circulation-rules")
    },
];

/// Keys of programs that ask for availability: whoever has one may ask.
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

pub(super) fn named(name: &str) -> Option<&'static Kind> {
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
