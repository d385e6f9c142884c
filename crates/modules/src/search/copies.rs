//! Instances by what is known of their holdings and items. These are looked up before the search itself: an `or` between an
//! instance's own words and its items' barcodes would else read every instance.

use octavo_cql::term::{Part, parts};
use octavo_kernel::{Fault, Outcome};
use octavo_pg::Statement;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Copies {
    Barcode,
    ItemHrid,
    HoldingsHrid,
    CallNumber,
    /// By its letters and digits alone.
    BareCallNumber,
}

/// The greatest character: everything that begins with a text comes before the text with this behind.
const LAST: &str = "\u{10FFFF}";

/// The ids of at most a thousand instances.
pub(super) fn instances(copies: Copies, term: &str) -> Outcome<Statement> {
    let (text, truncated) = begins(term)?;
    let sql = match copies {
        Copies::Barcode => BARCODE,
        Copies::ItemHrid => ITEM_HRID,
        Copies::HoldingsHrid => HOLDINGS_HRID,
        Copies::CallNumber => CALL_NUMBER,
        Copies::BareCallNumber => BARE_CALL_NUMBER,
    };
    let statement = Statement::new(sql).text(&*text).text(if truncated { LAST } else { "" });
    Ok(if copies == Copies::BareCallNumber {
        statement.texts(beginnings(&text)).text(LAST)
    } else {
        statement
    })
}

/// What separates the parts of a call number.
const SEPARATORS: [&str; 5] = [" ", ".", "-", "/", ","];
/// So many letters and digits of a call number are looked up in the index, which keeps it as it is written.
const LOOKED_UP: usize = 5;

/// How call numbers may begin whose letters and digits begin like these: with one separator somewhere, or none.
fn beginnings(text: &str) -> Vec<String> {
    let bare = text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase);
    let first: Vec<char> = bare.take(LOOKED_UP).collect();
    let mut beginnings = Vec::new();
    if !first.is_empty() {
        beginnings.push(first.iter().collect());
    }
    for place in 1..first.len() {
        let (before, after) = first.split_at(place);
        let [before, after] = [before, after].map(|part| part.iter().collect::<String>());
        beginnings.extend(SEPARATORS.map(|separator| format!("{before}{separator}{after}")));
    }
    beginnings
}

/// The text of a term, and whether more may follow.
fn begins(term: &str) -> Outcome<(String, bool)> {
    let mut parts = parts(term).map_err(Fault::bad_request)?;
    let truncated = parts.last() == Some(&Part::AnyMany);
    if truncated {
        parts.pop();
    }
    let text: Option<String> = parts
        .into_iter()
        .map(|part| match part {
            Part::Char(letter) => Some(letter),
            Part::Anchor => Some('^'),
            Part::AnyOne | Part::AnyMany => None,
        })
        .collect();
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.ok_or_else(|| Fault::bad_request("Only right truncation is possible here"))?;
    Ok((text.trim().to_owned(), truncated))
}

const BARCODE: &str = "\
select distinct h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.barcode between lower($1) and lower($1) || $2
limit 1000";

const ITEM_HRID: &str = "\
select distinct h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.hrid between lower($1) and lower($1) || $2
limit 1000";

const HOLDINGS_HRID: &str = "\
select h.\"instanceId\"
from holdings_record h
where h.hrid between octavo.fold($1) and octavo.fold($1) || $2
limit 1000";

const CALL_NUMBER: &str = "\
select h.\"instanceId\"
from holdings_record h
where h.\"callNumber\" between lower($1) and lower($1) || $2
union
select h.\"instanceId\"
from item i
join holdings_record h on h.id = i.\"holdingsRecordId\"
where i.\"effectiveCallNumberComponents.callNumber\" between lower($1) and lower($1) || $2
limit 1000";

/// Of so many copies as it reads, the titles are a thousand or more, or they have very many copies.
const BARE_CALL_NUMBER: &str = "\
with beginning (text) as (select unnest($3::text[])),
asked (bare) as (select regexp_replace(lower($1), '[^[:alnum:]]', '', 'g'))
(
  select h.\"instanceId\"
  from asked, beginning b
  join holdings_record h on h.\"callNumber\" between b.text and b.text || $4
  where regexp_replace(h.\"callNumber\", '[^[:alnum:]]', '', 'g') between asked.bare and asked.bare || $2
  limit 10000
) union (
  select h.\"instanceId\"
  from asked, beginning b
  join item i on i.\"effectiveCallNumberComponents.callNumber\" between b.text and b.text || $4
  join holdings_record h on h.id = i.\"holdingsRecordId\"
  where regexp_replace(i.\"effectiveCallNumberComponents.callNumber\", '[^[:alnum:]]', '', 'g')
    between asked.bare and asked.bare || $2
  limit 10000
)
limit 1000";

#[cfg(test)]
mod tests {
    use super::{beginnings, begins};

    #[test]
    fn a_call_number_is_looked_up_as_it_may_be_written() {
        assert!(beginnings("--").is_empty());
        assert_eq!(beginnings("7"), ["7"]);
        assert_eq!(beginnings("J c"), ["jc", "j c", "j.c", "j-c", "j/c", "j,c"]);
        assert!(beginnings("PR4034 .P7").contains(&"pr 403".to_owned()));
    }

    #[test]
    fn terms_are_truncated_on_the_right_only() {
        let read = |term: &str| begins(term).ok();
        assert_eq!(read("QA 76*"), Some(("QA 76".to_owned(), true)));
        assert_eq!(read("a\\*b"), Some(("a*b".to_owned(), false)));
        for term in ["*1", "a?b", "*", "", "a*b"] {
            assert_eq!(read(term), None, "{term}");
        }
    }
}
