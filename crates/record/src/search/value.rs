//! The value of a CQL term: masks to LIKE patterns, words to full-text queries.

use octavo_cql::term::{self, Part};
use octavo_kernel::{Fault, Outcome};

use crate::declaration::Folding;
use crate::query::{Param, Sql};

/// The SQL of a text, wrapped in `lower` or `octavo.fold` as the folding requires.
pub(super) fn folded_sql(folding: Folding, sql: &str) -> String {
    match folding {
        Folding::Exact => sql.to_owned(),
        Folding::Lower => format!("lower({sql})"),
        Folding::Loose => format!("octavo.fold({sql})"),
    }
}

/// A term that is compared with a whole value.
pub(super) enum ValueMatch {
    Literal(String),
    /// A pattern of SQL's LIKE, to be used with [`ESCAPE_SQL`].
    Like(String),
}

/// The escape character of patterns, U+0001. The usual backslash would not do: patterns are folded as a whole, and folding turns
/// other characters, such as the full-width backslash, into backslashes.
pub(super) const ESCAPE_SQL: &str = "escape chr(1)";
const ESCAPE_CHARACTER: char = '\u{1}';

pub(super) fn parse_masks(term: &str) -> Outcome<ValueMatch> {
    let parts = term::parts(term).map_err(Fault::bad_request)?;
    let masked = parts.iter().any(|part| matches!(part, Part::AnyOne | Part::AnyMany));
    let mut text = String::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Char(c) if masked && matches!(c, '%' | '_' | ESCAPE_CHARACTER) => {
                text.extend([ESCAPE_CHARACTER, c]);
            }
            Part::Char(c) => text.push(c),
            Part::AnyOne => text.push('_'),
            Part::AnyMany => text.push('%'),
            Part::Anchor => text.push('^'),
        }
    }
    Ok(if masked { ValueMatch::Like(text) } else { ValueMatch::Literal(text) })
}

/// The text of a term without wildcards. `<`, `<=`, `>` and `>=` take wildcards as plain characters.
pub(super) fn unmasked_text(term: &str) -> Outcome<String> {
    Ok(match parse_masks(term)? {
        ValueMatch::Literal(text) => text,
        ValueMatch::Like(_) => term.to_owned(),
    })
}

/// A full-text query over the words of a term, joined by `<->` (in order), `&&` (all) or `||` (any).
/// `None` where the term has no words.
pub(super) fn full_text_query(sql: &mut Sql, term: &str, joint: &str) -> Outcome<Option<String>> {
    let mut queries = Vec::new();
    for word in split_words(term)? {
        let function = if word.prefix { "octavo.prefix" } else { "octavo.phrase" };
        let value = sql.bind(Param::Text(word.text));
        queries.push(format!("{function}({value})"));
    }
    Ok(if queries.is_empty() { None } else { Some(format!("({})", queries.join(&format!(" {joint} ")))) })
}

struct Word {
    text: String,
    /// `abc*`
    prefix: bool,
}

fn split_words(term: &str) -> Outcome<Vec<Word>> {
    let parts = term::parts(term).map_err(Fault::bad_request)?;
    let mut words = Vec::new();
    let mut current = Word { text: String::new(), prefix: false };
    for part in parts {
        let c = match part {
            Part::AnyOne => {
                return Err(Fault::bad_request("? wildcard not allowed in full text query string"));
            }
            Part::AnyMany => {
                current.prefix = true;
                continue;
            }
            Part::Anchor => '^',
            Part::Char(c) => c,
        };
        if c.is_whitespace() {
            words.push(std::mem::replace(&mut current, Word { text: String::new(), prefix: false }));
        } else if current.prefix {
            return Err(Fault::bad_request(format!(
                "* right truncation wildcard must be followed by space or end of string, but found {c}"
            )));
        } else {
            current.text.push(c);
        }
    }
    words.push(current);
    words.retain(|word| !word.text.is_empty());
    Ok(words)
}
