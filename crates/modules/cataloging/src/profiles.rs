//! mod-di-converter-storage 2.2.2: the profiles of imports. A job profile has match and action profiles below it in a tree, an action
//! profile has a mapping profile; the same profile may be in the trees of many jobs.

mod associations;
mod changes;
mod kinds;
mod migration;
mod reads;
mod refusals;
mod relations;
mod rules;
mod settings;
pub(crate) mod tree;

use octavo_engine::{Call, Module, calls};

pub(crate) use reads::narrow_query;

use kinds::{ACTION, ASSOCIATION, JOB, Kind, MAPPING, MATCH, SNAPSHOT, WRAPPER};
use settings::{FORM, PROTECTION};

pub static MODULE: Module = Module {
    name: "mod-di-converter-storage",
    records: &[&PROTECTION, &FORM],
    hidden_records: &[&JOB, &MATCH, &ACTION, &MAPPING, &WRAPPER, &ASSOCIATION, &SNAPSHOT],
    calls: CALLS,
    script: include_str!("profiles/tenant.sql"),
    migrations: &[migration::MIGRATION],
    ..Module::BASE
};

static CALLS: &[Call] = calls! {
    Get JOB.path => |request| reads::list_profiles(request, Kind::Job);
    Post JOB.path => |request| changes::create(request, Kind::Job);
    Get "/data-import-profiles/jobProfiles/{id}" => |request| reads::get(request, Kind::Job);
    Put "/data-import-profiles/jobProfiles/{id}" => |request| changes::replace(request, Kind::Job);
    Delete "/data-import-profiles/jobProfiles/{id}" => |request| changes::delete(request, Kind::Job);
    Get MATCH.path => |request| reads::list_profiles(request, Kind::Match);
    Post MATCH.path => |request| changes::create(request, Kind::Match);
    Get "/data-import-profiles/matchProfiles/{id}" => |request| reads::get(request, Kind::Match);
    Put "/data-import-profiles/matchProfiles/{id}" => |request| changes::replace(request, Kind::Match);
    Delete "/data-import-profiles/matchProfiles/{id}" => |request| changes::delete(request, Kind::Match);
    Get ACTION.path => |request| reads::list_profiles(request, Kind::Action);
    Post ACTION.path => |request| changes::create(request, Kind::Action);
    Get "/data-import-profiles/actionProfiles/{id}" => |request| reads::get(request, Kind::Action);
    Put "/data-import-profiles/actionProfiles/{id}" => |request| changes::replace(request, Kind::Action);
    Delete "/data-import-profiles/actionProfiles/{id}" => |request| changes::delete(request, Kind::Action);
    Get MAPPING.path => |request| reads::list_profiles(request, Kind::Mapping);
    Post MAPPING.path => |request| changes::create(request, Kind::Mapping);
    Get "/data-import-profiles/mappingProfiles/{id}" => |request| reads::get(request, Kind::Mapping);
    Put "/data-import-profiles/mappingProfiles/{id}" => |request| changes::replace(request, Kind::Mapping);
    Delete "/data-import-profiles/mappingProfiles/{id}" => |request| changes::delete(request, Kind::Mapping);
    Get "/data-import-profiles/profileAssociations" => associations::list;
    Post "/data-import-profiles/profileAssociations" => associations::create;
    Get "/data-import-profiles/profileAssociations/{id}" => associations::get;
    Put "/data-import-profiles/profileAssociations/{id}" => associations::replace;
    Delete "/data-import-profiles/profileAssociations/{id}" => associations::delete;
    Get "/data-import-profiles/profileAssociations/{masterId}/details" => associations::details;
    Get "/data-import-profiles/profileAssociations/{detailId}/masters" => associations::masters;
    Get "/data-import-profiles/jobProfileSnapshots/{id}" => tree::get_snapshot;
    Post "/data-import-profiles/jobProfileSnapshots/{id}" => tree::create_snapshot;
    Get "/data-import-profiles/profileSnapshots/{profileId}" => tree::get_tree;
    Get "/data-import-profiles/entityTypes" => |_| settings::entities();
    Post PROTECTION.path => settings::protect;
    Put "/field-protection-settings/marc/{id}" => settings::change_protection;
    Delete "/field-protection-settings/marc/{id}" => settings::unprotect;
    Get FORM.path => settings::forms;
    Get "/converter-storage/forms/configs/{formName}" => settings::form;
    Put "/converter-storage/forms/configs/{formName}" => settings::set_form;
    Delete "/converter-storage/forms/configs/{formName}" => settings::remove_form;
};

octavo_pg::statements!(within = [associations, changes, reads, settings, tree]);
