//! Random queries of the query grammar, each as CQL and as a condition of SQL on the tables of the sample.

use octavo_lab::chance::Chance;

/// What queries are made of: what stands in the titles of the sample.
pub(super) struct Vocabulary {
    /// The ids of the first and the last title.
    pub(super) first: String,
    pub(super) last: String,
    pub(super) words: Vec<String>,
    /// Titles, names, series and subjects of Latin letters.
    pub(super) texts: Vec<String>,
    /// Values that are compared as a whole, by their field in [`WHOLE`].
    pub(super) values: Vec<(&'static str, Vec<String>)>,
}

#[derive(Clone)]
pub(super) struct Query {
    pub(super) cql: String,
    pub(super) sql: String,
}

/// Names of fields that are searched by words, and where the words stand in the tables of the sample.
const WORDED: [(&str, &[&str]); 7] = [
    ("keyword", &["title", "index title", "series", "contributor", "identifier"]),
    ("title", &["title", "index title", "series"]),
    ("contributors", &["contributor"]),
    ("subjects", &["subject"]),
    ("series", &["series"]),
    ("notes.note", &["note"]),
    ("publisher", &["publisher"]),
];

/// Names of fields that are compared as a whole.
pub(super) const WHOLE: [&str; 18] = [
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
    pub(super) fn query(&self, chance: &mut Chance) -> Query {
        let mut query = self.clause(chance);
        for _ in 0..chance.below(4) {
            let other = self.clause(chance);
            let (left, right) = if chance.below(2) == 0 { (query, other) } else { (other, query) };
            query = joined(["and", "or", "not"][chance.below(3)], &left, &right);
        }
        query
    }

    fn clause(&self, chance: &mut Chance) -> Query {
        match chance.below(10) {
            0..=3 => self.by_words(chance),
            4 => self.phrase(chance),
            5 => self.like_text(chance),
            6..=7 => self.whole(chance),
            8 => self.one_of(chance),
            _ => self.between_or_present(chance),
        }
    }

    fn word(&self, chance: &mut Chance) -> &str {
        &self.words[chance.below(self.words.len())]
    }

    fn value(&self, chance: &mut Chance) -> (&'static str, &[String]) {
        let with_values: Vec<_> = self.values.iter().filter(|(_, values)| !values.is_empty()).collect();
        let (field, values) = with_values[chance.below(with_values.len())];
        (field, values)
    }

    /// `all`, `=`, `any` or `<>` one to three words, some of them in capitals.
    fn by_words(&self, chance: &mut Chance) -> Query {
        let (name, fields) = WORDED[chance.below(WORDED.len())];
        let relation = ["all", "=", "any", "<>"][chance.below(4)];
        let words: Vec<String> = (0..=chance.below(3))
            .map(|_| {
                let word = self.word(chance);
                if chance.below(4) == 0 { word.to_uppercase() } else { word.to_owned() }
            })
            .collect();
        let tests: Vec<String> = words.iter().map(|word| has_word(fields, word)).collect();
        let sql = match relation {
            "any" => tests.join(" or "),
            "<>" => format!("not ({})", tests.join(" and ")),
            _ => tests.join(" and "),
        };
        Query { cql: format!("{name} {relation} \"{}\"", words.join(" ")), sql: format!("({sql})") }
    }

    /// `==` words that follow each other in a text, or the whole text.
    fn phrase(&self, chance: &mut Chance) -> Query {
        let (name, fields) = WORDED[chance.below(4)];
        let text = &self.texts[chance.below(self.texts.len())];
        if chance.below(3) == 0 {
            let same = format!("lower(t.text) = lower({})", literal(text));
            return Query {
                cql: format!("{name} ==/string \"{}\"", escaped(text)),
                sql: in_text(fields, &same),
            };
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let from = chance.below(words.len());
        let plain = |word: &&&str| word.chars().all(|sign| sign.is_ascii_lowercase());
        let words: Vec<&str> = words[from..].iter().take(3).take_while(plain).copied().collect();
        if words.is_empty() {
            return self.by_words(chance);
        }
        let phrase = words.join(" ");
        let stands = format!("t.tokens like '% {phrase} %'");
        Query { cql: format!("{name} == \"{phrase}\""), sql: in_text(fields, &stands) }
    }

    /// The beginning, the end or the middle of a text.
    fn like_text(&self, chance: &mut Chance) -> Query {
        // A pattern under `keyword` is held against identifiers, too, which have no texts in the sample.
        let (name, fields) = WORDED[1 + chance.below(WORDED.len() - 1)];
        let text = &self.texts[chance.below(self.texts.len())];
        let (cql, like) = open(text, chance);
        let test = format!("lower(t.text) like lower({})", literal(&like));
        Query { cql: format!("{name} = \"{cql}\""), sql: in_text(fields, &test) }
    }

    /// A whole value, or what it begins or ends with.
    fn whole(&self, chance: &mut Chance) -> Query {
        let (field, values) = self.value(chance);
        let value = &values[chance.below(values.len())];
        let numbered = matches!(field, "isbn" | "oclc");
        match chance.below(4) {
            0 if !numbered => {
                let (cql, like) = open(value, chance);
                Query {
                    cql: format!("{field} == \"{cql}\""),
                    sql: in_values(field, &format!("like {}", literal(&like))),
                }
            }
            1 if !numbered => {
                let same = in_values(field, &format!("= {}", literal(value)));
                Query { cql: format!("{field} <> \"{}\"", escaped(value)), sql: format!("not {same}") }
            }
            at => Query {
                cql: format!("{field} {} \"{}\"", if at == 2 { "=" } else { "==" }, escaped(value)),
                sql: in_values(field, &format!("= {}", literal(value))),
            },
        }
    }

    /// One of several values, as a client's filters ask for them.
    fn one_of(&self, chance: &mut Chance) -> Query {
        let (field, values) = self.value(chance);
        let some: Vec<&String> = (0..=chance.below(3)).map(|_| &values[chance.below(values.len())]).collect();
        let cql: Vec<String> = some.iter().map(|value| format!("\"{}\"", escaped(value))).collect();
        let sql: Vec<String> = some.iter().map(|value| literal(value)).collect();
        Query {
            cql: format!("{field} == ({})", cql.join(" or ")),
            sql: in_values(field, &format!("in ({})", sql.join(", "))),
        }
    }

    /// A stretch of values, or that there is a value or none.
    fn between_or_present(&self, chance: &mut Chance) -> Query {
        if chance.below(3) == 0 {
            let (name, fields) = WORDED[1 + chance.below(WORDED.len() - 1)];
            let present = in_text(fields, "true");
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
            return self.by_words(chance);
        }
        let value = &values[chance.below(values.len())];
        let relation = ["<", "<=", ">", ">="][chance.below(4)];
        Query {
            cql: format!("{field} {relation} \"{}\"", escaped(value)),
            sql: in_values(field, &format!("{relation} {}", literal(value))),
        }
    }
}

fn joined(operator: &str, left: &Query, right: &Query) -> Query {
    let sql_operator = if operator == "not" { "and not" } else { operator };
    Query {
        cql: format!("({}) {operator} ({})", left.cql, right.cql),
        sql: format!("({} {sql_operator} {})", left.sql, right.sql),
    }
}

/// The word itself in one of the fields, or a word of the same stem in a title in English. Identifiers are compared as written.
fn has_word(fields: &[&str], word: &str) -> String {
    let small = word.to_lowercase();
    let folded = listed(fields.iter().filter(|field| **field != "identifier"));
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

fn in_text(fields: &[&str], test: &str) -> String {
    format!("s.n in (select t.n from bench_text t where t.field in ({}) and {test})", listed(fields.iter()))
}

fn in_values(field: &str, test: &str) -> String {
    format!(
        "s.n in (select v.n from bench_value v where v.field = '{field}' and v.value collate \"C\" {test})"
    )
}

fn listed<'a>(fields: impl Iterator<Item = &'a &'a str>) -> String {
    fields.map(|field| format!("'{field}'")).collect::<Vec<String>>().join(", ")
}

/// A part of a value with a mask, as CQL and as SQL write it.
fn open(value: &str, chance: &mut Chance) -> (String, String) {
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
    (masked(escaped(&part), "*"), masked(like, "%"))
}

/// A text between quotation marks in CQL.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|sign| {
            matches!(sign, '"' | '\\' | '*' | '?' | '^').then_some('\\').into_iter().chain([sign])
        })
        .collect()
}

/// A text as a literal of SQL.
fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
