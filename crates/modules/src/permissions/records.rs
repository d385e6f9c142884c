//! The two record types of mod-permissions.

use octavo_record::{Field, Grants, RecordType, Unique};

pub static PERMISSION: RecordType = RecordType {
    name: "permission",
    table: "permissions",
    path: "/perms/permissions",
    collection: "permissions",
    schema: include_str!("../../folio/records/mod-permissions/permission.tsv"),
    fields: &[Field::exact("permissionName")],
    unique: &[Unique::of(&["permissionName"])],
    grants: Grants::Everybody,
    ..RecordType::BASE
};

pub static PERMISSION_USER: RecordType = RecordType {
    name: "permissions user",
    table: "permissions_users",
    path: "/perms/users",
    collection: "permissionUsers",
    schema: include_str!("../../folio/records/mod-permissions/permissionUser.tsv"),
    fields: &[Field::uuid("userId")],
    unique: &[Unique::of(&["userId"])],
    grants: Grants::Everybody,
    ..RecordType::BASE
};
