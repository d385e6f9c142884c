//! Random queries of the query grammar, each as CQL and as a condition of SQL on the tables of the sample.

use octavo_lab::chance::SeededRandom;

/// What queries are made of: what stands in the titles of the sample.
pub(super) struct Vocabulary {
    /// The ids of the first and the last title.
    pub(super) first_id: String,
    pub(super) last_id: String,
    pub(super) words: Vec<String>,
    /// Titles, names, series and subjects of Latin letters.
    pub(super) texts: Vec<String>,
    /// Values of the fields in [`WHOLE_VALUE_FIELDS`], which are compared as a whole, by field.
    pub(super) values: Vec<(&'static str, Vec<String>)>,
}

#[derive(Clone)]
pub(super) struct Query {
    pub(super) cql: String,
    pub(super) sql: String,
}

/// Names of fields that are searched by words, and where the words stand in the tables of the sample.
const WORD_FIELDS: [(&str, &[&str]); 7] = [
    ("keyword", &["title", "index title", "series", "contributor", "identifier"]),
    ("title", &["title", "index title", "series"]),
    ("contributors", &["contributor"]),
    ("subjects", &["subject"]),
    ("series", &["series"]),
    ("notes.note", &["note"]),
    ("publisher", &["publisher"]),
];

/// Names of fields that are compared as a whole.
pub(super) const WHOLE_VALUE_FIELDS: [&str; 18] = [
    "classifications.classificationNumber",
    "holdings.hrid",
    "holdings.permanentLocationId",
    "holdingsFullCallNumbers",
    "hrid",
    "instanceFormatIds",
    "instanceTypeId",
    "isbn",
    "items.barcode",
    "items.effectiveLocationId",
    "items.hrid",
    "items.materialTypeId",
    "items.status.name",
    "languages",
    "modeOfIssuanceId",
    "oclc",
    "source",
    "staffSuppress",
];

impl Vocabulary {
    /// One to four clauses, joined and nested.
    pub(super) fn random_query(&self, chance: &mut SeededRandom) -> Query {
        let mut query = self.random_clause(chance);
        for _ in 0..chance.below(4) {
            let other = self.random_clause(chance);
            let (left, right) = if chance.below(2) == 0 { (query, other) } else { (other, query) };
            query = join_clauses(["and", "or", "not"][chance.below(3)], &left, &right);
        }
        query
    }

    fn random_clause(&self, chance: &mut SeededRandom) -> Query {
        match chance.below(10) {
            0..=3 => self.word_clause(chance),
            4 => self.phrase_clause(chance),
            5 => self.text_pattern_clause(chance),
            6..=7 => self.whole_value_clause(chance),
            8 => self.one_of_clause(chance),
            _ => self.range_or_presence_clause(chance),
        }
    }

    fn random_word(&self, chance: &mut SeededRandom) -> &str {
        &self.words[chance.below(self.words.len())]
    }

    fn random_value(&self, chance: &mut SeededRandom) -> (&'static str, &[String]) {
        let with_values: Vec<_> = self.values.iter().filter(|(_, values)| !values.is_empty()).collect();
        let (field, values) = with_values[chance.below(with_values.len())];
        (field, values)
    }

    /// `all`, `=`, `any` or `<>` one to three words, some of them in capitals.
    fn word_clause(&self, chance: &mut SeededRandom) -> Query {
        let (name, fields) = WORD_FIELDS[chance.below(WORD_FIELDS.len())];
        let relation = ["all", "=", "any", "<>"][chance.below(4)];
        let words: Vec<String> = (0..=chance.below(3))
            .map(|_| {
                let word = self.random_word(chance);
                if chance.below(4) == 0 { word.to_uppercase() } else { word.to_owned() }
            })
            .collect();
        let tests: Vec<String> = words.iter().map(|word| has_word_sql(fields, word)).collect();
        let sql = match relation {
            "any" => tests.join(" or "),
            "<>" => format!("not ({})", tests.join(" and ")),
            _ => tests.join(" and "),
        };
        Query { cql: format!("{name} {relation} \"{}\"", words.join(" ")), sql: format!("({sql})") }
    }

