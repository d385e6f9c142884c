//! What a patron can be recognised by, and where in the database it stands.

use std::collections::BTreeSet;

use octavo_pg::Statement;
use octavo_testkit::{Library, fresh_id, on_runtime};
use serde_json::{Value, json};

/// Words that stand nowhere else.
pub(super) struct Marks {
    pub(super) id: String,
    word: String,
}

impl Marks {
    pub(super) fn new() -> Marks {
        let id = fresh_id().to_string();
        let word = id[id.len() - 12..].to_owned();
        Marks { id, word }
    }

    /// A word that belongs to this patron alone: `name-0123456789ab`.
    pub(super) fn of(&self, what: &str) -> String {
        format!("{what}-{}", self.word)
    }

    pub(super) fn email(&self) -> String {
        format!("{}@example.org", self.of("email"))
    }

    /// Something that somebody wrote about the patron.
    pub(super) fn text(&self) -> String {
        format!("They said: {}.", self.of("text"))
    }

    pub(super) fn patron(&self, group: &str, address_type: &Value) -> Value {
        json!({
            "id": self.id, "username": self.of("user"), "barcode": self.of("barcode"), "active": true, "type": "patron",
            "externalSystemId": self.of("external"), "patronGroup": group,
            "personal": {
                "lastName": self.of("last"), "firstName": self.of("first"), "email": self.email(),
                "phone": self.of("phone"), "preferredContactTypeId": "002",
                "addresses": [{"addressTypeId": address_type, "addressLine1": self.of("street")}],
            },
        })
    }

    pub(super) fn all(&self) -> Vec<String> {
        let words = ["user", "barcode", "external", "last", "first", "email", "phone", "street", "text"];
        std::iter::once(self.id.clone()).chain(words.map(|what| self.of(what))).collect()
    }
}

/// `table: mark` for each mark that stands anywhere in the tenant's schema or in the common one.
pub(super) async fn left(library: &Library, marks: &Marks) -> BTreeSet<String> {
    found(library, marks, "").await
}

/// The same, of rows that name this id too.
pub(super) async fn left_beside(library: &Library, marks: &Marks, id: &str) -> BTreeSet<String> {
    found(library, marks, id).await
}

async fn found(library: &Library, marks: &Marks, beside: &str) -> BTreeSet<String> {
    let (context, schema) = (library.context().await, library.tenant.schema().to_owned());
    let (marks, beside, id) = (marks.all(), format!("%{beside}%"), marks.id.clone());
    on_runtime(async move {
        let mut session = context.session().await.unwrap();
        let tables = session.rows(Statement::new(TABLES).text(schema)).await.unwrap();
        assert!(tables.len() > 100, "{}", tables.len());
        let mut left = BTreeSet::new();
        for table in &tables {
            let search = Statement::new(SEARCH.replace("{table}", table.text(0)));
            let rows = session.rows(search.texts(marks.clone()).text(beside.as_str())).await.unwrap();
            let told = rows.iter().map(|row| match row.text(0) {
                mark if mark == id => "id".to_owned(),
                mark => mark.split('-').next().unwrap_or_default().to_owned(),
            });
            left.extend(told.map(|mark| format!("{}: {mark}", table.text(1))));
        }
        left
    })
    .await
}

const TABLES: &str = "\
select quote_ident(table_schema) || '.' || quote_ident(table_name), table_name::text
from information_schema.tables
where table_schema in ($1, 'octavo') and table_type = 'BASE TABLE'";

/// A row as a text has all its columns.
const SEARCH: &str = "\
select m.mark
from unnest($1::text[]) m (mark)
where exists (select from {table} t where t::text ilike '%' || m.mark || '%' and t::text ilike $2)";
