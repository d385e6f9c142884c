//! One clause of a query, and the booleans that join clauses.

use octavo_cql::{Clause, Comparator, Node, Relation};
use octavo_kernel::{Fault, Outcome};
use uuid::Uuid;

use super::array;
use super::value::{ESCAPE, Whole, folded, plain, whole, words};
use crate::declaration::{Field, Folding, Hop, Index, Kind, RecordType};
use crate::query::{Param, Sql};

/// What is being searched, and what was noticed on the way.
pub(super) struct Scope {
    pub(super) record: &'static RecordType,
    /// The alias of the table in SQL.
    alias: String,
    joins: usize,
    depth: usize,
    /// How many modifiers comparisons within arrays have had so far; each counts as a comparison that no index answers.
    pub(super) modifiers: usize,
    pub(super) unindexed: Vec<String>,
}

/// The SQL of what a clause compares.
pub(super) struct Column {
    pub(super) sql: String,
    pub(super) kind: Kind,
    pub(super) folding: Folding,
}

impl Scope {
    pub(super) fn new(record: &'static RecordType) -> Self {
        Scope { record, alias: "t".to_owned(), joins: 0, depth: 0, modifiers: 0, unindexed: Vec::new() }
    }

    pub(super) fn alias(&self) -> &str {
        &self.alias
    }

    fn column(&mut self, sql: &mut Sql, path: &str) -> Outcome<Column> {
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
        // Not declared: looked up in the document. The path goes beside the text like any other value.
        self.unindexed.push(format!("{}.{path}", self.record.table));
        let steps = path.split('.').map(str::to_owned).collect();
        let place = sql.bind(Param::Texts(steps));
        let text = folded(Folding::Loose, &format!("{}.doc::jsonb #>> {place}", self.alias));
        Ok(Column { sql: text, kind: Kind::Text, folding: Folding::Loose })
    }

    /// A column to order by; of a joined parent where the record type has such a join.
    pub(super) fn sort_column(&mut self, sql: &mut Sql, path: &str) -> Outcome<Column> {
        if self.record.field(path).is_none()
            && let Some((join, rest)) = self.join(path)
            && let [Hop::Parent { field, to }] = join
        {
            let mut inner = Scope {
                record: to,
                alias: "s".into(),
                joins: 0,
                depth: 0,
                modifiers: 0,
                unindexed: Vec::new(),
            };
            let column = inner.column(sql, rest)?;
            let text = format!(
                "(select {} from {:?} s where s.id = {}.{field:?})",
                column.sql, to.table, self.alias
            );
            return Ok(Column { sql: text, ..column });
        }
        self.column(sql, path)
    }

    /// Comparisons that no index answers, and those that look up another record for each.
    pub(super) fn costly(&self) -> usize {
        self.unindexed.len() + self.joins + self.modifiers
    }

