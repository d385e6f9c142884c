//! The permissions of mod-permissions; which of them a user holds is in `user_records`.
//!
//! FOLIO keeps in each permission which others contain it (`childOf`) and which users hold it (`grantedTo`). Here both
//! are looked up when they are asked for, so that they cannot disagree with what they follow from. Octavo's ready-made roles do not count
//! as containing: FOLIO's clients take those that nothing contains (`childOf == []`) for all of a module's sets, and give them one by one.

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

/// Which permissions contain one, and which users hold one, in one step each. Read far more often than written: what is new
/// goes into its place at once.
pub(super) const INDEXES: &str = "\
create index permissions_sub on permissions using gin (((doc -> 'subPermissions')::jsonb)) with (fastupdate = off);
create index permissions_users_held on permissions_users using gin (((doc -> 'permissions')::jsonb)) with (fastupdate = off)";
