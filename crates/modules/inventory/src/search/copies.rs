//! Finds instances by their holdings and items, before the search itself: an `or` between an instance's words and its items' barcodes
//! would read every instance.

use octavo_cql::term::{Part, parts};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;
use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Copies {
    Barcode,
    ItemId,
    ItemHrid,
    HoldingsId,
    HoldingsHrid,
    CallNumber,
    /// A call number by its letters and digits alone.
    BareCallNumber,
}

/// The greatest character. All texts that begin with a text are less than that text followed by this character.
const LAST: &str = "\u{10FFFF}";

/// The ids of at most a thousand instances.
pub(super) fn instances(copies: Copies, term: &str) -> Outcome<Statement> {
    let mask = Mask::read(term)?;
    let sql = match copies {
        Copies::Barcode => BARCODE,
        Copies::ItemHrid => ITEM_HRID,
        Copies::HoldingsHrid => HOLDINGS_HRID,
        Copies::CallNumber => CALL_NUMBER,
        Copies::BareCallNumber => {
            let statement = mask.ask(BARE_CALL_NUMBER);
            return Ok(statement.texts(beginnings(&mask.start)).text(LAST));
        }
        Copies::ItemId if mask.open => ITEM_ID_LIKE,
        Copies::HoldingsId if mask.open => HOLDINGS_ID_LIKE,
        // A text that is no UUID is the id of no item.
        Copies::ItemId => return Ok(Statement::new(ITEM_ID).maybe_uuid(Uuid::parse_str(&mask.start).ok())),
        Copies::HoldingsId => {
            return Ok(Statement::new(HOLDINGS_ID).maybe_uuid(Uuid::parse_str(&mask.start).ok()));
        }
    };
    Ok(mask.ask(sql))
}

/// What separates the parts of a call number.
const SEPARATORS: [&str; 5] = [" ", ".", "-", "/", ","];
/// How many letters and digits of a call number are looked up in the index, which keeps call numbers as they are written.
const LOOKED_UP: usize = 5;

/// The beginnings of call numbers whose letters and digits begin with these: without a separator, and with one at each place.
fn beginnings(text: &str) -> Vec<String> {
    let bare = text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase);
    let first: Vec<char> = bare.take(LOOKED_UP).collect();
    let mut beginnings = vec![first.iter().collect()];
    for place in 1..first.len() {
        let (before, after) = first.split_at(place);
        let [before, after] = [before, after].map(|part| part.iter().collect::<String>());
        beginnings.extend(SEPARATORS.map(|separator| format!("{before}{separator}{after}")));
    }
    beginnings
}

/// A pattern for a whole value.
#[derive(Debug, PartialEq)]
struct Mask {
    /// The text before the first wildcard, which an index finds.
    start: String,
    open: bool,
    /// The pattern for SQL's LIKE, with U+0001 as escape character.
    pattern: String,
}

impl Mask {
    fn read(term: &str) -> Outcome<Mask> {
        let mut mask = Mask { start: String::new(), open: false, pattern: String::new() };
        for part in parts(term.trim()).map_err(Fault::bad_request)? {
            let letter = match part {
                Part::AnyMany | Part::AnyOne => {
                    mask.open = true;
                    mask.pattern.push(if part == Part::AnyOne { '_' } else { '%' });
                    continue;
                }
                Part::Char(letter) => letter,
                Part::Anchor => '^',
            };
            if !mask.open {
                mask.start.push(letter);
            }
            if matches!(letter, '%' | '_' | '\u{1}') {
                mask.pattern.push('\u{1}');
            }
            mask.pattern.push(letter);
        }
        match mask.pattern.is_empty() {
            true => Err(Fault::bad_request("There is nothing to search for")),
            false => Ok(mask),
        }
    }

    /// Start and end of the range in the index, and the pattern.
    fn ask(&self, sql: &'static str) -> Statement {
        Statement::new(sql).text(&*self.start).text(if self.open { LAST } else { "" }).text(&*self.pattern)
    }
}

const BARCODE: &str = "\
select distinct h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.barcode between lower($1) and lower($1) || $2
and i.barcode like lower($3) escape chr(1)
limit 1000";

const ITEM_HRID: &str = "\
select distinct h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.hrid between lower($1) and lower($1) || $2
and i.hrid like lower($3) escape chr(1)
limit 1000";

