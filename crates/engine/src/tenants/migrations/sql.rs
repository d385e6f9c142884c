//! SQL of migrations, read as far as the program has to know what it does: its steps, its statements, and the tables that they lock.

/// How the statements of a step are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<'a> {
    /// In one transaction.
    Together,
    /// Each by itself, outside of a transaction: what may take long and blocks nobody.
    Alone,
    /// For a few rows of this table at a time, in a transaction each.
    Batches(&'a str),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Step<'a> {
    pub kind: Kind<'a>,
    pub statements: Vec<String>,
}

/// Begins a line that says how the statements after it are carried out.
const MARK: &str = "--: ";

/// The steps of a migration. What stands before the first mark, and a migration without marks, is one transaction.
pub fn steps(sql: &str) -> Vec<Step<'_>> {
    let mut found: Vec<(Kind<'_>, String)> = vec![(Kind::Together, String::new())];
    for line in sql.lines() {
        match line.strip_prefix(MARK).and_then(kind) {
            Some(kind) => found.push((kind, String::new())),
            None => found.extend_last(line),
        }
    }
    let step = |(kind, text): (_, String)| Step { kind, statements: statements(&text) };
    found.into_iter().map(step).filter(|step| !step.statements.is_empty()).collect()
}

trait ExtendLast {
    fn extend_last(&mut self, line: &str);
}

impl ExtendLast for Vec<(Kind<'_>, String)> {
    fn extend_last(&mut self, line: &str) {
        if let Some((_, text)) = self.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
}

fn kind(mark: &str) -> Option<Kind<'_>> {
    match mark.trim() {
        "together" => Some(Kind::Together),
        "alone" => Some(Kind::Alone),
        mark => mark.strip_prefix("in batches of ").map(Kind::Batches),
    }
}

/// The statements of a script, without the comments between them.
pub fn statements(sql: &str) -> Vec<String> {
    let (mut found, mut statement) = (Vec::new(), String::new());
    let mut rest = sql;
    while !rest.is_empty() {
        let (piece, is_comment) = piece(rest);
        rest = &rest[piece.len()..];
        match piece {
            ";" => found.push(std::mem::take(&mut statement)),
            _ if is_comment => statement.push('\n'),
            piece => statement.push_str(piece),
        }
    }
    found.push(statement);
    found.iter().map(|statement| statement.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// The first piece of a script, whole if it is a comment, a string, a quoted name or a body between dollars; and whether it is a comment.
fn piece(sql: &str) -> (&str, bool) {
    let up_to = |start: usize, end: &str| {
        sql[start..].find(end).map_or(sql, |found| &sql[..start + found + end.len()])
    };
    if sql.starts_with("--") {
        return (up_to(2, "\n"), true);
    }
    if sql.starts_with("/*") {
        return (up_to(2, "*/"), true);
    }
    let first = sql.chars().next().unwrap_or(' ');
    let piece = match first {
        '\'' => up_to(1, "'"),
        '"' => up_to(1, "\""),
        '$' => match dollars(sql) {
            Some(mark) => up_to(mark.len(), mark),
            None => &sql[..1],
        },
        // A dollar inside of a name begins nothing.
        letter if letter.is_alphabetic() || letter == '_' => {
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
            &sql[..sql.find(is_end).unwrap_or(sql.len())]
        }
        other => &sql[..other.len_utf8()],
    };
    (piece, false)
}

/// What begins a body between dollars: `$$` or `$name$`.
fn dollars(sql: &str) -> Option<&str> {
    let end = sql.get(1..)?.find(|c: char| !(c.is_alphanumeric() || c == '_'))? + 1;
    let is_place = sql[1..].starts_with(|c: char| c.is_ascii_digit());
    (sql[end..].starts_with('$') && !is_place).then(|| &sql[..=end])
}

/// The words of a statement, in small letters, and its signs. Names are without quotes; strings and bodies are `'`.
pub fn words(statement: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), statement);
    while !rest.is_empty() {
        let (piece, is_comment) = piece(rest);
        rest = &rest[piece.len()..];
        let first = piece.chars().next().unwrap_or(' ');
        match first {
            _ if is_comment || first.is_whitespace() => {}
            '"' => found.push(piece.trim_matches('"').to_owned()),
            '\'' => found.push("'".to_owned()),
            '$' if piece.len() > 1 => found.push("'".to_owned()),
            _ => found.push(piece.to_lowercase()),
        }
    }
    found
}

/// A migration for a schema without records, as one script.
pub fn at_once(sql: &str) -> String {
    let steps = steps(sql).into_iter().filter(|step| !matches!(step.kind, Kind::Batches(_)));
    let statements = steps.flat_map(|step| step.statements);
    let plain = |statement: String| match index_of(&statement) {
        Some(_) => statement.replacen("concurrently", "", 1),
        None => statement,
    };
    statements.map(plain).collect::<Vec<_>>().join(";\n")
}

/// What a statement does to tables.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// The table that it makes.
    pub made: Option<String>,
    /// Tables that it locks, reads to change others, or changes.
    pub tables: Vec<String>,
}