    /// `==` words that follow each other in a text, or the whole text.
    fn phrase_clause(&self, chance: &mut SeededRandom) -> Query {
        let (name, fields) = WORD_FIELDS[chance.below(4)];
        let text = &self.texts[chance.below(self.texts.len())];
        if chance.below(3) == 0 {
            let same = format!("lower(t.text) = lower({})", quote_for_sql(text));
            return Query {
                cql: format!("{name} ==/string \"{}\"", quote_for_cql(text)),
                sql: text_sql(fields, &same),
            };
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let from = chance.below(words.len());
        let plain = |word: &&&str| word.chars().all(|sign| sign.is_ascii_lowercase());
        let words: Vec<&str> = words[from..].iter().take(3).take_while(plain).copied().collect();
        if words.is_empty() {
            return self.word_clause(chance);
        }
        let phrase = words.join(" ");
        let stands = format!("t.tokens like '% {phrase} %'");
        Query { cql: format!("{name} == \"{phrase}\""), sql: text_sql(fields, &stands) }
    }

    /// The beginning, the end or the middle of a text.
    fn text_pattern_clause(&self, chance: &mut SeededRandom) -> Query {
        // A pattern under `keyword` is held against identifiers, too, which have no texts in the sample.
        let (name, fields) = WORD_FIELDS[1 + chance.below(WORD_FIELDS.len() - 1)];
        let text = &self.texts[chance.below(self.texts.len())];
        let (cql, like) = mask_value(text, chance);
        let test = format!("lower(t.text) like lower({})", quote_for_sql(&like));
        Query { cql: format!("{name} = \"{cql}\""), sql: text_sql(fields, &test) }
    }

    /// A whole value, or what it begins or ends with.
    fn whole_value_clause(&self, chance: &mut SeededRandom) -> Query {
        let (field, values) = self.random_value(chance);
        let value = &values[chance.below(values.len())];
        let numbered = matches!(field, "isbn" | "oclc");
        match chance.below(4) {
            0 if !numbered => {
                let (cql, like) = mask_value(value, chance);
                Query {
                    cql: format!("{field} == \"{cql}\""),
                    sql: values_sql(field, &format!("like {}", quote_for_sql(&like))),
                }
            }
            1 if !numbered => {
                let same = values_sql(field, &format!("= {}", quote_for_sql(value)));
                Query { cql: format!("{field} <> \"{}\"", quote_for_cql(value)), sql: format!("not {same}") }
            }
            at => Query {
                cql: format!("{field} {} \"{}\"", if at == 2 { "=" } else { "==" }, quote_for_cql(value)),
                sql: values_sql(field, &format!("= {}", quote_for_sql(value))),
            },
        }
    }

    /// One of several values, as a client's filters ask for them.
    fn one_of_clause(&self, chance: &mut SeededRandom) -> Query {
        let (field, values) = self.random_value(chance);
        let some: Vec<&String> = (0..=chance.below(3)).map(|_| &values[chance.below(values.len())]).collect();
        let cql: Vec<String> = some.iter().map(|value| format!("\"{}\"", quote_for_cql(value))).collect();
        let sql: Vec<String> = some.iter().map(|value| quote_for_sql(value)).collect();
        Query {
            cql: format!("{field} == ({})", cql.join(" or ")),
            sql: values_sql(field, &format!("in ({})", sql.join(", "))),
        }
    }

    /// A stretch of values, or that there is a value or none.
    fn range_or_presence_clause(&self, chance: &mut SeededRandom) -> Query {
        if chance.below(3) == 0 {
            let (name, fields) = WORD_FIELDS[1 + chance.below(WORD_FIELDS.len() - 1)];
            let present = text_sql(fields, "true");
            return if chance.below(2) == 0 {
                Query { cql: format!("{name} = \"\""), sql: present }
            } else {
                Query { cql: format!("{name} == []"), sql: format!("not {present}") }
            };
        }
        let field = ["hrid", "items.barcode", "items.hrid", "holdingsFullCallNumbers"][chance.below(4)];
        let values =
            self.values.iter().find(|(name, _)| *name == field).map_or(&[][..], |(_, values)| values);
        if values.is_empty() {
            return self.word_clause(chance);
        }
        let value = &values[chance.below(values.len())];
        let relation = ["<", "<=", ">", ">="][chance.below(4)];
        Query {
            cql: format!("{field} {relation} \"{}\"", quote_for_cql(value)),
            sql: values_sql(field, &format!("{relation} {}", quote_for_sql(value))),
        }
    }
}

fn join_clauses(operator: &str, left: &Query, right: &Query) -> Query {
    let sql_operator = if operator == "not" { "and not" } else { operator };
    Query {
        cql: format!("({}) {operator} ({})", left.cql, right.cql),
        sql: format!("({} {sql_operator} {})", left.sql, right.sql),
    }
}

/// The word itself in one of the fields, or a word of the same stem in a title in English. Identifiers are compared as written.
fn has_word_sql(fields: &[&str], word: &str) -> String {
    let small = word.to_lowercase();
    let folded = sql_list(fields.iter().filter(|field| **field != "identifier"));
    let mut sql = format!(
        "s.n in (select w.n from bench_word w where w.word = '{small}' and w.field in ({folded})\
         union all select w.n from bench_word w where w.stem = (ts_lexize('pg_temp.bench_english', '{small}'))[1] and w.field in ({folded})"
    );
    if fields.contains(&"identifier") {
        sql += &format!(
            " union all select w.n from bench_word w where w.word = '{word}' and w.field = 'identifier'"
        );
    }
    sql + ")"
}

fn text_sql(fields: &[&str], test: &str) -> String {
    format!("s.n in (select t.n from bench_text t where t.field in ({}) and {test})", sql_list(fields.iter()))
}

fn values_sql(field: &str, test: &str) -> String {
    format!(
        "s.n in (select v.n from bench_value v where v.field = '{field}' and v.value collate \"C\" {test})"
    )
}

fn sql_list<'a>(fields: impl Iterator<Item = &'a &'a str>) -> String {
    fields.map(|field| format!("'{field}'")).collect::<Vec<String>>().join(", ")
}

/// A part of a value with a mask, as CQL and as SQL write it.
fn mask_value(value: &str, chance: &mut SeededRandom) -> (String, String) {
    let signs: Vec<char> = value.chars().collect();
    let (one, other) = (chance.below(signs.len()), chance.below(signs.len()));
    let (from, to) = (one.min(other), one.max(other) + 1);
    let (range, before, after) = match chance.below(3) {
        0 => (0..to, false, true),
        1 => (from..signs.len(), true, false),
        _ => (from..to, true, true),
    };
    let part: String = signs[range].iter().collect();
    let masked = |part: String, mask: &str| {
        format!("{}{part}{}", if before { mask } else { "" }, if after { mask } else { "" })
    };
    let like = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    (masked(quote_for_cql(&part), "*"), masked(like, "%"))
}

/// A text between quotation marks in CQL.
fn quote_for_cql(text: &str) -> String {
    text.chars()
        .flat_map(|sign| {
            matches!(sign, '"' | '\\' | '*' | '?' | '^').then_some('\\').into_iter().chain([sign])
        })
        .collect()
}

/// A text as a literal of SQL.
fn quote_for_sql(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
