//! The record types of mod-users.

use octavo_record::{Field, Grants, Hop, Index, Join, RecordType, Reference, Unique};

pub static GROUP: RecordType = RecordType {
    name: "patron group",
    table: "groups",
    path: "/groups",
    collection: "usergroups",
    schema: include_str!("../../folio/records/mod-users/usergroup.tsv"),
    fields: &[Field::text("group")],
    unique: &[Unique::of(&["group"])],
    snapshot: true,
    ..RecordType::BASE
};

pub static ADDRESS_TYPE: RecordType = RecordType {
    name: "address type",
    table: "addresstype",
    path: "/addresstypes",
    collection: "addressTypes",
    schema: include_str!("../../folio/records/mod-users/addresstype.tsv"),
    fields: &[Field::text("addressType")],
    unique: &[Unique::of(&["addressType"])],
    ..RecordType::BASE
};

pub static DEPARTMENT: RecordType = RecordType {
    name: "department",
    table: "departments",
    path: "/departments",
    collection: "departments",
    schema: include_str!("../../folio/records/mod-users/department.tsv"),
    fields: &[Field::text("name"), Field::text("code")],
    unique: &[
        Unique::of(&["name"]).says("Department with this name already exists", "name"),
        Unique::of(&["code"]).says("Department with this code already exists", "code"),
    ],
    ..RecordType::BASE
};

pub static USER: RecordType = RecordType {
    name: "user",
    table: "users",
    path: "/users",
    collection: "users",
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
        Unique::of(&["username"]).says("User with this username already exists", "username"),
        Unique::of(&["barcode"]).says("This barcode has already been taken", "barcode"),
        Unique::of(&["externalSystemId"]),
    ],
    references: &[Reference::new("patronGroup", "groups")],
    joins: &[Join { alias: "patronGroup", hops: &[Hop::Parent { field: "patronGroup", to: &GROUP }] }],
    grants: Grants::OneUser,
    ..RecordType::BASE
};

pub static PROXY: RecordType = RecordType {
    name: "proxy relation",
    table: "proxyfor",
    path: "/proxiesfor",
    collection: "proxiesFor",
    schema: include_str!("../../folio/records/mod-users/proxyfor.tsv"),
    fields: &[
        Field::text("userId").indexed(&[Index::Order]),
        Field::text("proxyUserId").indexed(&[Index::Order]),
    ],
    ..RecordType::BASE
};