const ITEM_ID: &str = "\
select h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.id = $1";

const HOLDINGS_ID: &str = "select h.\"instanceId\" from holdings_record h where h.id = $1";

/// Ids with a wildcard, for which no index is of use.
const ITEM_ID_LIKE: &str = "\
select distinct h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.id::text between lower($1) and lower($1) || $2
and i.id::text like lower($3) escape chr(1)
limit 1000";

const HOLDINGS_ID_LIKE: &str = "\
select distinct h.\"instanceId\"
from holdings_record h
where h.id::text between lower($1) and lower($1) || $2
and h.id::text like lower($3) escape chr(1)
limit 1000";

const HOLDINGS_HRID: &str = "\
select h.\"instanceId\"
from holdings_record h
where h.hrid between octavo.fold($1) and octavo.fold($1) || $2
and h.hrid like octavo.fold($3) escape chr(1)
limit 1000";

const CALL_NUMBER: &str = "\
select h.\"instanceId\"
from holdings_record h
where h.\"callNumber\" between lower($1) and lower($1) || $2
and h.\"callNumber\" like lower($3) escape chr(1)
union
select h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.\"effectiveCallNumberComponents.callNumber\" between lower($1) and lower($1) || $2
and i.\"effectiveCallNumberComponents.callNumber\" like lower($3) escape chr(1)
limit 1000";

/// Of so many copies as it reads, the titles are a thousand or more, or they have very many copies.
const BARE_CALL_NUMBER: &str = "\
with beginning (text) as (select unnest($4::text[])),
asked (bare, pattern) as (
  select regexp_replace(lower($1), '[^[:alnum:]]', '', 'g'), regexp_replace(lower($3), '[^[:alnum:]%_]', '', 'g')
)
(
  select h.\"instanceId\"
  from asked, beginning b
  join holdings_record h on h.\"callNumber\" between b.text and b.text || $5
  where regexp_replace(h.\"callNumber\", '[^[:alnum:]]', '', 'g') between asked.bare and asked.bare || $2
  and regexp_replace(h.\"callNumber\", '[^[:alnum:]]', '', 'g') like asked.pattern
  limit 10000
) union (
  select h.\"instanceId\"
  from asked, beginning b
  join item i on i.\"effectiveCallNumberComponents.callNumber\" between b.text and b.text || $5
  join holdings_record h on h.id = i.\"holdingsRecordId\"
  where regexp_replace(i.\"effectiveCallNumberComponents.callNumber\", '[^[:alnum:]]', '', 'g')
    between asked.bare and asked.bare || $2
  and regexp_replace(i.\"effectiveCallNumberComponents.callNumber\", '[^[:alnum:]]', '', 'g') like asked.pattern
  limit 10000
)
limit 1000";

octavo_pg::statements! {
    hot = [
        BARCODE, ITEM_HRID, ITEM_ID, HOLDINGS_ID, ITEM_ID_LIKE, HOLDINGS_ID_LIKE, HOLDINGS_HRID, CALL_NUMBER,
        BARE_CALL_NUMBER,
    ],
}

#[cfg(test)]
mod tests {
    use super::{Mask, beginnings};

    #[test]
    fn a_call_number_is_looked_up_as_it_may_be_written() {
        assert_eq!(beginnings("--"), [""]);
        assert_eq!(beginnings("7"), ["7"]);
        assert_eq!(beginnings("J c"), ["jc", "j c", "j.c", "j-c", "j/c", "j,c"]);
        assert!(beginnings("PR4034 .P7").contains(&"pr 403".to_owned()));
    }

    #[test]
    fn a_value_may_be_open_at_any_place() {
        let read = |term: &str| Mask::read(term).ok().map(|mask| (mask.start, mask.open, mask.pattern));
        let told = |start: &str, open, pattern: &str| Some((start.to_owned(), open, pattern.to_owned()));
        assert_eq!(read("QA 76*"), told("QA 76", true, "QA 76%"));
        assert_eq!(read("a\\*b%"), told("a*b%", false, "a*b\u{1}%"));
        assert_eq!(read("*1"), told("", true, "%1"));
        assert_eq!(read("a?b*c"), told("a", true, "a_b%c"));
        assert_eq!(read(" "), None);
    }
}
