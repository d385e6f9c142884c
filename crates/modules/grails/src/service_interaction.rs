//! mod-service-interaction 4.0.2: dashboards with their widgets, and generators of numbers.

mod access;
mod dashboards;
mod kinds;
mod numbers;
mod tables;
mod template;
mod widgets;

use octavo_engine::migrations::Migration;
use octavo_engine::{Context, Module, Notation, calls};
use octavo_kernel::Outcome;

use crate::vocabularies::Vocabularies;
use crate::{records, settings, vocabularies};
use kinds::{DEFINITIONS, GENERATORS, SEQUENCES, SETTINGS, TYPES};

pub static MODULE: Module = Module {
    name: "mod-service-interaction",
    notation: Notation::COMPACT,
    hidden_records: tables::ALL,
    calls: calls! {
        Get "/servint/settings*" => |request| settings::get(request, &SETTINGS);
        Post "/servint/settings*" => |request| settings::create(request, &SETTINGS);
        Put "/servint/settings*" => |request| settings::replace(request, &SETTINGS);
        Delete "/servint/settings*" => |request| settings::delete(request, &SETTINGS);
        Get "/servint/refdata*" => |request| vocabularies::get(request, &VOCABULARIES);
        Post "/servint/refdata*" => |request| vocabularies::create(request, &VOCABULARIES);
        Put "/servint/refdata*" => |request| vocabularies::replace(request, &VOCABULARIES);
        Delete "/servint/refdata*" => |request| vocabularies::delete(request, &VOCABULARIES);
        Get "/servint/dashboard" => dashboards::list;
        Post "/servint/dashboard" => dashboards::create;
        Get "/servint/dashboard/my-dashboards" => dashboards::list_own;
        Put "/servint/dashboard/my-dashboards" => dashboards::change_own;
        Get "/servint/dashboard/{id}" => dashboards::get;
        Put "/servint/dashboard/{id}" => dashboards::replace;
        Delete "/servint/dashboard/{id}" => dashboards::delete;
        Get "/servint/dashboard/{id}/users" => dashboards::users;
        Post "/servint/dashboard/{id}/users" => dashboards::change_users;
        Get "/servint/dashboard/{id}/widgets" => dashboards::widgets;
        Get "/servint/dashboard/{id}/my-access" => dashboards::own_access;
        Get "/servint/dashboard/{id}/displayData" => dashboards::display_data;
        Put "/servint/dashboard/{id}/displayData" => dashboards::change_display_data;
        // In FOLIO this call collects the definitions of all modules with the interface `dashboard`. In Octavo only this module has that
        // interface.
        Get "/servint/widgets/definitions/global" => |request| records::list(request, &DEFINITIONS);
        Get "/servint/widgets/definitions" => |request| records::list(request, &DEFINITIONS);
        Get "/servint/widgets/definitions/{id}" => |request| records::get(request, &DEFINITIONS);
        Get "/dashboard/definitions" => |request| records::list(request, &DEFINITIONS);
        Get "/servint/widgets/instances" => widgets::list;
        Post "/servint/widgets/instances" => widgets::create;
        Get "/servint/widgets/instances/{id}" => widgets::get;
        Put "/servint/widgets/instances/{id}" => widgets::replace;
        Delete "/servint/widgets/instances/{id}" => widgets::delete;
        Get "/servint/widgets/types" => |request| records::list(request, &TYPES);
        Get "/servint/admin/*" => dashboards::administer;
        Get "/servint/numberGenerators" => |request| records::list(request, &GENERATORS);
        Post "/servint/numberGenerators" => |request| records::create(request, &GENERATORS);
        Get "/servint/numberGenerators/getNextNumber" => numbers::next;
        Get "/servint/numberGenerators/{id}" => |request| records::get(request, &GENERATORS);
        Put "/servint/numberGenerators/{id}" => |request| records::replace(request, &GENERATORS);
        Delete "/servint/numberGenerators/{id}" => |request| records::delete(request, &GENERATORS);
        Get "/servint/numberGeneratorSequences" => |request| records::list(request, &SEQUENCES);
        Post "/servint/numberGeneratorSequences" => |request| records::create(request, &SEQUENCES);
        Get "/servint/numberGeneratorSequences/{id}" => |request| records::get(request, &SEQUENCES);
        Put "/servint/numberGeneratorSequences/{id}" => |request| records::replace(request, &SEQUENCES);
        Delete "/servint/numberGeneratorSequences/{id}" => |request| records::delete(request, &SEQUENCES);
    },
    migrations: &[Migration {
        number: 20,
        name: "dashboards and number generators",
        sql: concat!(
            include_str!("../../migrations/20_dashboards_and_number_generators.sql"),
            include_str!("service_interaction/defaults.sql"),
        ),
    }],
    on_enable: Some(|context| Box::pin(install_defaults(context))),
    ..Module::BASE
};

static VOCABULARIES: Vocabularies = Vocabularies {
    categories: &kinds::CATEGORIES,
    values: &kinds::VALUES,
    kinds: &[&kinds::ACCESS, &kinds::SEQUENCE],
    keeps_internal: false,
};

/// Inserts those of FOLIO's vocabularies and number generators that the tenant does not have.
async fn install_defaults(context: Context) -> Outcome<()> {
    Ok(context.session().await?.script(DEFAULTS).await?)
}

const DEFAULTS: &str = include_str!("service_interaction/defaults.sql");

octavo_pg::statements!(within = [access, dashboards, numbers, widgets]);
