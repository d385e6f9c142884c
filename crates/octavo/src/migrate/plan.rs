//! Which types of records are brought over, in an order in which each comes after those that it refers to. Both follow from the
//! declarations; what is left out on purpose stands in [`LEFT_OUT`], with the reason.

use octavo_engine::Module;
use octavo_record::RecordType;
use serde_json::Value;

use super::forms::{ColumnForm, FORMS, form_of_table};

/// A type of records with the module of FOLIO that keeps it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) module: &'static str,
    pub(crate) record: &'static RecordType,
}

impl Kind {
    pub(crate) fn table(&self) -> &'static str {
        self.record.table
    }

    /// The table in FOLIO's database.
    pub(crate) fn folios_table(&self) -> &'static str {
        self.form().map_or(self.table(), |form| form.folios_table)
    }

    /// The description of its table, if records of this type are stored in columns instead of documents.
    pub(super) fn form(&self) -> Option<&'static ColumnForm> {
        form_of_table(self.table())
    }

    /// The SQL of the reporting view, for a type that reports have no declaration of.
    pub(crate) fn view(&self) -> Option<&'static str> {
        self.form().and_then(|form| form.view_sql)
    }

    /// The member with the id.
    pub(super) fn id_member(&self) -> &'static str {
        if self.table() == "snapshots_lb" { "jobExecutionId" } else { "id" }
    }

    /// Whether a record of the source is one to bring over.
    pub(super) fn is_wanted(&self, document: &Value) -> bool {
        match self.form() {
            Some(form) => (form.is_wanted)(document),
            None => self.table() != PERMISSIONS || (document["mutable"] == true && document["dummy"] != true),
        }
    }

    /// An SQL condition for the rows that a new tenant has by default, and that the source's records replace.
    pub(super) fn replaced_rows_condition(&self) -> &'static str {
        if self.table() == PERMISSIONS { "doc ->> 'mutable' = 'true'" } else { "true" }
    }

    /// Whether refused records may not be written into a file.
    pub(super) fn is_secret(&self) -> bool {
        SECRET_TABLES.contains(&self.table())
    }
}

/// The permissions of modules are Octavo's own; sets of permissions that the library has made are brought over.
const PERMISSIONS: &str = "permissions";

/// Tables with hashes of passwords, pins and keys.
pub(crate) const SECRET_TABLES: &[&str] = &[
    "auth_credentials",
    "auth_credentials_history",
    "auth_password_action",
    "patronpin",
    "smtp_configuration",
    "copycat_profile",
    "config_data",
    "audit_config_data",
    "settings",
];

const SESSIONS: &str = "sessions and log-ins under way end with the move";
const JOBS: &str = "jobs of the other server";
const OWN: &str = "Octavo's own: FOLIO has none";
const GRAILS: &str = "FOLIO keeps them in tables of another form, which are not read";

/// Types that are not brought over, and why.
pub(super) const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        SESSIONS,
        &[
            "auth_attempts",
            "auth_password_action",
            "refresh_tokens",
            "auth_ended_sessions",
            "auth_places",
            "sso_used",
            "check_out_lock",
        ],
    ),
    (
        JOBS,
        &[
            "synchronization_jobs",
            "tlr_feature_toggle_job",
            "reindex_job",
            "authority_reindex_job",
            "iteration_job",
            "async_migration_job",
            "async_migration_jobs",
            "upload_definitions",
            "profile_snapshots",
        ],
    ),
    (
        OWN,
        &[
            "sso_settings",
            "user_merge",
            "decision",
            "notice",
            "security_event",
            "webhook",
            "refused_event",
            "dcb_transaction_change",
        ],
    ),
];

/// Why a type is left out; `None` if it is brought over.
pub(crate) fn why_left_out(kind: &Kind) -> Option<&'static str> {
    let listed = LEFT_OUT.iter().find(|(_, tables)| tables.contains(&kind.table())).map(|(why, _)| *why);
    let grails = ["mod-service-interaction", "mod-oa"].contains(&kind.module).then_some(GRAILS);
    listed.or(grails)
}

/// All types of records, each after the types that it refers to; the types with tables of their own come last.
pub(crate) fn plan(modules: &[&'static Module]) -> Vec<Kind> {
    let all: Vec<Kind> = modules
        .iter()
        .flat_map(|module| module.tables().into_iter().map(|record| Kind { module: module.name, record }))
        .collect();
    let mut ordered = Vec::with_capacity(all.len());
    for kind in &all {
        add_after_references(&all, *kind, &mut ordered, &mut Vec::new());
    }
    ordered.extend(FORMS.iter().map(|form| Kind { module: form.module, record: (form.record)() }));
    ordered
}

fn add_after_references(all: &[Kind], kind: Kind, ordered: &mut Vec<Kind>, open: &mut Vec<&'static str>) {
    let table = kind.table();
    if open.contains(&table) || ordered.iter().any(|placed| placed.table() == table) {
        return;
    }
    open.push(table);
    for reference in kind.record.references {
        if let Some(target) = all.iter().find(|other| other.table() == reference.table) {
            add_after_references(all, *target, ordered, open);
        }
    }
    open.pop();
    ordered.push(kind);
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use octavo_modules::MODULES;

    use super::*;

    #[test]
    fn every_type_comes_once_and_after_those_that_it_refers_to() {
        let plan = plan(MODULES);
        let mut before = HashSet::new();
        for kind in &plan {
            for reference in kind.record.references {
                let there = reference.table == kind.table() || before.contains(reference.table);
                assert!(there, "{} comes before {}", kind.table(), reference.table);
            }
            assert!(before.insert(kind.table()), "{} comes twice", kind.table());
        }
        let types: usize = MODULES.iter().map(|module| module.tables().len()).sum();
        assert_eq!(plan.len(), types + FORMS.len());
    }

    #[test]
    fn what_is_left_out_or_secret_is_there() {
        let plan = plan(MODULES);
        let tables: HashSet<&str> = plan.iter().map(Kind::table).collect();
        for table in LEFT_OUT.iter().flat_map(|(_, tables)| *tables).chain(SECRET_TABLES) {
            assert!(tables.contains(table), "there is no {table}");
        }
    }

    #[test]
    fn of_permissions_only_the_sets_of_the_library_are_wanted() {
        let plan = plan(MODULES);
        let permissions = plan.iter().find(|kind| kind.table() == PERMISSIONS).unwrap();
        for (document, wanted) in [
            (serde_json::json!({"mutable": true}), true),
            (serde_json::json!({"mutable": false}), false),
            (serde_json::json!({"mutable": true, "dummy": true}), false),
        ] {
            assert_eq!(permissions.is_wanted(&document), wanted, "{document}");
        }
    }
}
