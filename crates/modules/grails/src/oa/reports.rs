//! The three reports to OpenAPC, as CSV: charges of articles, charges of books, articles under an agreement (mod-oa 2.0.0).

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;
use octavo_pg::Statement;

use super::price::invoiced;
use crate::refusal::{bad_request, not_found};

/// The most lines of a report.
const MAX_LINES: usize = 100_000;

const ARTICLE_COLUMNS: &[&str] =
    &["institution", "period", "euro", "doi", "is_hybrid", "publisher", "journal_full_title", "issn", "url"];
const BOOK_COLUMNS: &[&str] = &["institution", "period", "euro", "doi", "backlist_oa", "book_title", "isbn"];
const AGREEMENT_COLUMNS: &[&str] =
    &["institution", "period", "doi", "is_hybrid", "publisher", "journal_full_title", "issn", "url"];

pub(super) async fn report(request: Request) -> Outcome<Response> {
    let (head, sql) = match request.path_parameter(0) {
        "openApcChargesReport" => (ARTICLE_COLUMNS, CHARGES_OF_ARTICLES),
        "openApcBpcReport" => (BOOK_COLUMNS, CHARGES_OF_BOOKS),
        "openApcTransformativeAgreementReport" => (AGREEMENT_COLUMNS, UNDER_AGREEMENT),
        _ => return Err(not_found()),
    };
    let period = request.query("paymentPeriod");
    let given = |name| request.query(name);
    let statement = Statement::new(sql).maybe_text(given("institution")).maybe_text(period);
    let statement = if std::ptr::eq(head, AGREEMENT_COLUMNS) {
        if period.is_some_and(|period| period.parse::<i32>().is_err()) {
            return Err(bad_request("paymentPeriod is a year"));
        }
        statement.maybe_text(given("agreementId")).maybe_text(given("publicationStatus"))
    } else {
        statement.maybe_text(given("chargeCategory")).maybe_text(given("chargeStatus"))
    };
    let rows: Vec<String> =
        request.context.session().await?.read(statement.long(MAX_LINES as i64 + 1)).await?;
    if rows.len() > MAX_LINES {
        return Err(bad_request("The report has more than 100,000 lines: ask for less"));
    }
    let mut csv = csv_line(head.iter().map(|name| Some((*name).to_owned())));
    for row in &rows {
        let cells: Vec<Option<String>> = serde_json::from_str(row).unwrap_or_default();
        csv.push_str(&csv_line(cells.into_iter()));
    }
    let response = Response { content_type: "text/csv", ..Response::text(200, csv) };
    Ok(response.with_header("content-disposition", "attachment; filename=export.csv"))
}

/// Writes a line of the CSV. Each cell is quoted; a cell without a value is empty. A cell that a spreadsheet would read as a formula gets
/// an apostrophe in front.
fn csv_line(cells: impl Iterator<Item = Option<String>>) -> String {
    let cell = |cell: Option<String>| match cell {
        None => String::new(),
        Some(text) => {
            let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
            format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
        }
    };
    cells.map(cell).collect::<Vec<_>>().join(",") + "\n"
}

macro_rules! label {
    ($member:literal, $text:literal) => {
        concat!("(select v.doc ->> '", $text, "' from oa_refdata_value v where v.id::text = ", $member, ")")
    };
}

macro_rules! issn {
    () => {
        "(select o -> 'identifier' ->> 'value' \
         from (select i.doc from oa_title_instance i where i.work = w.id \
               order by (select v.doc ->> 'value' from oa_refdata_value v where v.id::text = i.doc ->> 'subType') nulls first, i.id limit 1) first, \
           octavo.elements(first.doc, 'identifiers') o \
         where o -> 'identifier' -> 'ns' ->> 'value' = 'issn' limit 1)"
    };
}

/// The SQL of the price in euro, after discount, tax and exchange. NULL if the charge is not exchanged into euro.
macro_rules! euro {
    () => {
        concat!(
            "case when c.doc -> 'exchangeRate' ->> 'toCurrency' = 'EUR' \
             and c.doc -> 'exchangeRate' ->> 'fromCurrency' = c.doc -> 'amount' ->> 'baseCurrency' \
             and (c.doc -> 'exchangeRate' ->> 'coefficient')::numeric <> 0 then round(",
            invoiced!("c.doc"),
            " * (c.doc -> 'exchangeRate' ->> 'coefficient')::numeric, 2) end"
        )
    };
}

macro_rules! charges {
    () => {
        concat!(
            "from oa_charge c join oa_publication_request p on p.id = c.owner left join oa_work w on w.id = p.work \
             where ($2::text is null or c.doc ->> 'paymentPeriod' = $2) \
               and ($3::text is null or ",
            label!("c.doc ->> 'category'", "value"),
            " = any(string_to_array($3, ','))) and ($4::text is null or ",
            label!("c.doc ->> 'chargeStatus'", "value"),
            " = any(string_to_array($4, ','))) order by c.id limit $5"
        )
    };
}

macro_rules! hybrid {
    () => {
        concat!("(coalesce(", label!("p.doc ->> 'workOAStatus'", "value"), ", '') = 'hybrid')::text")
    };
}

const CHARGES_OF_ARTICLES: &str = concat!(
    "select json_build_array($1::text, c.doc ->> 'paymentPeriod', (",
    euro!(),
    ")::text, p.doc ->> 'doi', ",
    hybrid!(),
    ", ",
    label!("p.doc ->> 'publisher'", "label"),
    ", w.doc ->> 'title', ",
    issn!(),
    ", case when p.doc ->> 'doi' is null then p.doc ->> 'publicationUrl' end)::text ",
    charges!()
);
const CHARGES_OF_BOOKS: &str = concat!(
    "select json_build_array($1::text, c.doc ->> 'paymentPeriod', (",
    euro!(),
    ")::text, p.doc ->> 'doi', p.doc ->> 'retrospectiveOA', p.doc ->> 'publicationTitle', \
     case when p.doc ->> 'doi' is null then (select i ->> 'publicationIdentifier' from octavo.elements(p.doc, 'identifiers') i where ",
    label!("i ->> 'type'", "value"),
    " = 'isbn' limit 1) end)::text ",
    charges!()
);
const UNDER_AGREEMENT: &str = concat!(
    "select json_build_array($1::text, $2::text, p.doc ->> 'doi', ",
    hybrid!(),
    ", ",
    label!("p.doc ->> 'publisher'", "label"),
    ", w.doc ->> 'title', ",
    issn!(),
    ", case when p.doc ->> 'doi' is null then p.doc ->> 'publicationUrl' end)::text \
     from oa_publication_request p left join oa_work w on w.id = p.work \
     where p.doc -> 'agreement' ->> 'remoteId' = $3 and ($4::text is null or exists ( \
       select from octavo.elements(p.doc, 'publicationStatuses') s where ",
    label!("s ->> 'publicationStatus'", "value"),
    " = $4 and ($2::text is null or left(s ->> 'statusDate', 4) = $2))) order by p.id limit $5"
);

octavo_pg::statements!(other = [CHARGES_OF_ARTICLES, CHARGES_OF_BOOKS, UNDER_AGREEMENT]);

#[cfg(test)]
mod tests {
    use super::csv_line;

    #[test]
    fn cells_are_quoted_and_no_formulas() {
        let cells = [Some("a \"b\""), None, Some("=1+1"), Some("")].map(|cell| cell.map(str::to_owned));
        assert_eq!(csv_line(cells.into_iter()), "\"a \"\"b\"\"\",,\"'=1+1\",\"\"\n");
    }
}
