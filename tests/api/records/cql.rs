//! CQL as RAML Module Builder reads it (CQL2PgJSON 35.2): a table of queries over a handful of users.

use octavo_testkit::Library;
use serde_json::{Value, json};

const STAFF: &str = "11111111-1111-4111-8111-111111111111";
const STUDENTS: &str = "22222222-2222-4222-8222-222222222222";
const JANE: &str = "0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a";

fn users() -> Vec<Value> {
    vec![
        json!({"id": JANE, "username": "jane", "barcode": "2232", "active": true, "type": "staff", "patronGroup": STAFF,
            "personal": {"lastName": "Doe", "firstName": "Jane", "email": "jane.doe@example.org"},
            "expirationDate": "2026-06-01T00:00:00Z", "tags": {"tagList": ["urgent"]}, "customFields": {"shelf": "A_1"}}),
        json!({"username": "jose", "active": true, "type": "patron", "patronGroup": STUDENTS,
            "personal": {"lastName": "García Márquez", "firstName": "José", "preferredFirstName": "Pepe"},
            "expirationDate": "2027-01-01T00:00:00+02:00", "tags": {"tagList": ["VIP", "urgent note"]}}),
        json!({"username": "anna_k", "barcode": "22*2", "active": false,
            "personal": {"lastName": "Kowalska-Nowak", "firstName": "Anna Maria", "email": "anna@Example.org"},
            "tags": {"tagList": []}}),
        json!({"username": "100%", "barcode": "9", "externalSystemId": "x\\y", "patronGroup": STAFF,
            "personal": {"lastName": "O'Hara", "firstName": "JANE"}}),
        json!({"username": "ullr", "barcode": "10", "personal": {"lastName": "Øster Straße", "firstName": "Ülo"}}),
        json!({"username": "void", "externalSystemId": ""}),
    ]
}

const EVERYBODY: &str = "100% anna_k jane jose ullr void";

