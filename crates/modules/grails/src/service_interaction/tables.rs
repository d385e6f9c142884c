//! The tables of mod-service-interaction 4.0.2, with its unique keys and references.

use octavo_record::{
    ErasureRule, Field, Index, Member, MergeRule, Persons, RecordTransfer, RecordType, Reference, Unique,
};

/// A table stands after the tables that it refers to.
pub(super) static ALL: &[&RecordType] = &[
    &CATEGORIES,
    &VALUES,
    &SETTINGS,
    &DASHBOARDS,
    &ACCESSES,
    &DISPLAY_DATA,
    &WIDGET_TYPES,
    &WIDGET_DEFINITIONS,
    &WIDGET_INSTANCES,
    &GENERATORS,
    &SEQUENCES,
];

crate::toolkit::tables!("servint", " of service interaction");

pub(super) static DASHBOARDS: RecordType = RecordType {
    name: "dashboard",
    table: "servint_dashboard",
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static ACCESSES: RecordType = RecordType {
    name: "access to a dashboard",
    table: "servint_dashboard_access",
    fields: &[Field::uuid("dashboard"), Field::uuid("user").indexed(&[Index::Order]), Field::uuid("access")],
    unique: &[Unique::new(&["dashboard", "user"])],
    references: &[
        Reference::new("dashboard", "servint_dashboard"),
        Reference::new("access", "servint_refdata_value"),
    ],
    persons: Some(&Persons {
        members: &[Member::patron_id("user")],
        on_loan_anonymised: ErasureRule::Keep("they are about no loan"),
        on_user_deleted: ErasureRule::DeleteWhere("t.\"user\" = any($1)"),
        on_user_merged: MergeRule::Move(&[RecordTransfer::new(
            "user",
            "t.\"user\" = $1 and not exists (select from servint_dashboard_access o where o.dashboard = t.dashboard and o.\"user\" = $2)",
        )]),
        ..Persons::NOBODY
    }),
    ..RecordType::BASE
};

pub(super) static DISPLAY_DATA: RecordType = RecordType {
    name: "display data of a dashboard",
    table: "servint_dashboard_display_data",
    fields: &[Field::uuid("dashId")],
    unique: &[Unique::new(&["dashId"])],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static WIDGET_TYPES: RecordType = RecordType {
    name: "type of widgets",
    table: "servint_widget_type",
    fields: &[Field::exact("name"), Field::exact("typeVersion")],
    unique: &[Unique::new(&["name", "typeVersion"])],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static WIDGET_DEFINITIONS: RecordType = RecordType {
    name: "definition of widgets",
    table: "servint_widget_definition",
    fields: &[Field::exact("name"), Field::exact("definitionVersion")],
    unique: &[Unique::new(&["name", "definitionVersion"])],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static WIDGET_INSTANCES: RecordType = RecordType {
    name: "widget",
    table: "servint_widget_instance",
    fields: &[Field::uuid("owner")],
    references: &[Reference::new("owner", "servint_dashboard")],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static GENERATORS: RecordType = RecordType {
    name: "number generator",
    table: "servint_number_generator",
    fields: &[Field::exact("code")],
    unique: &[Unique::new(&["code"])],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};

pub(super) static SEQUENCES: RecordType = RecordType {
    name: "sequence of a number generator",
    table: "servint_number_generator_sequence",
    fields: &[
        Field::uuid("owner"),
        Field::exact("code"),
        Field::uuid("checkDigitAlgo"),
        Field::uuid("maximumCheck"),
    ],
    unique: &[Unique::new(&["owner", "code"])],
    references: &[
        Reference::new("owner", "servint_number_generator"),
        Reference::new("checkDigitAlgo", "servint_refdata_value"),
        Reference::new("maximumCheck", "servint_refdata_value"),
    ],
    persons: Some(&Persons::NOBODY),
    ..RecordType::BASE
};
