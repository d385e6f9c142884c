//! The permissions of mod-permissions; which of them a user holds is in `user_records`.
//!
//! FOLIO stores in each permission which permissions contain it (`childOf`) and which users hold it (`grantedTo`). Octavo looks both up
//! when a client asks for them, so they are always right. Octavo's ready-made roles do not count as containing permissions: FOLIO's clients
//! list those that nothing contains (`childOf == []`) as the sets of modules, and give them one by one.

use octavo_record::{Field, Index, PlainErrors, RecordType, StalePermissions, Unique};

pub static PERMISSION: RecordType = RecordType {
    name: "permission",
    table: "permissions",
    path: "/perms/permissions",
    collection: "permissions",
    schema: include_str!("../../../folio/records/mod-permissions/permission.tsv"),
    response_expression: Some(
        "{t}.doc::jsonb || jsonb_build_object(\
           'childOf', (select coalesce(jsonb_agg(p.\"permissionName\" order by p.\"permissionName\"), '[]') \
             from permissions p where (p.doc -> 'subPermissions')::jsonb ? {t}.\"permissionName\" \
               and p.\"permissionName\" not like 'octavo.role.%'), \
           'grantedTo', (select coalesce(jsonb_agg(u.id order by u.id), '[]') \
             from permissions_users u where (u.doc -> 'permissions')::jsonb ? {t}.\"permissionName\"))",
    ),
    fields: &[
        Field::exact("permissionName"),
        Field::text("displayName").indexed(&[Index::Order]),
        Field::exact("mutable"),
        Field::exact("visible"),
        Field::exact("dummy"),
        Field::exact("deprecated"),
        Field::exact("moduleName").indexed(&[Index::Order]),
        Field::exact("childOf").looked_up(
            "(select coalesce(jsonb_agg(p.\"permissionName\"), '[]')::text \
             from permissions p where (p.doc -> 'subPermissions')::jsonb ? {t}.\"permissionName\" \
               and p.\"permissionName\" not like 'octavo.role.%')",
        ),
        Field::exact("grantedTo").looked_up(
            "(select coalesce(jsonb_agg(u.id), '[]')::text \
             from permissions_users u where (u.doc -> 'permissions')::jsonb ? {t}.\"permissionName\")",
        ),
    ],
    unique: &[Unique::new(&["permissionName"])],
    stale_permissions: StalePermissions::Everybody,
    plain_errors: PlainErrors::Everything,
    ..RecordType::BASE
};

/// Indexes for finding in one step the permissions that contain a permission, and the users who hold it. They are read far more often than
/// written, so new entries go to their final place at once (`fastupdate = off`).
pub(super) const INDEXES: &str = "\
create index permissions_sub on permissions using gin (((doc -> 'subPermissions')::jsonb)) with (fastupdate = off);
create index permissions_users_held on permissions_users using gin (((doc -> 'permissions')::jsonb)) with (fastupdate = off)";
