//! The kinds of record of mod-service-interaction 4.0.2, and how they are shown.

use serde_json::{Map, Value, json};

use super::tables;
use crate::kind::{Kind, Member};
use crate::refdata::compute_value;
use crate::resource::Resource;
use crate::toolkit;
use crate::view::View;

toolkit::kinds!(tables);

pub(super) static DASHBOARD: Kind = Kind {
    class: "org.olf.Dashboard",
    record: &tables::DASHBOARDS,
    members: &[
        Member::text("name"),
        Member::text("description"),
        Member::owned("widgets", &WIDGET_INSTANCE, "owner"),
    ],
};

pub(super) static ACCESS: Kind = Kind {
    class: "org.olf.DashboardAccess",
    record: &tables::ACCESSES,
    members: &[
        Member::reference("dashboard", &DASHBOARD).required(),
        Member::outside_reference("user").required(),
        Member::integer("userDashboardWeight").required(),
        Member::boolean("defaultUserDashboard").default("false"),
        Member::text("dateCreated").read_only(),
        Member::refdata("access", &VALUE, "DashboardAccess.Access").required(),
    ],
};

pub(super) static DISPLAY: Kind = Kind {
    class: "org.olf.DashboardDisplayData",
    record: &tables::DISPLAY_DATA,
    members: &[Member::text("dashId").read_only(), Member::text("layoutData").at_most(MOST_TEXT)],
};

pub(super) static WIDGET_TYPE: Kind = Kind {
    class: "org.olf.WidgetType",
    record: &tables::WIDGET_TYPES,
    members: &[
        Member::text("name").required(),
        Member::text("typeVersion").required(),
        Member::text("schema").required().at_most(MOST_TEXT),
    ],
};

pub(super) static WIDGET_DEFINITION: Kind = Kind {
    class: "org.olf.WidgetDefinition",
    record: &tables::WIDGET_DEFINITIONS,
    members: &[
        Member::text("name").required(),
        Member::text("definition").required().at_most(MOST_TEXT),
        Member::text("definitionVersion").required(),
        Member::text("typeName").required(),
        Member::text("typeVersion").required(),
    ],
};

pub(super) static WIDGET_INSTANCE: Kind = Kind {
    class: "org.olf.WidgetInstance",
    record: &tables::WIDGET_INSTANCES,
    members: &[
        Member::text("name").required(),
        Member::integer("weight"),
        Member::text("definitionName").required(),
        Member::text("definitionVersion").required(),
        Member::text("configuration").required().at_most(MOST_TEXT),
        Member::reference("owner", &DASHBOARD).required(),
    ],
};

pub(super) static GENERATOR: Kind = Kind {
    class: "org.olf.numgen.NumberGenerator",
    record: &tables::GENERATORS,
    members: &[
        Member::text("code").required().at_most(36),
        Member::text("name").required().at_most(100),
        Member::text("description"),
        Member::text("defaultSequenceCode"),
        Member::owned("sequences", &SEQUENCE, "owner"),
    ],
};

pub(super) static SEQUENCE: Kind = Kind {
    class: "org.olf.numgen.NumberGeneratorSequence",
    record: &tables::SEQUENCES,
    members: &[
        Member::text("code").required().at_most(36),
        Member::text("name").required(),
        Member::text("prefix").at_most(100),
        Member::text("postfix").at_most(100),
        Member::text("format").at_most(20),
        Member::integer("nextValue"),
        Member::text("outputTemplate"),
        Member::text("description"),
        Member::boolean("enabled").default("true"),
        Member::integer("maximumNumber"),
        Member::integer("maximumNumberThreshold"),
        Member::refdata("checkDigitAlgo", &VALUE, "NumberGeneratorSequence.CheckDigitAlgo"),
        Member::refdata("maximumCheck", &VALUE, "NumberGeneratorSequence.MaximumCheck").read_only(),
        Member::reference("owner", &GENERATOR).required(),
    ],
};

/// Stands for texts that FOLIO does not limit. The limit of the request body holds for them.
const MOST_TEXT: usize = usize::MAX;

pub(super) static CATEGORIES: Resource = Resource {
    kind: &CATEGORY,
    view: &View { nested: &[("values", &View::REFDATA)], ..View::ALL },
    compute_members: compute_value,
    ..Resource::BASE
};