    fn join<'p>(&self, path: &'p str) -> Option<(&'static [Hop], &'p str)> {
        let (alias, rest) = path.split_once('.')?;
        let join = self.record.joins.iter().find(|join| join.alias == alias)?;
        Some((join.hops, rest))
    }

    fn indexed(&mut self, field: Option<&Field>, wanted: Index) {
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

/// How often a query may change between `and`, `or` and `not`, one inside the other.
const DEEPEST: usize = 300;

/// The condition for a tree. Chains of the same boolean are walked flat: a list of 1,000 ids is one level.
pub(super) fn conditions(scope: &mut Scope, sql: &mut Sql, node: &Node) -> Outcome<String> {
    if scope.depth == DEEPEST {
        return Err(Fault::bad_request(format!("CQL: more than {DEEPEST} booleans are nested")));
    }
    scope.depth += 1;
    let condition = boolean(scope, sql, node);
    scope.depth -= 1;
    condition
}

fn boolean(scope: &mut Scope, sql: &mut Sql, node: &Node) -> Outcome<String> {
    match node {
        Node::Clause(clause) => condition(scope, sql, clause),
        Node::Or(..) => {
            let operands = node.flatten_or();
            if let Some(ids) = list_of_ids(scope, &operands) {
                if let Some(Node::Clause(clause)) = operands.first() {
                    let field = scope.record.field(&clause.index);
                    scope.indexed(field, Index::Order);
                }
                return ids.map(|(column, ids)| format!("{column} = any({})", sql.bind(Param::Uuids(ids))));
            }
            joined(scope, sql, &operands, " or ")
        }
        Node::And(..) => joined(scope, sql, &node.flatten_and(), " and "),
        Node::Not(keep, drop) => {
            let keep = conditions(scope, sql, keep)?;
            let drop = conditions(scope, sql, drop)?;
            Ok(format!("({keep} and ({drop}) is not true)"))
        }
    }
}

fn joined(scope: &mut Scope, sql: &mut Sql, nodes: &[&Node], joint: &str) -> Outcome<String> {
    let parts: Outcome<Vec<String>> = nodes.iter().map(|node| conditions(scope, sql, node)).collect();
    Ok(format!("({})", parts?.join(joint)))
}

/// `id==(a or b or c)`, also of a reference: one lookup instead of a thousand.
fn list_of_ids(scope: &Scope, nodes: &[&Node]) -> Option<Outcome<(String, Vec<Uuid>)>> {
    let clauses: Option<Vec<&Clause>> = nodes
        .iter()
        .map(|node| match node {
            Node::Clause(clause) => Some(clause),
            _ => None,
        })
        .collect();
    let clauses = clauses?;
    let index = &clauses.first()?.index;
    let uuid = index == "id" || scope.record.field(index).is_some_and(|field| field.kind == Kind::Uuid);
    let plain = |clause: &&Clause| {
        clause.index == *index
            && clause.relation.modifiers.is_empty()
            && matches!(clause.relation.comparator, Comparator::Exact | Comparator::Scr)
            && Uuid::parse_str(&clause.term).is_ok()
    };
    if !uuid || !clauses.iter().all(plain) {
        return None;
    }
    let ids = clauses.iter().filter_map(|clause| Uuid::parse_str(&clause.term).ok()).collect();
    Some(Ok((format!("{}.{index:?}", scope.alias), ids)))
}

fn condition(scope: &mut Scope, sql: &mut Sql, clause: &Clause) -> Outcome<String> {
    let index = clause.index.as_str();
    if index.eq_ignore_ascii_case("cql.allRecords") || (index == "id" && clause.term == "*") {
        return Ok("true".to_owned());
    }
    if index.starts_with("cql.") {
        return Err(Fault::bad_request("cql.serverChoice requested, but no serverChoiceIndexes defined."));
    }
    if scope.record.field(index).is_none()
        && let Some((hops, rest)) = scope.join(index)
    {
        return joined_clause(scope, sql, hops, &Clause { index: rest.to_owned(), ..clause.clone() });
    }
    if let Some(field) = scope.record.field(index)
        && field.array.is_some()
    {
        return array::condition(scope, sql, field, clause);
    }
    plain_clause(scope, sql, clause)
}

/// A clause about a joined record: true when there is such a record.
fn joined_clause(scope: &mut Scope, sql: &mut Sql, hops: &'static [Hop], clause: &Clause) -> Outcome<String> {
    let mut from = String::new();
    let mut outer = scope.alias.clone();
    let mut conditions = Vec::new();
    for hop in hops {
        scope.joins += 1;
        let alias = format!("j{}", scope.joins);
        let glue = if from.is_empty() { "" } else { ", " };
        from.push_str(&format!("{glue}{:?} {alias}", hop.target().table));
        conditions.push(match hop {
            Hop::Parent { field, .. } => format!("{outer}.{field:?} = {alias}.id"),
            Hop::Children { field, .. } => format!("{alias}.{field:?} = {outer}.id"),
        });
        outer = alias;
    }
    let record = hops.last().map_or(scope.record, Hop::target);
    let mut inner =
        Scope { record, alias: outer, joins: scope.joins, depth: 0, modifiers: 0, unindexed: Vec::new() };
    conditions.push(condition(&mut inner, sql, clause)?);
    scope.joins = inner.joins;
    scope.modifiers += inner.modifiers;
    scope.unindexed.append(&mut inner.unindexed);
    Ok(format!("exists (select 1 from {from} where {})", conditions.join(" and ")))
}

fn plain_clause(scope: &mut Scope, sql: &mut Sql, clause: &Clause) -> Outcome<String> {
    let field = scope.record.field(&clause.index).copied();
    let column = scope.column(sql, &clause.index)?;
    if column.kind == Kind::Uuid {
        scope.indexed(field.as_ref(), Index::Order);
        return uuid_condition(sql, &column, clause);
    }
    let number = numeric(&clause.relation, column.kind)?;
    let wanted = wanted_index(&clause.relation.comparator, &clause.term);
    scope.indexed(field.as_ref(), wanted);
    compare(sql, &column, &clause.relation.comparator, &clause.term, number)
}

fn wanted_index(comparator: &Comparator, term: &str) -> Index {
    match comparator {
        Comparator::Scr | Comparator::All | Comparator::Any | Comparator::Adj => Index::Words,
        Comparator::Exact if term.starts_with('*') && term != "*" => Index::Anywhere,
        _ => Index::Order,
    }
}

/// Whether to compare as numbers; refuses modifiers that RAML Module Builder does not know.
fn numeric(relation: &Relation, kind: Kind) -> Outcome<bool> {
    let mut number = kind == Kind::Number;
    for modifier in &relation.modifiers {
        match modifier.name.to_ascii_lowercase().as_str() {
            "number" => number = true,
            "string" => number = false,
            // The index decides how case and accents are held; asking for what it does anyway is no error.
            "ignorecase" | "ignoreaccents" | "masked" | "respectcase" | "respectaccents" => {}
            _ => return Err(Fault::bad_request(format!("CQL: Unsupported modifier {}", modifier.name))),
        }
    }
    Ok(number)
}

/// A comparison of one text column (or expression) with a term.
pub(super) fn compare(
    sql: &mut Sql,
    column: &Column,
    comparator: &Comparator,
    term: &str,
    number: bool,
) -> Outcome<String> {
    let text = &column.sql;
    let operator = match comparator {
        Comparator::Named(name) => {
            return Err(Fault::bad_request(format!("Relation {name} not implemented yet: {term}")));
        }
        Comparator::Scr | Comparator::Adj | Comparator::All | Comparator::Any if term.is_empty() => {
            return Ok(format!("{text} is not null"));
        }
        Comparator::Scr | Comparator::Exact | Comparator::NotEqual if number => {
            return numbers(sql, column, if *comparator == Comparator::NotEqual { "<>" } else { "=" }, term);
        }
        Comparator::Scr | Comparator::Adj => return full_text(sql, text, term, "<->"),
        Comparator::All => return full_text(sql, text, term, "&&"),
        Comparator::Any => return full_text(sql, text, term, "||"),
        Comparator::Exact => return equals(sql, column, term, false),
        Comparator::NotEqual => return equals(sql, column, term, true),
        Comparator::Less => "<",
        Comparator::LessEqual => "<=",
        Comparator::Greater => ">",
        Comparator::GreaterEqual => ">=",
    };
    if number {
        return numbers(sql, column, operator, term);
    }
    let value = sql.bind(Param::Text(stored_form(column, plain(term)?)));
    Ok(format!("{text} {operator} {}", folded(column.folding, &value)))
}

/// Instants are compared as texts, so in the one form in which they are stored.
fn stored_form(column: &Column, term: String) -> String {
    match column.kind {
        Kind::Time => octavo_kernel::parse_time(&term).map_or(term, octavo_kernel::folio_time),
        _ => term,
    }
}

fn numbers(sql: &mut Sql, column: &Column, operator: &str, term: &str) -> Outcome<String> {
    let number: f64 =
        term.trim().parse().map_err(|_| Fault::bad_request(format!("CQL: {term} is not a number")))?;
    let value = sql.bind(Param::Number(number));
    let text = match column.kind {
        Kind::Number => column.sql.clone(),
        _ => format!("octavo.number({})", column.sql),
    };
    Ok(format!("{text} {operator} {value}::numeric"))
}

fn full_text(sql: &mut Sql, text: &str, term: &str, joint: &str) -> Outcome<String> {
    if term == "*" {
        return Ok(format!("{text} is not null"));
    }
    match words(sql, term, joint)? {
        Some(query) => Ok(format!("octavo.words({text}) @@ {query}")),
        None => Ok("false".to_owned()),
    }
}

fn equals(sql: &mut Sql, column: &Column, term: &str, not: bool) -> Outcome<String> {
    let text = &column.sql;
    Ok(match whole(term)? {
        Whole::Literal(value) => {
            let value = sql.bind(Param::Text(stored_form(column, value)));
            format!("{text} {} {}", if not { "<>" } else { "=" }, folded(column.folding, &value))
        }
        Whole::Like(pattern) => {
            let value = sql.bind(Param::Text(pattern));
            let not = if not { "not " } else { "" };
            format!("{text} {not}like {} {ESCAPE}", folded(column.folding, &value))
        }
    })
}

/// Ids and references compare as UUIDs; a part of one may be given with right truncation.
fn uuid_condition(sql: &mut Sql, column: &Column, clause: &Clause) -> Outcome<String> {
    let (text, term) = (&column.sql, clause.term.as_str());
    if let Some(modifier) = clause.relation.modifiers.first() {
        return Err(Fault::bad_request(format!("CQL: Unsupported modifier {}", modifier.name)));
    }
    let not = match clause.relation.comparator {
        Comparator::Scr | Comparator::Exact | Comparator::Adj | Comparator::All | Comparator::Any => false,
        Comparator::NotEqual => true,
        ref other => {
            return Err(Fault::bad_request(format!(
                "CQL: Unsupported operator '{}', UUID {} only supports '=', '==', and '<>' (possibly with right truncation)",
                other.as_str(),
                clause.index
            )));
        }
    };
    if term.is_empty() || term == "*" {
        return Ok(format!("{text} is {}null", if not { "" } else { "not " }));
    }
    let found = match (Uuid::parse_str(term), term.strip_suffix('*')) {
        (Ok(id), _) => format!("{text} = {}", sql.bind(Param::Uuid(id))),
        (_, Some(start)) => match bounds(start) {
            Some((low, high)) => {
                let low = sql.bind(Param::Uuid(low));
                let high = sql.bind(Param::Uuid(high));
                format!("{text} between {low} and {high}")
            }
            None => "false".to_owned(),
        },
        // What is no UUID names no record.
        _ => "false".to_owned(),
    };
    Ok(if not { format!("not ({found})") } else { found })
}

/// The least and the greatest UUID that begin with `start`.
fn bounds(start: &str) -> Option<(Uuid, Uuid)> {
    let digits: String = start.chars().filter(|c| *c != '-').collect();
    if digits.len() > 32 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let fill = |with: &str| Uuid::parse_str(&format!("{digits}{}", with.repeat(32 - digits.len()))).ok();
    Some((fill("0")?, fill("f")?))
}
