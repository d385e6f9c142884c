//! Record types about users that several folders work on: patron groups and users of mod-users, and from mod-permissions which
//! permissions a user holds.

use octavo_kernel::Kind;
use octavo_record::{
    Field, Hop, Index, Join, ListReference, Member, Message, MissingMessages, PersonalData, Persons,
    PlainErrors, RecordType, Reference, StalePermissions, Unique,
};
use serde_json::Value;

/// Whether a user may log in. As in mod-login and mod-authtoken, a user without the member `active` may not.
pub fn is_active(user: &Value) -> bool {
    user["active"] == true
}

pub static GROUP: RecordType = RecordType {
    name: "patron group",
    table: "groups",
    path: "/groups",
    collection: "usergroups",
    schema: include_str!("../../folio/records/mod-users/usergroup.tsv"),
    fields: &[Field::text("group")],
    unique: &[Unique::new(&["group"])],
    plain_errors: PlainErrors::Changes,
    snapshot: true,
    ..RecordType::BASE
};

/// The message about a user with a department that does not exist; `{}` stands for the department's id.
pub const MISSING_DEPARTMENT: &str = "Key (departments)=({}) is not present in table \"departments\".";

pub static USER: RecordType = RecordType {
    name: "user",
    table: "users",
    path: "/users",
    collection: "users",
    result_info: true,
    schema: include_str!("../../folio/records/mod-users/userdata.tsv"),
    fields: &[
        Field::text("username").indexed(&[Index::Words]),
        Field::text("barcode").indexed(&[Index::Words]),
        Field::text("externalSystemId").indexed(&[Index::Words]),
        Field::text("personal.firstName").indexed(&[Index::Order, Index::Words]),
        Field::text("personal.lastName").indexed(&[Index::Order, Index::Words]),
        Field::text("personal.preferredFirstName").indexed(&[Index::Words]),
        Field::text("personal.email").indexed(&[Index::Order, Index::Words]),
        Field::text("type"),
        Field::text("active"),
        Field::uuid("patronGroup").indexed(&[Index::Order]),
        Field::time("expirationDate"),
    ],
    unique: &[
        Unique::new(&["username"]).with_refusal("User with this username already exists", "username"),
        Unique::new(&["barcode"]).with_refusal("This barcode has already been taken", "barcode"),
        // FOLIO cuts the name of the field out of PostgreSQL's message, brackets and all.
        Unique::new(&["externalSystemId"]).message(Message::new(
            Kind::Refused,
            "duplicate lower(f_unaccent(jsonb ->> 'externalSystemId'::text value violates unique constraint: {}",
            "lower(f_unaccent(jsonb ->> 'externalSystemId'::text",
        )),
    ],
    references: &[Reference::new("patronGroup", "groups")],
    list_references: &[ListReference {
        field: "departments",
        table: "departments",
        message: Some(MissingMessages {
            refusal: MISSING_DEPARTMENT,
            plain: MISSING_DEPARTMENT,
            code: None,
        }),
        still_listed: "Cannot delete departments.id = {} because id is still referenced from table users.",
    }],
    joins: &[Join { alias: "patronGroup", hops: &[Hop::Parent { field: "patronGroup", record_type: &GROUP }] }],
    stale_permissions: StalePermissions::OneUser,
    persons: Some(&Persons::deleted_with_user(
        &[
            Member::patron_id("id"),
            Member::patron("username", PersonalData::Name),
            Member::patron("barcode", PersonalData::Barcode),
            Member::patron("externalSystemId", PersonalData::Id),
            Member::patron_id("proxyFor"),
            Member::patron("personal", PersonalData::All),
            Member::patron("customFields", PersonalData::Text),
        ],
        "t.id = any($1)",
    )),
    patron_lock_member: Some("id"),
    ..RecordType::BASE
};

pub static PERMISSION_USER: RecordType = RecordType {
    name: "permissions user",
    table: "permissions_users",
    path: "/perms/users",
    collection: "permissionUsers",
    result_info: true,
    schema: include_str!("../../folio/records/mod-permissions/permissionUser.tsv"),
    fields: &[Field::uuid("userId")],
    unique: &[Unique::new(&["userId"]).message(Message::new(
        Kind::BadRequest,
        "ERROR: duplicate key value violates unique constraint \"permissions_users_userid_idx_unique\" (23505)",
        "userId",
    ))],
    stale_permissions: StalePermissions::Everybody,
    plain_errors: PlainErrors::Everything,
    persons: Some(&Persons::deleted_with_user(&[Member::patron_id("userId")], "t.\"userId\" = any($1)")),
    ..RecordType::BASE
};
