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
    };
    Ok(Statement::new(sql).text(text).text(if truncated { LAST } else { "" }))
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

#[cfg(test)]
mod tests {
    use super::begins;

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