pub fn touched(words: &[String]) -> Touched {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let after =
        |mark: &str| words.iter().position(|word| *word == mark).and_then(|at| name(&words[at + 1..]));
    let mut touched = Touched::default();
    match words.as_slice() {
        ["create", "table", ..] => {
            touched.made = name(&words[2..]);
            let marks = words.iter().enumerate().filter(|(_, word)| **word == "references");
            touched.tables.extend(marks.filter_map(|(at, _)| name(&words[at + 1..])));
        }
        ["create", "view", ..] => touched.made = name(&words[2..]),
        ["create", "function", ..] | ["create", "or", "replace", "function", ..] | ["comment", ..] => {}
        ["alter", "index", ..] | ["drop", "index", ..] => touched.tables.extend(name(&words[2..])),
        ["create", "rule", ..] => touched.tables.extend(after("to")),
        ["create", ..] => touched.tables.extend(after("on")),
        ["alter" | "drop" | "lock" | "truncate", "table", ..] => touched.tables.extend(name(&words[2..])),
        ["insert", "into", ..] => touched.tables.extend(name(&words[2..])),
        ["update", ..] => touched.tables.extend(name(&words[1..])),
        ["delete", "from", ..] => touched.tables.extend(name(&words[2..])),
        _ => touched.tables.push("?".to_owned()),
    }
    touched
}

/// The name at the beginning, without its schema.
fn name(words: &[&str]) -> Option<String> {
    let mut words = words;
    while let ["if" | "not" | "exists" | "only" | "concurrently", after @ ..] = words {
        words = after;
    }
    match words {
        [_, ".", name, ..] | [name, ..] => Some((*name).to_owned()),
        [] => None,
    }
}

/// The name of the index that a statement builds without blocking anybody.
pub fn index_of(statement: &str) -> Option<String> {
    let words = words(statement);
    let at = words.iter().position(|word| word == "concurrently")?;
    let is_index = words[0] == "create" && words[..at].iter().any(|word| word == "index");
    let rest: Vec<&str> = words[at..].iter().map(String::as_str).collect();
    is_index.then(|| name(&rest)).flatten()
}

/// The table and the name of the constraint that a statement adds, if it does nothing else.
pub fn constraint_of(statement: &str) -> Option<(String, String)> {
    let words = words(statement);
    let at = words.windows(2).position(|pair| pair == ["add", "constraint"])?;
    let only = words.iter().filter(|word| *word == "add").count() == 1;
    let table = touched(&words).tables.into_iter().next()?;
    only.then(|| Some((table, words.get(at + 2)?.clone()))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_falls_into_its_statements() {
        let sql = "-- What; it is.\ncreate function f() returns text as $$ begin; end $$;\n\
                   insert into t values ('a;''b', $x$ ; $x$); /* ; */ update \"a;b\" set x$1 = $1 where y = $2";
        assert_eq!(
            statements(sql),
            [
                "create function f() returns text as $$ begin; end $$",
                "insert into t values ('a;''b', $x$ ; $x$)",
                "update \"a;b\" set x$1 = $1 where y = $2",
            ]
        );
    }

    #[test]
    fn marks_say_how_statements_are_carried_out() {
        let sql = "create table a (id uuid);\n--: in batches of b\nupdate b set c = 1;\n--: alone\n\
                   create index concurrently d on b (c);\n--: together\n";
        let step = |kind, statement: &str| Step { kind, statements: vec![statement.to_owned()] };
        assert_eq!(
            steps(sql),
            [
                step(Kind::Together, "create table a (id uuid)"),
                step(Kind::Batches("b"), "update b set c = 1"),
                step(Kind::Alone, "create index concurrently d on b (c)"),
            ]
        );
    }

    #[test]
    fn it_is_known_which_tables_a_statement_touches() {
        let cases: [(&str, Option<&str>, &[&str]); 12] = [
            ("create table \"A\" (id uuid references octavo.tenants (id))", Some("A"), &["tenants"]),
            ("create table if not exists octavo.b (id uuid)", Some("b"), &[]),
            ("create unique index concurrently if not exists c on \"D.e\" (f)", None, &["D.e"]),
            ("create trigger g after insert or update or delete on h execute function i()", None, &["h"]),
            ("create rule raise as on update to j do instead update k set l = 1", None, &["j"]),
            ("create or replace function m() returns text as $$ update n $$", None, &[]),
            ("alter table if exists only octavo.o add column p text", None, &["o"]),
            ("alter index q set (fillfactor = 70)", None, &["q"]),
            ("insert into octavo.r select 1", None, &["r"]),
            ("update s set t = 1", None, &["s"]),
            ("delete from u", None, &["u"]),
            ("do $$ begin end $$", None, &["?"]),
        ];
        for (statement, made, tables) in cases {
            let touched = touched(&words(statement));
            assert_eq!(
                (touched.made.as_deref(), touched.tables),
                (made, tables.iter().map(|t| (*t).to_owned()).collect()),
                "{statement}"
            );
        }
    }

    #[test]
    fn an_index_that_is_built_beside_others_work_is_known_by_its_name() {
        assert_eq!(index_of("create index concurrently \"a.b\" on c (d)").as_deref(), Some("a.b"));
        assert_eq!(
            index_of("create unique index concurrently if not exists e on f (g)").as_deref(),
            Some("e")
        );
        assert_eq!(index_of("create index h on i (j)"), None);
        assert_eq!(index_of("drop index concurrently k"), None);
        let added = constraint_of("alter table l add constraint \"m.n\" check (o > 0) not valid");
        assert_eq!(added, Some(("l".to_owned(), "m.n".to_owned())));
        assert_eq!(
            constraint_of("alter table l add constraint m check (o), add constraint p check (q)"),
            None
        );
    }
}
