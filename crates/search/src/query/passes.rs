//! Whether something that is not in the index, but has values of declared fields, passes a query.

use super::{Range, SearchCondition, Test};
use crate::instants;
use crate::names::Names;
use crate::text;

impl SearchCondition {
    /// Whether something passes whose fields are searched as a whole; `values` gives those of the field with a number.
    pub fn passes<'v>(&self, names: &Names, values: &dyn Fn(usize) -> Vec<&'v str>) -> bool {
        match self {
            SearchCondition::Everything => true,
            SearchCondition::And(parts) => parts.iter().all(|part| part.passes(names, values)),
            SearchCondition::Or(parts) => parts.iter().any(|part| part.passes(names, values)),
            SearchCondition::Without(left, right) => {
                left.passes(names, values) && !right.passes(names, values)
            }
            SearchCondition::Test(test) => test.passes(names, values),
        }
    }
}

impl Test {
    fn passes<'v>(&self, names: &Names, values: &dyn Fn(usize) -> Vec<&'v str>) -> bool {
        let has = |name: usize, passes: &dyn Fn(String, &str) -> bool| {
            names.names[name].fields.iter().any(|&field| {
                let index = names.field(field).index;
                values(field).into_iter().any(|value| passes(text::whole_term(index, value), value))
            })
        };
        match self {
            Test::Term(name, _, terms) => has(*name, &|whole, _| terms.contains(&whole)),
            Test::Like(name, _, pattern) => has(*name, &|whole, _| pattern.matches(&whole)),
            Test::Text(name, _, range) => has(*name, &|whole, _| range.contains(&whole)),
            Test::Instant(name, range) => has(*name, &|_, value| {
                instants::instant_range(value).is_some_and(|(at, _)| range.contains(&at))
            }),
            Test::Present(name) => has(*name, &|_, _| true),
            // Words stand one after the other only in fields that are searched by words.
            Test::Phrase(..) => false,
        }
    }
}

impl<T: PartialOrd> Range<T> {
    fn contains(&self, value: &T) -> bool {
        let from = |(from, within): &(T, bool)| value > from || (*within && value == from);
        let to = |(to, within): &(T, bool)| value < to || (*within && value == to);
        self.from.as_ref().is_none_or(from) && self.to.as_ref().is_none_or(to)
    }
}