/// A query and the names of those whom it finds.
const QUERIES: &[(&str, &str)] = &[
    ("cql.allRecords=1", EVERYBODY),
    ("id=*", EVERYBODY),
    // The whole value, without regard to case and accents, with masks.
    ("username==jane", "jane"),
    ("username==JANE", "jane"),
    ("username==jan", ""),
    ("personal.lastName==\"garcia marquez\"", "jose"),
    ("personal.lastName==\"GARCÍA MÁRQUEZ\"", "jose"),
    ("personal.lastName==garcia", ""),
    ("personal.lastName==garcia*", "jose"),
    ("personal.lastName==*marquez", "jose"),
    ("personal.lastName==*owa*", "anna_k"),
    ("personal.lastName==*a*", "100% anna_k jose ullr"),
    ("personal.lastName==\"oster strasse\"", "ullr"),
    ("personal.firstName==j?ne", "100% jane"),
    ("username==anna?k", "anna_k"),
    ("username==\"????\"", "100% jane jose ullr void"),
    ("username==*", EVERYBODY),
    ("barcode==22*2", "anna_k jane"),
    (r#"barcode=="22\*2""#, "anna_k"),
    // What SQL would take for a mask is none.
    ("username==\"1%\"", ""),
    ("username==\"100%\"", "100%"),
    ("username==\"j_ne\"", ""),
    ("username==\"anna_*\"", "anna_k"),
    (r#"externalSystemId=="x\\y""#, "100%"),
    (r#"externalSystemId=="x\\*""#, "100%"),
    // Words in order; all of them; any of them.
    ("personal.lastName=marquez", "jose"),
    ("personal.lastName=márquez", "jose"),
    ("personal.lastName=\"garcia marquez\"", "jose"),
    ("personal.lastName=\"marquez garcia\"", ""),
    ("personal.lastName adj \"garcia marquez\"", "jose"),
    ("personal.lastName adj \"marquez garcia\"", ""),
    ("personal.lastName all \"marquez garcia\"", "jose"),
    ("personal.lastName all \"marquez doe\"", ""),
    ("personal.lastName any \"marquez doe\"", "jane jose"),
    ("personal.lastName=gar*", "jose"),
    ("personal.lastName=\"garc* marq*\"", "jose"),
    ("personal.lastName=garc", ""),
    ("personal.lastName=kowalska", "anna_k"),
    ("personal.lastName=\"kowalska-nowak\"", "anna_k"),
    ("personal.lastName=o'hara", "100%"),
    ("personal.lastName=\"o'h*\"", "100%"),
    (r#"externalSystemId="x\\y*""#, "100%"),
    (r#"externalSystemId="x\\*""#, "100%"),
    ("personal.email=jane.doe@example.org", "jane"),
    ("personal.email=\"jane.d*\"", "jane"),
    ("personal.lastName=*", "100% anna_k jane jose ullr"),
    ("personal.lastName=\"' & |\"", ""),
    // Is it there; is it there and empty; is it something else.
    ("personal.preferredFirstName=\"\"", "jose"),
    ("externalSystemId=\"\"", "100% void"),
    ("externalSystemId==\"\"", "void"),
    ("username<>jane", "100% anna_k jose ullr void"),
    ("type<>staff", "jose"),
    ("username<>j*", "100% anna_k ullr void"),
    ("externalSystemId<>\"\"", "100%"),
    ("cql.allRecords=1 not personal.lastName=\"\"", "void"),
    ("cql.allRecords=1 not type==staff", "100% anna_k jose ullr void"),
    // Order is that of texts, of numbers where it is asked for.
    ("username<jose", "100% anna_k jane"),
    ("username<=JOSE", "100% anna_k jane jose"),
    ("username>jose", "ullr void"),
    ("barcode<2", "ullr"),
    ("barcode</number 10", "100%"),
    ("barcode>=/number 10", "jane ullr"),
    ("barcode==/number 9.0", "100%"),
    ("barcode==/number \"09\"", "100%"),
    ("personal.lastName>=a", "100% anna_k jane jose ullr"),
    // Instants, in whatever form they are written.
    ("expirationDate<2026-12-31", "jane"),
    ("expirationDate>=2026-12-31", "jose"),
    ("expirationDate==2026-06-01T00:00:00.000+00:00", "jane"),
    ("expirationDate==2026-12-31T22:00:00Z", "jose"),
    ("expirationDate==\"2026-06-01T02:00:00+02:00\"", "jane"),
    ("expirationDate>2026-06-01 and expirationDate<2027-01-01", "jose"),
    // Booleans, from left to right.
    ("active==true", "jane jose"),
    ("active==false", "anna_k"),
    ("active=true", "jane jose"),
    ("username==jane or username==jose and active==false", ""),
    ("username==jane or (username==jose and active==false)", "jane"),
    ("active==true not username==jose", "jane"),
    ("username==(jane or jose)", "jane jose"),
    ("username==jane OR username==jose AND active==true NOT type==patron", "jane"),
    // Ids and references.
    ("id==0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a", "jane"),
    ("id=0A0A0A0A-0A0A-4A0A-8A0A-0A0A0A0A0A0A", "jane"),
    ("id==0a0a0a0a*", "jane"),
    ("id==jane", ""),
    ("id<>0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a", "100% anna_k jose ullr void"),
    ("patronGroup==11111111-1111-4111-8111-111111111111", "100% jane"),
    (
        "patronGroup==(11111111-1111-4111-8111-111111111111 or 22222222-2222-4222-8222-222222222222)",
        "100% jane jose",
    ),
    ("patronGroup==1111*", "100% jane"),
    ("cql.allRecords=1 not patronGroup==11111111-1111-4111-8111-111111111111", "anna_k jose ullr void"),
    // Through a reference.
    ("patronGroup.group==staff", "100% jane"),
    ("patronGroup.group==st*", "100% jane jose"),
    ("patronGroup.group=students and active==true", "jose"),
    // Arrays of texts, and fields without an index.
    ("tags.tagList==\"*\\\"urgent\\\"*\"", "jane"),
    ("tags.tagList=urgent", "jane jose"),
    ("tags.tagList=vip", "jose"),
    ("tags.tagList==\"[]\"", "anna_k"),
    ("customFields.shelf==a_1", "jane"),
    ("customFields.shelf=\"\"", "jane"),
    ("nosuchfield==x", ""),
    ("nosuchfield=\"\"", ""),
];

#[tokio::test]
async fn each_query_finds_whom_it_should() {
    let library = Library::open().await;
    for (id, group) in [(STAFF, "staff"), (STUDENTS, "students")] {
        library.post("/groups", &json!({"id": id, "group": group})).await.expect(201);
    }
    let shelf = json!({"name": "Shelf", "type": "TEXTBOX_SHORT", "entityType": "user"});
    library.with("x-okapi-module-id", "mod-users-1").post("/custom-fields", &shelf).await.expect(201);
    for user in users() {
        library.post("/users", &user).await.expect(201);
    }
    let mut wrong = Vec::new();
    for (query, expected) in QUERIES {
        let reply = library.find("/users", query).await;
        if reply.status != 200 {
            wrong.push(format!("{query}\n  {} {}", reply.status, reply.text()));
            continue;
        }
        let mut found = reply.field_values("users", "username");
        found.sort();
        if found.join(" ") != *expected || reply.total() != found.len() as i64 {
            wrong.push(format!("{query}\n  finds    {}\n  expected {expected}", found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How words are split, as RAML Module Builder's own page tells it.
const WORDS: &[(&str, &str)] = &[
    ("bar", "bar | bar baz | bar-baz | bar-baz-foo | foo-bar baz | foo-bar-baz"),
    ("bar baz", "bar baz | bar-baz | bar-baz-foo | foo-bar baz | foo-bar-baz"),
    ("bar-baz", "bar-baz"),
    ("123 456", "123 456"),
    ("123-456", "123-456"),
    ("foo/bar/baz", "foo/bar/baz"),
];

#[tokio::test]
async fn words_are_split_as_in_folio() {
    let library = Library::open().await;
    let texts = [
        "bar",
        "bar-baz",
        "foo-bar-baz",
        "bar baz",
        "foo-bar baz",
        "bar-baz-foo",
        "123 456",
        "123-456",
        "foo/bar/baz",
    ];
    for text in texts {
        library.post("/groups", &json!({"group": text})).await.expect(201);
    }
    for (phrase, expected) in WORDS {
        let reply = library.find("/groups", &format!("group adj \"{phrase}\"")).await.expect(200);
        let mut found = reply.field_values("usergroups", "group");
        found.sort();
        assert_eq!(found.join(" | "), *expected, "{phrase}");
    }
}
