//! What a migration may not do to a table that is there already, because it would block reads or changes of a large one, or because
//! the release before could not go on with what is left. Tables that the migration makes itself are free.

use std::collections::BTreeSet;

use super::sql::{Step, StepKind, added_constraint, affected_tables, concurrent_index_name, steps, tokens};

/// A statement that breaks the rule, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct Offence {
    pub table: String,
    pub statement: String,
    pub why: &'static str,
}

/// What is wrong with the SQL of a migration.
pub fn offences(sql: &str) -> Vec<Offence> {
    let (steps, mut made, mut found) = (steps(sql), BTreeSet::new(), Vec::new());
    for (at, Step { kind, statements }) in steps.iter().enumerate() {
        // The last step is one transaction with the note that the migration is done.
        let is_last = at + 1 == steps.len();
        for statement in statements {
            let words = tokens(statement);
            let of = affected_tables(&words);
            let old = of.tables.iter().find(|table| !made.contains(*table));
            let again = (!is_last && *kind == StepKind::Together)
                .then(|| not_repeatable(statement, &words))
                .flatten();
            let why = old
                .and_then(|_| offence(*kind, statement, &words))
                .or_else(|| wrong_step_kind(*kind, statement))
                .or(again);
            if let Some(why) = why {
                let table = old.cloned().unwrap_or_default();
                found.push(Offence { table, statement: statement.clone(), why });
            }
            made.extend(of.created);
        }
    }
    found
}

const INDEX_BLOCKS_WRITES: &str =
    "an index is built while nobody can write: create it `concurrently`, in a step `--: alone`";
const ROWS_IN_ONE_TRANSACTION: &str =
    "rows are changed in one transaction: do it in a step `--: in batches of TABLE`, for ids > $1 and <= $2";
const REWRITES_TABLE: &str = "every row is written anew, or looked at, while nobody can read";
const CHECKS_ALL_ROWS: &str =
    "every row is checked while nobody can write: add it `not valid`, and validate it in a step `--: alone`";
const STILL_IN_USE: &str = "the release before still uses it";
const BLOCKS_TABLE: &str = "nobody else can use the table";
const UNKNOWN_EFFECT: &str = "it is not known what this does to tables";

/// Why a statement about a table that was there before is refused.
fn offence(kind: StepKind<'_>, statement: &str, words: &[String]) -> Option<&'static str> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has = |sought: &[&str]| words.windows(sought.len()).any(|found| found == sought);
    match words.as_slice() {
        ["create", "index", ..] | ["create", "unique", "index", ..] => {
            concurrent_index_name(statement).is_none().then_some(INDEX_BLOCKS_WRITES)
        }
        ["create", "table" | "trigger" | "view" | "rule", ..]
        | ["create", "or", "replace", "trigger", ..] => None,
        ["alter", "index", ..] => (!has(&["set", "("])).then_some(UNKNOWN_EFFECT),
        ["alter", "table", ..] => alter_table_offence(kind, &words, &has),
        ["update" | "delete", ..] => {
            (!matches!(kind, StepKind::Batches(_))).then_some(ROWS_IN_ONE_TRANSACTION)
        }
        ["insert", ..] => {
            (has(&["select"]) && !matches!(kind, StepKind::Batches(_))).then_some(ROWS_IN_ONE_TRANSACTION)
        }
        ["drop", "index", "concurrently", ..] => None,
        ["drop", "index", ..] | ["lock" | "truncate" | "cluster" | "reindex" | "vacuum", ..] => {
            Some(BLOCKS_TABLE)
        }
        ["drop", ..] => Some(STILL_IN_USE),
        _ => Some(UNKNOWN_EFFECT),
    }
}

fn alter_table_offence(
    kind: StepKind<'_>,
    words: &[&str],
    has: &dyn Fn(&[&str]) -> bool,
) -> Option<&'static str> {
    let adds_column = has(&["add", "column"]);
    let constraint = has(&["add", "constraint"]) || has(&["add", "foreign"]) || has(&["add", "check"]);
    let of_columns =
        ["references", "unique", "primary", "check", "generated"].iter().any(|word| has(&[word]));
    let of_another_type = words.windows(3).any(|of| of[0] == "column" && of[2] == "type");
    match () {
        () if has(&["validate", "constraint"]) => (kind != StepKind::Alone).then_some(CHECKS_ALL_ROWS),
        () if has(&["drop"]) || has(&["rename"]) => Some(STILL_IN_USE),
        () if of_another_type || has(&["set", "not", "null"]) => Some(REWRITES_TABLE),
        () if adds_column && has(&["default"]) && has(&["("]) && has(&[")"]) => Some(REWRITES_TABLE),
        () if adds_column && has(&["not", "null"]) && !has(&["default"]) => Some(REWRITES_TABLE),
        () if adds_column && of_columns => Some(CHECKS_ALL_ROWS),
        () if constraint => (!has(&["not", "valid"])).then_some(CHECKS_ALL_ROWS),
        () if adds_column || has(&["set", "("]) || has(&["set", "default"]) => None,
        () => Some(UNKNOWN_EFFECT),
    }
}