pub(super) static VALUES: Resource = Resource {
    kind: &VALUE,
    view: &View { nested: &[("owner", &View { left_out: &["values"], ..View::ALL })], ..View::ALL },
    compute_members: compute_value,
    ..Resource::BASE
};

/// The view of a dashboard that shows only id, weight and name of its widgets.
static DASHBOARD_SUMMARY: View =
    View { nested: &[("widgets", &View { only: &["id", "weight", "name"], ..View::ALL })], ..View::ALL };

pub(super) static DASHBOARDS: Resource =
    Resource { kind: &DASHBOARD, view: &DASHBOARD_SUMMARY, ..Resource::BASE };

/// The access objects of dashboards: which user may use which dashboard.
pub(super) static ACCESSES: Resource = Resource { kind: &ACCESS, view: &View::ALL, ..Resource::BASE };

/// The dashboards that a user may use.
pub(super) static OWN_ACCESSES: Resource = Resource {
    kind: &ACCESS,
    view: &View { nested: &[("dashboard", &DASHBOARD_SUMMARY)], ..View::ALL },
    ..Resource::BASE
};

pub(super) static DISPLAY_DATA: Resource = Resource { kind: &DISPLAY, view: &View::ALL, ..Resource::BASE };

pub(super) static TYPES: Resource = Resource { kind: &WIDGET_TYPE, view: &View::ALL, ..Resource::BASE };

pub(super) static DEFINITIONS: Resource = Resource {
    kind: &WIDGET_DEFINITION,
    view: &View {
        only: &["name"],
        computed: &[
            ("version", "{doc} -> 'definitionVersion'"),
            ("type", "json_build_object('name', {doc} -> 'typeName', 'version', {doc} -> 'typeVersion')"),
            ("definition", "({doc} ->> 'definition')::json"),
        ],
        ..View::ALL
    },
    ..Resource::BASE
};

pub(super) static WIDGETS: Resource = Resource {
    kind: &WIDGET_INSTANCE,
    view: &View {
        left_out: &["definitionName", "definitionVersion"],
        computed: &[(
            "definition",
            "json_build_object('name', {doc} -> 'definitionName', 'version', {doc} -> 'definitionVersion')",
        )],
        ..View::ALL
    },
    ..Resource::BASE
};

pub(super) static GENERATORS: Resource = Resource {
    kind: &GENERATOR,
    view: &View { nested: &[("sequences", &View { left_out: &["owner"], ..View::ALL })], ..View::ALL },
    compute_members: compute_maximum_check,
    ..Resource::BASE
};

pub(super) static SEQUENCES: Resource = Resource {
    kind: &SEQUENCE,
    view: &View { nested: &[("owner", &View { only: &["id", "name", "code"], ..View::ALL })], ..View::ALL },
    compute_members: compute_maximum_check,
    ..Resource::BASE
};

/// The values of `NumberGeneratorSequence.MaximumCheck` have the same ids in every tenant (`defaults.sql`).
pub(super) const BELOW_THRESHOLD: &str = "5e7a1c00-0000-4000-8000-000000000001";
pub(super) const OVER_THRESHOLD: &str = "5e7a1c00-0000-4000-8000-000000000002";
pub(super) const AT_MAXIMUM: &str = "5e7a1c00-0000-4000-8000-000000000003";

/// Sets `maximumCheck`: how near the next number of a sequence is to its maximum.
pub(super) fn compute_maximum_check(_: &Kind, document: &mut Map<String, Value>) {
    let number = |name: &str| document.get(name).and_then(Value::as_i64);
    let next = number("nextValue").unwrap_or(0);
    let check = match (number("maximumNumber"), number("maximumNumberThreshold")) {
        (Some(most), _) if next > most => Some(AT_MAXIMUM),
        (Some(_), Some(threshold)) if next > threshold => Some(OVER_THRESHOLD),
        (Some(_), Some(_)) => Some(BELOW_THRESHOLD),
        _ => None,
    };
    match check {
        Some(id) => drop(document.insert("maximumCheck".to_owned(), json!(id))),
        None => drop(document.remove("maximumCheck")),
    }
}
