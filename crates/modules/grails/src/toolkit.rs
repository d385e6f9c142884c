//! The parts that web-toolkit 9.0.0 adds to every module: vocabularies (reference data) with their values, and settings.

/// The tables of a module's vocabularies, values and settings. The names of the tables begin with `$prefix`; the names of the record types
/// end with `$of`.
macro_rules! tables {
    ($prefix:literal, $of:literal) => {
        pub(super) static CATEGORIES: octavo_record::RecordType = octavo_record::RecordType {
            name: concat!("vocabulary", $of),
            table: concat!($prefix, "_refdata_category"),
            fields: &[octavo_record::Field::exact("desc")],
            unique: &[octavo_record::Unique::new(&["desc"])],
            persons: Some(&octavo_record::Persons::NOBODY),
            ..octavo_record::RecordType::BASE
        };

        pub(super) static VALUES: octavo_record::RecordType = octavo_record::RecordType {
            name: concat!("value of a vocabulary", $of),
            table: concat!($prefix, "_refdata_value"),
            fields: &[octavo_record::Field::uuid("owner"), octavo_record::Field::exact("value")],
            unique: &[octavo_record::Unique::new(&["owner", "value"])],
            references: &[octavo_record::Reference::new("owner", concat!($prefix, "_refdata_category"))],
            persons: Some(&octavo_record::Persons::NOBODY),
            ..octavo_record::RecordType::BASE
        };

        pub(super) static SETTINGS: octavo_record::RecordType = octavo_record::RecordType {
            name: concat!("setting", $of),
            table: concat!($prefix, "_app_setting"),
            persons: Some(&octavo_record::Persons::NOBODY),
            ..octavo_record::RecordType::BASE
        };
    };
}

/// The kinds of record in these tables.
macro_rules! kinds {
    ($tables:ident) => {
        pub(super) static CATEGORY: crate::kind::Kind = crate::kind::Kind {
            class: "com.k_int.web.toolkit.refdata.RefdataCategory",
            record: &$tables::CATEGORIES,
            members: &[
                crate::kind::Member::text("desc").required(),
                crate::kind::Member::boolean("internal").default("false"),
                crate::kind::Member::owned("values", &VALUE, "owner"),
            ],
        };

        pub(super) static VALUE: crate::kind::Kind = crate::kind::Kind {
            class: "com.k_int.web.toolkit.refdata.RefdataValue",
            record: &$tables::VALUES,
            members: &[
                crate::kind::Member::text("value").required(),
                crate::kind::Member::text("label").required(),
                crate::kind::Member::reference("owner", &CATEGORY).required(),
            ],
        };

        pub(super) static SETTINGS: crate::resource::Resource = crate::resource::Resource {
            kind: &crate::kind::Kind {
                class: "com.k_int.web.toolkit.settings.AppSetting",
                record: &$tables::SETTINGS,
                members: &[
                    crate::kind::Member::text("section"),
                    crate::kind::Member::text("key").required(),
                    crate::kind::Member::text("settingType"),
                    crate::kind::Member::text("vocab"),
                    crate::kind::Member::text("defValue"),
                    crate::kind::Member::text("value"),
                    crate::kind::Member::boolean("hidden"),
                ],
            },
            ..crate::resource::Resource::BASE
        };
    };
}

pub(crate) use {kinds, tables};
