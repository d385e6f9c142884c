//! The record types of mod-users; users and patron groups are in `user_records`.

use octavo_record::{
    DisclosureRule, ErasureRule, Field, Index, InvalidId, Member, MergeRule, PersonalData, Persons,
    PlainErrors, RecordMessages, RecordTransfer, RecordType, Unique,
};

pub static ADDRESS_TYPE: RecordType = RecordType {
    name: "address type",
    table: "addresstype",
    path: "/addresstypes",
    collection: "addressTypes",
    schema: include_str!("../../../folio/records/mod-users/addresstype.tsv"),
    fields: &[Field::text("addressType")],
    unique: &[Unique::new(&["addressType"])],
    plain_errors: PlainErrors::Changes,
    snapshot: true,
    persons: Some(&Persons { not_persons: &["addressType"], ..Persons::NOBODY }),
    ..RecordType::BASE
};

pub static DEPARTMENT: RecordType = RecordType {
    name: "department",
    table: "departments",
    snapshot: true,
    path: "/departments",
    collection: "departments",
    // FOLIO's interface has a pattern for these ids.
    messages: RecordMessages { invalid_id: InvalidId::BadRequest, ..RecordMessages::RMB },
    schema: include_str!("../../../folio/records/mod-users/department.tsv"),
    response_expression: Some(
        "{t}.doc::jsonb || jsonb_build_object('usageNumber', \
           (select count(*) from users u where (u.doc -> 'departments')::jsonb ? {t}.id::text))",
    ),
    fields: &[Field::text("name"), Field::text("code")],
    unique: &[
        Unique::new(&["name"]).with_refusal("Department with this name already exists", "name"),
        Unique::new(&["code"]).with_refusal("Department with this code already exists", "code"),
    ],
    ..RecordType::BASE
};

pub static CUSTOM_FIELD: RecordType = RecordType {
    name: "custom field",
    table: "custom_fields",
    path: "/custom-fields",
    collection: "customFields",
    messages: RecordMessages::not_found("CustomField not found by id: {}"),
    schema: include_str!("../../../folio/records/mod-users/customField.tsv"),
    fields: &[Field::text("name"), Field::text("entityType"), Field::number("order")],
    snapshot: true,
    ..RecordType::BASE
};

pub static PROXY: RecordType = RecordType {
    name: "proxy relation",
    table: "proxyfor",
    path: "/proxiesfor",
    collection: "proxiesFor",
    schema: include_str!("../../../folio/records/mod-users/proxyfor.tsv"),
    fields: &[
        Field::text("userId").indexed(&[Index::Order]),
        Field::text("proxyUserId").indexed(&[Index::Order]),
    ],
    unique: &[
        Unique::new(&["userId", "proxyUserId"]).with_refusal("Proxy relationship already exists", "proxyFor")
    ],
    plain_errors: PlainErrors::Changes,
    persons: Some(&Persons {
        not_persons: &["requestForSponsor"],
        // Nobody becomes a proxy of themselves, or twice of the same sponsor.
        on_user_merged: MergeRule::Move(&[
            RecordTransfer::new(
                "userId",
                "t.\"userId\" = $1::uuid::text and t.\"proxyUserId\" <> $2::uuid::text and not exists (\
                   select from proxyfor p where p.\"userId\" = $2::uuid::text and p.\"proxyUserId\" = t.\"proxyUserId\")",
            ),
            RecordTransfer::new(
                "proxyUserId",
                "t.\"proxyUserId\" = $1::uuid::text and t.\"userId\" <> $2::uuid::text and not exists (\
                   select from proxyfor p where p.\"proxyUserId\" = $2::uuid::text and p.\"userId\" = t.\"userId\")",
            ),
        ]),
        ..Persons::deleted_with_user(
            &[Member::patron_id("userId"), Member::patron_id("proxyUserId")],
            "t.\"userId\" = any($1::uuid[]::text[]) or t.\"proxyUserId\" = any($1::uuid[]::text[])",
        )
    }),
    patron_lock_member: Some("userId"),
    ..RecordType::BASE
};

