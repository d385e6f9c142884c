//! The parameters of a request for a list: page, filters, search terms, order, and whether the answer has totals (web-toolkit 9.0.0).

use octavo_engine::Request;
use octavo_kernel::{Fault, Outcome};
use octavo_record::Sql;

use crate::filter::Filter;
use crate::kind::{Kind, Path};
use crate::resource::Resource;
use crate::sql::{Conditions, record_json_sql};
use crate::view::View;

pub(crate) struct Listing {
    pub(crate) page_size: i64,
    pub(crate) page_number: i64,
    offset: i64,
    filters: Vec<Filter>,
    words: Vec<String>,
    /// The paths of the members that are searched: all words have to be in one of them.
    match_paths: Vec<String>,
    sort: Vec<(String, bool)>,
    pub(crate) with_totals: bool,
}

const MOST_ON_A_PAGE: i64 = 100;
const USUAL_ON_A_PAGE: i64 = 10;
/// The most filters, search words, searched paths, and sort members of one request.
const MAX_VALUES: usize = 20;
/// The most characters of the parameter `term`.
const LONGEST_TERM: usize = 1000;

impl Listing {
    pub(crate) fn read(request: &Request, resource: &Resource) -> Outcome<Listing> {
        let kind = resource.kind;
        let number =
            |name| request.query(name).and_then(|text| text.parse::<i64>().ok()).filter(|number| *number > 0);
        let page_size = number("perPage").or(number("max")).unwrap_or(USUAL_ON_A_PAGE).min(MOST_ON_A_PAGE);
        let from = number("offset").unwrap_or(0);
        let page = number("page").unwrap_or(from / page_size + 1).min(i64::from(i32::MAX));
        let offset = if number("page").is_some() { (page - 1) * page_size } else { from };
        let is_path = |path: &str| Path::read(kind, path).is_some();
        let filters = parameter_values(request, "filters")?;
        let filters = filters.iter().map(|filter| Filter::read(filter, &is_path));
        let filters = filters.collect::<Result<Vec<Filter>, String>>();
        let term = request.query("term").unwrap_or_default();
        if term.chars().count() > LONGEST_TERM {
            return Err(Fault::bad_request(format!("term has more than {LONGEST_TERM} characters")));
        }
        let words = split_words(term);
        if words.len() > MAX_VALUES {
            return Err(Fault::bad_request(format!("A search has {MAX_VALUES} words at most")));
        }
        let known = |name| {
            Ok(parameter_values(request, name)?
                .into_iter()
                .filter(|path| is_path(path))
                .map(str::to_owned)
                .collect())
        };
        let matched: Outcome<Vec<String>> = known("match");
        let asked = parameter_values(request, "sort")?;
        let sort = if asked.is_empty() { resource.sort.to_vec() } else { asked };
        let sort = sort.into_iter().map(|sort| match sort.split_once(';') {
            Some((path, direction)) => (path.to_owned(), direction.eq_ignore_ascii_case("desc")),
            None => (sort.to_owned(), false),
        });
        Ok(Listing {
            page_size,
            page_number: page,
            offset,
            filters: filters
                .map_err(|why| Fault::bad_request(format!("The filter cannot be read: {why}")))?,
            words,
            match_paths: matched?,
            sort: sort.collect(),
            with_totals: request.query_flag("stats"),
        })
    }

    /// The SQL of the page, one row for each record.
    pub(crate) fn page_sql(&self, kind: &'static Kind, view: &View, among: Option<&Filter>) -> Sql {
        let mut page = Sql::default();
        let (condition, order) = self.condition_and_order(&mut page, kind, among);
        let shown = record_json_sql(kind, view);
        let (size, offset) = (self.page_size, self.offset);
        page.text = format!(
            "select {shown}::text from {} t where {condition} order by {order}t.id limit {size} offset {offset}",
            kind.table()
        );
        page
    }

    /// The SQL of the number of records on all pages.
    pub(crate) fn count_sql(&self, kind: &'static Kind, among: Option<&Filter>) -> Sql {
        let mut count = Sql::default();
        let (condition, _) = self.condition_and_order(&mut count, kind, among);
        count.text = format!("select count(*) from {} t where {condition}", kind.table());
        count
    }

    fn condition_and_order(
        &self,
        sql: &mut Sql,
        kind: &'static Kind,
        among: Option<&Filter>,
    ) -> (String, String) {
        let mut conditions = Conditions::new(sql, kind);
        let mut all: Vec<String> =
            among.into_iter().chain(&self.filters).map(|filter| conditions.filter_sql(filter)).collect();
        if !self.match_paths.is_empty() && !self.words.is_empty() {
            all.push(conditions.words_sql(&self.words, &self.match_paths));
        }
        all.push("true".to_owned());
        let mut order = String::new();
        for (path, falls) in &self.sort {
            if let Some(value) = conditions.sort_value_sql(path) {
                let direction = if *falls { " desc nulls last, " } else { ", " };
                order.push_str(&value);
                order.push_str(direction);
            }
        }
        (all.join(" and "), order)
    }
}

/// All values of a parameter, whose name may be written with brackets behind it: `filters` or `filters[]`.
fn parameter_values<'a>(request: &'a Request, name: &str) -> Outcome<Vec<&'a str>> {
    let named = |(given, _): &&(String, String)| given.strip_suffix("[]").unwrap_or(given) == name;
    let values: Vec<&str> = request.query.iter().filter(named).map(|(_, value)| value.as_str()).collect();
    let values: Vec<&str> = values.into_iter().filter(|value| !value.trim().is_empty()).collect();
    if values.len() > MAX_VALUES {
        return Err(Fault::bad_request(format!("{name} stands more than {MAX_VALUES} times")));
    }
    Ok(values)
}

/// Splits a search term into words. What stands between quotation marks is one word.
fn split_words(term: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in term.chars() {
        match letter {
            '"' => quoted = !quoted,
            letter if letter.is_whitespace() && !quoted => words.push(String::new()),
            letter => words.last_mut().into_iter().for_each(|word| word.push(letter)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_stay_together() {
        for (term, expected) in [
            ("", vec![]),
            ("one", vec!["one"]),
            ("  one two ", vec!["one", "two"]),
            ("\"one two\" three", vec!["one two", "three"]),
            ("\"one two", vec!["one two"]),
        ] {
            assert_eq!(split_words(term), expected, "{term}");
        }
    }
}
