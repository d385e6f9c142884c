//! The tables for profiles and uploads, with FOLIO's own records, for libraries that exist already. Other libraries get the records
//! when they enable the modules.

use octavo_engine::migrations::Migration;

pub(super) const MIGRATION: Migration =
    Migration { number: 32, name: "profiles of imports and uploaded files", sql: SQL };

/// The SQL that inserts the records of a file into a table, except those that exist.
macro_rules! seed {
    ($table:literal, $file:literal, $more:literal) => {
        concat!(
            "insert into ",
            $table,
            " (id, doc)\nselect (r ->> 'id')::uuid, (r::jsonb",
            $more,
            ")::json\nfrom json_array_elements($records$",
            include_str!(concat!("../../../../../data/reference/", $file, ".json")),
            "$records$::json) r\non conflict do nothing;\n"
        )
    };
    ($table:literal, $file:literal) => {
        seed!(
            $table,
            $file,
            " || jsonb_build_object('metadata', jsonb_build_object(\
             'createdDate', to_char(now() at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"'), \
             'updatedDate', to_char(now() at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')))"
        )
    };
}

const SQL: &str = concat!(
    include_str!("../../../migrations/32_profiles_of_imports.sql"),
    seed!("job_profiles", "mod-di-converter-storage/job-profiles"),
    seed!("match_profiles", "mod-di-converter-storage/match-profiles"),
    seed!("action_profiles", "mod-di-converter-storage/action-profiles"),
    seed!("mapping_profiles", "mod-di-converter-storage/mapping-profiles"),
    seed!("profile_wrappers", "mod-di-converter-storage/profile-wrappers", ""),
    seed!("profile_associations", "mod-di-converter-storage/profile-associations", ""),
    seed!("marc_field_protection_settings", "mod-di-converter-storage/marc-field-protection-settings"),
    seed!("file_extensions", "mod-data-import/file-extensions"),
);