/// Why a statement cannot stand in a step of this kind.
fn wrong_step_kind(kind: StepKind<'_>, statement: &str) -> Option<&'static str> {
    let concurrent = tokens(statement).iter().any(|word| word == "concurrently");
    match kind {
        StepKind::Batches(_) if !(statement.contains("$1") && statement.contains("$2")) => {
            Some("a step in batches says for which ids: id > $1 and id <= $2")
        }
        StepKind::Together if concurrent => Some("`concurrently` stands in a step `--: alone`"),
        _ => None,
    }
}

/// Why a statement of a migration of several steps, which begins again if it was broken off, cannot be carried out twice.
fn not_repeatable(statement: &str, words: &[String]) -> Option<&'static str> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has = |sought: &[&str]| words.windows(sought.len()).any(|found| found == sought);
    let makes = matches!(words.as_slice(), ["create" | "alter", ..]);
    let is_plain =
        matches!(words.as_slice(), ["alter", "index", ..]) || added_constraint(statement).is_some();
    let twice = has(&["if", "not", "exists"]) || has(&["or", "replace"]);
    (makes && !is_plain && !twice).then_some(
        "a migration of several steps begins again when it was broken off: `if not exists`, `or replace`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_blocks_a_large_table_is_refused() {
        let cases = [
            ("create index a on item (b)", Some(INDEX_BLOCKS_WRITES)),
            ("create unique index a on item (b)", Some(INDEX_BLOCKS_WRITES)),
            ("--: alone\ncreate index concurrently a on item (b)", None),
            ("create table c (id uuid); create index a on c (id)", None),
            ("update item set a = 1", Some(ROWS_IN_ONE_TRANSACTION)),
            ("delete from item where a = 1", Some(ROWS_IN_ONE_TRANSACTION)),
            ("insert into item select * from loan", Some(ROWS_IN_ONE_TRANSACTION)),
            ("insert into item (id) values (1)", None),
            ("--: in batches of item\nupdate item set a = 1 where id > $1 and id <= $2", None),
            ("alter table item alter column a type bigint", Some(REWRITES_TABLE)),
            ("alter table item alter column a set not null", Some(REWRITES_TABLE)),
            ("alter table item add column a uuid default octavo.fresh_id()", Some(REWRITES_TABLE)),
            ("alter table item add column a text not null", Some(REWRITES_TABLE)),
            ("alter table item add column a bigint not null default 0", None),
            ("alter table item add column a text collate \"C\", add column b numeric", None),
            ("alter table item add column a uuid references loan", Some(CHECKS_ALL_ROWS)),
            ("alter table item add constraint a foreign key (b) references loan (id)", Some(CHECKS_ALL_ROWS)),
            ("alter table item add constraint a foreign key (b) references loan (id) not valid", None),
            ("alter table item validate constraint a", Some(CHECKS_ALL_ROWS)),
            ("--: alone\nalter table item validate constraint a", None),
            ("alter table item drop column a", Some(STILL_IN_USE)),
            ("alter table item rename column a to b", Some(STILL_IN_USE)),
            ("alter table item set (fillfactor = 70)", None),
            ("alter table item disable trigger a", Some(UNKNOWN_EFFECT)),
            ("drop table item", Some(STILL_IN_USE)),
            ("drop index a", Some(BLOCKS_TABLE)),
            ("--: alone\ndrop index concurrently a", None),
            ("lock table item", Some(BLOCKS_TABLE)),
            ("create table a (id uuid references item)", None),
            ("create trigger a after insert on item for each row execute function b()", None),
            ("do $$ begin update item set a = 1; end $$", Some(UNKNOWN_EFFECT)),
        ];
        for (sql, why) in cases {
            assert_eq!(offences(sql).first().map(|offence| offence.why), why, "{sql}");
        }
    }

    #[test]
    fn steps_say_what_they_work_on_and_can_be_done_twice() {
        let wrong = [
            "create index concurrently a on item (b)",
            "--: in batches of item\nupdate item set a = 1",
            "create table c (id uuid);\n--: alone\ncreate index concurrently a on item (b)",
            "alter table item add column a text;\n--: alone\ncreate index concurrently a on item (b)",
        ];
        for sql in wrong {
            assert!(!offences(sql).is_empty(), "{sql}");
        }
        let right = "alter table item add column if not exists a text;\ncreate table if not exists c (id uuid);\n\
                     --: alone\ncreate index concurrently a on item (b)";
        assert_eq!(offences(right), []);
    }
}
