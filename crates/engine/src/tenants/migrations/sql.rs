//! SQL of migrations, read as far as the program has to know what it does: its steps, its statements, and the tables that they lock.

/// How the statements of a step are executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind<'a> {
    /// All in one transaction.
    Together,
    /// Each outside of a transaction: statements that may take long and block nobody.
    Alone,
    /// For a few rows of this table at a time, in a transaction each.
    Batches(&'a str),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Step<'a> {
    pub kind: StepKind<'a>,
    pub statements: Vec<String>,
}

/// Begins a line that says how the statements after it are executed.
const STEP_MARK: &str = "--: ";

/// The steps of a migration. What stands before the first mark, and a migration without marks, is one transaction.
pub fn steps(sql: &str) -> Vec<Step<'_>> {
    let mut found: Vec<(StepKind<'_>, String)> = vec![(StepKind::Together, String::new())];
    for line in sql.lines() {
        match line.strip_prefix(STEP_MARK).and_then(parse_step_kind) {
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

impl ExtendLast for Vec<(StepKind<'_>, String)> {
    fn extend_last(&mut self, line: &str) {
        if let Some((_, text)) = self.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
}

fn parse_step_kind(mark: &str) -> Option<StepKind<'_>> {
    match mark.trim() {
        "together" => Some(StepKind::Together),
        "alone" => Some(StepKind::Alone),
        mark => mark.strip_prefix("in batches of ").map(StepKind::Batches),
    }
}

/// The statements of a script, without the comments between them.
pub fn statements(sql: &str) -> Vec<String> {
    let (mut found, mut statement) = (Vec::new(), String::new());
    let mut rest = sql;
    while !rest.is_empty() {
        let (piece, is_comment) = first_token(rest);
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
fn first_token(sql: &str) -> (&str, bool) {
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
        '$' => match dollar_quote(sql) {
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
fn dollar_quote(sql: &str) -> Option<&str> {
    let end = sql.get(1..)?.find(|c: char| !(c.is_alphanumeric() || c == '_'))? + 1;
    let is_place = sql[1..].starts_with(|c: char| c.is_ascii_digit());
    (sql[end..].starts_with('$') && !is_place).then(|| &sql[..=end])
}

/// The words of a statement in lower case, and its other characters. Names are without quotation marks; a string or body is `'`.
pub fn tokens(statement: &str) -> Vec<String> {
    let (mut found, mut rest) = (Vec::new(), statement);
    while !rest.is_empty() {
        let (piece, is_comment) = first_token(rest);
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

/// A migration as one script, for a schema without records.
pub fn single_script(sql: &str) -> String {
    let steps = steps(sql).into_iter().filter(|step| !matches!(step.kind, StepKind::Batches(_)));
    let statements = steps.flat_map(|step| step.statements);
    let plain = |statement: String| match concurrent_index_name(&statement) {
        Some(_) => statement.replacen("concurrently", "", 1),
        None => statement,
    };
    statements.map(plain).collect::<Vec<_>>().join(";\n")
}

/// Which tables a statement creates or affects.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct AffectedTables {
    /// The table that it makes.
    pub created: Option<String>,
    /// Tables that it locks, changes, or reads in order to change others.
    pub tables: Vec<String>,
}

pub fn affected_tables(words: &[String]) -> AffectedTables {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let after = |mark: &str| {
        words.iter().position(|word| *word == mark).and_then(|at| leading_name(&words[at + 1..]))
    };
    let mut touched = AffectedTables::default();
    match words.as_slice() {
        ["create", "table", ..] => {
            touched.created = leading_name(&words[2..]);
            let marks = words.iter().enumerate().filter(|(_, word)| **word == "references");
            touched.tables.extend(marks.filter_map(|(at, _)| leading_name(&words[at + 1..])));
        }
        ["create", "view", ..] => touched.created = leading_name(&words[2..]),
        ["create", "function", ..] | ["create", "or", "replace", "function", ..] | ["comment", ..] => {}
        ["alter", "index", ..] | ["drop", "index", ..] => touched.tables.extend(leading_name(&words[2..])),
        ["create", "rule", ..] => touched.tables.extend(after("to")),
        ["create", ..] => touched.tables.extend(after("on")),
        ["alter" | "drop" | "lock" | "truncate", "table", ..] => {
            touched.tables.extend(leading_name(&words[2..]));
        }
        ["insert", "into", ..] => touched.tables.extend(leading_name(&words[2..])),
        ["update", ..] => touched.tables.extend(leading_name(&words[1..])),
        ["delete", "from", ..] => touched.tables.extend(leading_name(&words[2..])),
        _ => touched.tables.push("?".to_owned()),
    }
    touched
}

/// The name at the beginning, without its schema.
fn leading_name(words: &[&str]) -> Option<String> {
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
pub fn concurrent_index_name(statement: &str) -> Option<String> {
    let words = tokens(statement);
    let at = words.iter().position(|word| word == "concurrently")?;
    let is_index = words[0] == "create" && words[..at].iter().any(|word| word == "index");
    let rest: Vec<&str> = words[at..].iter().map(String::as_str).collect();
    is_index.then(|| leading_name(&rest)).flatten()
}

/// The table and the name of the constraint that a statement adds, if it does nothing else.
pub fn added_constraint(statement: &str) -> Option<(String, String)> {
    let words = tokens(statement);
    let at = words.windows(2).position(|pair| pair == ["add", "constraint"])?;
    let only = words.iter().filter(|word| *word == "add").count() == 1;
    let table = affected_tables(&words).tables.into_iter().next()?;
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
                step(StepKind::Together, "create table a (id uuid)"),
                step(StepKind::Batches("b"), "update b set c = 1"),
                step(StepKind::Alone, "create index concurrently d on b (c)"),
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
            let touched = affected_tables(&tokens(statement));
            assert_eq!(
                (touched.created.as_deref(), touched.tables),
                (made, tables.iter().map(|t| (*t).to_owned()).collect()),
                "{statement}"
            );
        }
    }

    #[test]
    fn an_index_that_is_built_beside_others_work_is_known_by_its_name() {
        assert_eq!(
            concurrent_index_name("create index concurrently \"a.b\" on c (d)").as_deref(),
            Some("a.b")
        );
        assert_eq!(
            concurrent_index_name("create unique index concurrently if not exists e on f (g)").as_deref(),
            Some("e")
        );
        assert_eq!(concurrent_index_name("create index h on i (j)"), None);
        assert_eq!(concurrent_index_name("drop index concurrently k"), None);
        let added = added_constraint("alter table l add constraint \"m.n\" check (o > 0) not valid");
        assert_eq!(added, Some(("l".to_owned(), "m.n".to_owned())));
        assert_eq!(
            added_constraint("alter table l add constraint m check (o), add constraint p check (q)"),
            None
        );
    }
}
