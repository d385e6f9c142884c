//! What a query for a number looks for: mod-search's term processors.

use super::numbers;

/// The term that is searched for instead of the one in the query, in a field whose declaration names this processor.
/// `None` where nothing can be found. A term that ends with `*` goes on as a pattern.
///
/// A processor that is not known leaves the term as it is.
#[must_use]
pub fn apply_term_processor(processor: &str, term: &str) -> Option<String> {
    let searched = match processor {
        "isbnSearchTermProcessor" => numbers::isbn_search_term(term),
        "oclcSearchTermProcessor" => format!("{}{}", leading_wildcard(term), numbers::oclc(term)?),
        "lccnSearchTermProcessor" => numbers::lccn_without_blanks(term)?,
        "callNumberSearchTermProcessor" => {
            format!("{}{}*", leading_wildcard(term), numbers::call_number(term))
        }
        "effectiveShelvingOrderTermProcessor" => numbers::shelving_order(term),
        _ => term.to_owned(),
    };
    Some(searched).filter(|searched| !searched.is_empty())
}

/// The `*` that a term begins with. mod-search drops it from these numbers, and so does not find what stands within one.
fn leading_wildcard(term: &str) -> &'static str {
    if term.starts_with('*') { "*" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::apply_term_processor;

    #[test]
    fn terms_are_changed_as_the_field_declares() {
        for (processor, term, expected) in [
            ("isbnSearchTermProcessor", "1 86197 271-7 (paper)", Some("1861972717 (paper)")),
            ("isbnSearchTermProcessor", "978-0-471*", Some("9780471*")),
            ("isbnSearchTermProcessor", "978-3-8440-5743-0*", Some("9783844057430*")),
            ("isbnSearchTermProcessor", "*0-5743-0*", Some("*057430*")),
            ("isbnSearchTermProcessor", " ", None),
            ("oclcSearchTermProcessor", "(OCoLC)00123*", Some("123*")),
            ("oclcSearchTermProcessor", "*123*", Some("*123*")),
            ("oclcSearchTermProcessor", "ocm", None),
            ("oclcSearchTermProcessor", "*", None),
            ("lccnSearchTermProcessor", " N 123456 ", Some("n123456")),
            ("lccnSearchTermProcessor", "", None),
            ("callNumberSearchTermProcessor", "TK5105.88815 . A58", Some("tk510588815a58*")),
            ("callNumberSearchTermProcessor", "TK*", Some("tk*")),
            ("callNumberSearchTermProcessor", "*5105 .8*", Some("*51058*")),
            ("effectiveShelvingOrderTermProcessor", "ab№as", Some("AB AS")),
            ("other", "As it is", Some("As it is")),
        ] {
            assert_eq!(apply_term_processor(processor, term).as_deref(), expected, "{processor} {term:?}");
        }
    }
}