/// One for each tenant: whether users may have pictures, and how these are kept.
pub(super) static PICTURE_SETTINGS: RecordType = RecordType {
    name: "profile picture configuration",
    table: "users_configuration",
    schema: include_str!("../../../folio/records/mod-users/configuration.tsv"),
    single: true,
    ..RecordType::BASE
};

/// A picture, encrypted: `blob`.
pub(super) static PICTURE: RecordType = RecordType {
    name: "profile picture",
    table: "profile_picture",
    persons: Some(&Persons {
        disclosure: DisclosureRule::Nothing(
            "a picture is given by GET /users/profile-picture/{id}, under the id that the user's record has",
        ),
        ..Persons::deleted_with_user(
            &[Member::patron("blob", PersonalData::All)],
            "t.id::text in (select u.doc #>> '{personal,profilePictureLink}' from users u where u.id = any($1))",
        )
    }),
    ..RecordType::BASE
};

/// `id` is the user's; `pin` is hashed.
pub(super) static PIN: RecordType = RecordType {
    name: "patron PIN",
    table: "patronpin",
    schema: include_str!("../../../folio/records/mod-users/patronpin.tsv"),
    persons: Some(&Persons {
        secret: &["pin"],
        ..Persons::deleted_with_user(&[Member::patron_id("id")], "t.id = any($1)")
    }),
    ..RecordType::BASE
};

/// The home tenant of a user in a consortium.
pub(super) static USER_TENANT: RecordType = RecordType {
    name: "user tenant",
    table: "user_tenant",
    collection: "userTenants",
    schema: include_str!("../../../folio/records/mod-users/userTenant.tsv"),
    fields: &[
        Field::exact("userId").indexed(&[Index::Order]),
        Field::lower("username").indexed(&[Index::Order]),
        Field::exact("tenantId"),
        Field::lower("email").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons::deleted_with_user(
        &[
            Member::patron_id("userId"),
            Member::patron("username", PersonalData::Name),
            Member::patron("phoneNumber", PersonalData::Address),
            Member::patron("mobilePhoneNumber", PersonalData::Address),
            Member::patron("email", PersonalData::Address),
            Member::patron("barcode", PersonalData::Barcode),
        ],
        "t.\"userId\" = any($1::uuid[]::text[])",
    )),
    ..RecordType::BASE
};

/// A merge of a duplicate with another user: the ids of the records that went over, and what both users were before.
pub(super) static MERGE: RecordType = RecordType {
    name: "merge of users",
    table: "user_merge",
    fields: &[
        Field::uuid("keptUserId").indexed(&[Index::Order]),
        Field::uuid("duplicateUserId").indexed(&[Index::Order]),
    ],
    persons: Some(&Persons {
        // An anonymised loan is not found by way of a merge.
        on_loan_anonymised: ErasureRule::Run(&["\
update user_merge t
set doc = jsonb_set(t.doc::jsonb, '{moved}', (
  select jsonb_agg(m || jsonb_build_object('ids', (m -> 'ids') - $1::uuid[]::text[]))
  from jsonb_array_elements(t.doc::jsonb -> 'moved') m))
where t.\"keptUserId\" = any($2)"]),
        ..Persons::deleted_with_user(
            &[
                Member::patron_id("keptUserId"),
                Member::patron_id("duplicateUserId"),
                Member::patron("before", PersonalData::All),
            ],
            "t.\"keptUserId\" = any($1) or t.\"duplicateUserId\" = any($1)",
        )
    }),
    ..RecordType::BASE
};

/// How many users a department or a custom field has, in one step.
pub(super) const INDEXES: &str = "\
create index users_custom_fields on users using gin (((doc -> 'customFields')::jsonb)) where (doc -> 'customFields') is not null;
create index users_departments on users using gin (((doc -> 'departments')::jsonb));
create index users_to_expire on users (\"expirationDate\") where active = 'true';";
