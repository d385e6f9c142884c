//! What a patron can be recognised by, and where in the database it stands.

use std::collections::BTreeSet;

use octavo_pg::Statement;
use octavo_testkit::{Library, fresh_id, on_runtime};
use serde_json::{Value, json};

/// Unique values by which a patron can be found in the database.
pub(super) struct PersonalMarks {
    pub(super) id: String,
    word: String,
}

impl PersonalMarks {
    pub(super) fn new() -> PersonalMarks {
        let id = fresh_id().to_string();
        let word = id[id.len() - 12..].to_owned();
        PersonalMarks { id, word }
    }

    /// A word that belongs to this patron alone: `name-0123456789ab`.
    pub(super) fn mark(&self, what: &str) -> String {
        format!("{what}-{}", self.word)
    }

    pub(super) fn email(&self) -> String {
        format!("{}@example.org", self.mark("email"))
    }

    /// Something that somebody wrote about the patron.
    pub(super) fn remark(&self) -> String {
        format!("They said: {}.", self.mark("text"))
    }

    pub(super) fn patron(&self, group: &str, address_type: &Value) -> Value {
        json!({
            "id": self.id, "username": self.mark("user"), "barcode": self.mark("barcode"), "active": true, "type": "patron",
            "externalSystemId": self.mark("external"), "patronGroup": group,
            "personal": {
                "lastName": self.mark("last"), "firstName": self.mark("first"), "email": self.email(),
                "phone": self.mark("phone"), "preferredContactTypeId": "002",
                "addresses": [{"addressTypeId": address_type, "addressLine1": self.mark("street")}],
            },
        })
    }

    pub(super) fn all(&self) -> Vec<String> {
        let words = ["user", "barcode", "external", "last", "first", "email", "phone", "street", "text"];
        std::iter::once(self.id.clone()).chain(words.map(|what| self.mark(what))).collect()
    }
}

/// `table: mark` for each mark that is found anywhere in the tenant's schema or in the common one.
pub(super) async fn find_marks(library: &Library, marks: &PersonalMarks) -> BTreeSet<String> {
    find_in_tables(library, marks, "").await
}

/// The same, in rows that contain this id too.
pub(super) async fn find_marks_beside_id(
    library: &Library,
    marks: &PersonalMarks,
    id: &str,
) -> BTreeSet<String> {
    find_in_tables(library, marks, id).await
}

async fn find_in_tables(library: &Library, marks: &PersonalMarks, beside: &str) -> BTreeSet<String> {
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
