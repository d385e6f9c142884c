//! What a query searches: the record type, and the SQL of the columns that the query names.

use octavo_kernel::{Fault, Outcome};

use super::value::folded_sql;
use crate::declaration::{Field, Folding, Hop, Index, Kind, RecordType};
use crate::query::{Param, Sql};

/// The record type that is searched, and counters of costly comparisons found while the SQL is made.
pub(super) struct Scope {
    pub(super) record: &'static RecordType,
    pub(super) alias: String,
    pub(super) joins: usize,
    pub(super) depth: usize,
    /// How many modifiers comparisons within arrays have had so far; each counts as a comparison that no index answers.
    pub(super) modifiers: usize,
    pub(super) unindexed: Vec<String>,
}

/// The SQL of the value that a clause compares.
pub(super) struct Column {
    pub(super) sql: String,
    pub(super) kind: Kind,
    pub(super) folding: Folding,
}

impl Scope {
    /// A search of the record type's table under an alias.
    pub(super) fn new(record: &'static RecordType, alias: &str) -> Self {
        Scope { record, alias: alias.to_owned(), joins: 0, depth: 0, modifiers: 0, unindexed: Vec::new() }
    }

    pub(super) fn column(&mut self, sql: &mut Sql, path: &str) -> Outcome<Column> {
        if path == "id" {
            return Ok(Column {
                sql: format!("{}.id", self.alias),
                kind: Kind::Uuid,
                folding: Folding::Exact,
            });
        }
        if let Some(field) = self.record.field(path).filter(|field| field.array.is_none()) {
            let text = match field.lookup {
                Some(lookup) => lookup.replace("{t}", &self.alias),
                None => format!("{}.{:?}", self.alias, field.path),
            };
            return Ok(Column { sql: text, kind: field.kind, folding: field.folding });
        }
        if self.record.secrets.iter().any(|secret| path.split('.').next() == Some(secret)) {
            return Err(Fault::bad_request(format!("CQL: {path} is a secret, which is not searched")));
        }
        // The field is not declared: its value is read from the document. The path is passed as a parameter, like any other value.
        self.unindexed.push(format!("{}.{path}", self.record.table));
        let steps = path.split('.').map(str::to_owned).collect();
        let place = sql.bind(Param::Texts(steps));
        let text = folded_sql(Folding::Loose, &format!("{}.doc::jsonb #>> {place}", self.alias));
        Ok(Column { sql: text, kind: Kind::Text, folding: Folding::Loose })
    }

    /// A column to order by; of a joined parent where the record type has such a join.
    pub(super) fn sort_column(&mut self, sql: &mut Sql, path: &str) -> Outcome<Column> {
        if self.record.field(path).is_none()
            && let Some((join, rest)) = self.find_join(path)
            && let [Hop::Parent { field, record_type: to }] = join
        {
            let column = Scope::new(to, "s").column(sql, rest)?;
            let text = format!(
                "(select {} from {:?} s where s.id = {}.{field:?})",
                column.sql, to.table, self.alias
            );
            return Ok(Column { sql: text, ..column });
        }
        self.column(sql, path)
    }

    /// How many comparisons no index answers, or look up another record for each record.
    pub(super) fn count_costly(&self) -> usize {
        self.unindexed.len() + self.joins + self.modifiers
    }

    pub(super) fn find_join<'p>(&self, path: &'p str) -> Option<(&'static [Hop], &'p str)> {
        let (alias, rest) = path.split_once('.')?;
        let join = self.record.joins.iter().find(|join| join.alias == alias)?;
        Some((join.hops, rest))
    }

    pub(super) fn note_if_unindexed(&mut self, field: Option<&Field>, wanted: Index) {
        let Some(field) = field else { return };
        let unique = self.record.unique.iter().any(|unique| unique.fields[0] == field.path);
        let reference = self.record.references.iter().any(|reference| reference.field == field.path);
        let found = match wanted {
            Index::Order => field.is_ordered() || unique || reference,
            wanted => field.indexes.contains(&wanted),
        };
        if !found {
            self.unindexed.push(format!("{}.{}", self.record.table, field.path));
        }
    }
}
