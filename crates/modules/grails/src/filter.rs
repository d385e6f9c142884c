//! The language of the parameter `filters`: comparisons of members with values, joined by `&&`, `||`, `!` and brackets (web-toolkit 9.0.0).

/// A filter expression as it was parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Filter {
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Not(Box<Filter>),
    /// The member at a path compared with a value.
    Compare(String, Operator, String),
    /// Whether the member at a path has a value.
    Is(String, Presence),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    EqualIgnoringCase,
    NotEqual,
    Greater,
    AtLeast,
    Less,
    AtMost,
    Contains,
    NotContains,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Null,
    NotNull,
    Empty,
    NotEmpty,
}

impl Operator {
    /// The operator with its sides exchanged: `5 < x` is `x > 5`.
    fn reversed(self) -> Operator {
        match self {
            Operator::Greater => Operator::Less,
            Operator::AtLeast => Operator::AtMost,
            Operator::Less => Operator::Greater,
            Operator::AtMost => Operator::AtLeast,
            other => other,
        }
    }

    fn has_direction(self) -> bool {
        self != self.reversed()
    }
}

/// An operator stands before those operators with which it begins.
const OPERATORS: &[(&str, Operator)] = &[
    ("=i=", Operator::EqualIgnoringCase),
    ("==", Operator::Equal),
    ("=~", Operator::Contains),
    ("!=", Operator::NotEqual),
    ("<>", Operator::NotEqual),
    ("!~", Operator::NotContains),
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    (">", Operator::Greater),
    ("<", Operator::Less),
    ("=", Operator::Equal),
];

const PRESENCES: &[(&str, Presence)] = &[
    ("isnotnull", Presence::NotNull),
    ("isnotempty", Presence::NotEmpty),
    ("isnotset", Presence::Null),
    ("isnull", Presence::Null),
    ("isempty", Presence::Empty),
    ("isset", Presence::NotNull),
];

/// The most characters of a filter, comparisons in it, and brackets and negations within each other.
const MOST_CHARACTERS: usize = 10_000;
const MOST_COMPARISONS: usize = 100;
const MOST_DEPTH: usize = 50;

impl Filter {
    /// Parses a filter. `is_path` tells which texts are paths of members of the filtered records. The error is a message for the client.
    pub(crate) fn read(text: &str, is_path: &dyn Fn(&str) -> bool) -> Result<Filter, String> {
        if text.chars().count() > MOST_CHARACTERS {
            return Err(format!("a filter has more than {MOST_CHARACTERS} characters"));
        }
        let mut lines = Vec::new();
        let mut reader = Reader { rest: "", comparisons: 0, depth: 0, is_path };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            reader.rest = line;
            lines.push(reader.parse_or()?);
            if !reader.rest.trim().is_empty() {
                return Err(format!("cannot be read from here on: {}", reader.rest));
            }
        }
        match lines.len() {
            1 => Ok(lines.remove(0)),
            _ => Ok(Filter::All(lines)),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    comparisons: usize,
    depth: usize,
    is_path: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    fn take(&mut self, sign: &str) -> bool {
        let after = self.rest.trim_start().strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn parse_or(&mut self) -> Result<Filter, String> {
        let mut parts = vec![self.parse_and()?];
        while self.take("||") {
            parts.push(self.parse_and()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::Any(parts) })
    }

    fn parse_and(&mut self) -> Result<Filter, String> {
        let mut parts = vec![self.parse_term()?];
        while self.take("&&") {
            parts.push(self.parse_term()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::All(parts) })
    }

    fn parse_term(&mut self) -> Result<Filter, String> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(format!("more than {MOST_DEPTH} brackets and negations within each other"));
        }
        let read = if self.take("!") {
            Filter::Not(Box::new(self.parse_term()?))
        } else if self.take("(") {
            let within = self.parse_or()?;
            if !self.take(")") {
                return Err("a bracket is not closed".to_owned());
            }
            within
        } else {
            self.parse_comparison()?
        };
        self.depth -= 1;
        Ok(read)
    }

    fn parse_comparison(&mut self) -> Result<Filter, String> {
        self.comparisons += 1;
        if self.comparisons > MOST_COMPARISONS {
            return Err(format!("more than {MOST_COMPARISONS} comparisons"));
        }
        let first = self.parse_operand();
        let Some(operator) = self.parse_operator() else { return self.parse_presence(&first) };
        let second = self.parse_operand();
        match self.parse_operator() {
            Some(then) if operator.has_direction() && then.has_direction() && (self.is_path)(&second) => {
                let third = self.parse_operand();
                let above = Filter::Compare(second.clone(), operator.reversed(), first);
                Ok(Filter::All(vec![above, Filter::Compare(second, then, third)]))
            }
            Some(_) => Err(format!("{second} stands between two operators")),
            None if (self.is_path)(&first) => Ok(Filter::Compare(first, operator, second)),
            None if (self.is_path)(&second) => Ok(Filter::Compare(second, operator.reversed(), first)),
            None => Err(format!("neither {first} nor {second} is a member of these records")),
        }
    }

    fn parse_presence(&self, text: &str) -> Result<Filter, String> {
        let named = |(name, presence): &(&str, Presence)| {
            let at = text.len().checked_sub(name.len())?;
            let path = text.get(..at)?;
            let is_named = text[at..].eq_ignore_ascii_case(name) && path.ends_with([' ', '\t']);
            is_named.then(|| (path.trim().to_owned(), *presence))
        };
        match PRESENCES.iter().find_map(named) {
            Some((path, presence)) if (self.is_path)(&path) => Ok(Filter::Is(path, presence)),
            Some((path, _)) => Err(format!("{path} is no member of these records")),
            None => Err(format!("no operator after {text}")),
        }
    }

    fn parse_operator(&mut self) -> Option<Operator> {
        let (sign, operator) = OPERATORS.iter().find(|(sign, _)| self.rest.starts_with(sign))?;
        self.rest = &self.rest[sign.len()..];
        Some(*operator)
    }

    /// Reads the text up to the next operator or bracket that is not escaped, without blanks around it.
    fn parse_operand(&mut self) -> String {
        let (mut read, mut escaped, mut end) = (String::new(), false, self.rest.len());
        for (at, letter) in self.rest.char_indices() {
            let rest = &self.rest[at..];
            if escaped {
                escaped = false;
                read.push(letter);
            } else if letter == '\\' {
                escaped = true;
            } else if matches!(letter, '!' | '(' | ')' | '<' | '>' | '=')
                || rest.starts_with("&&")
                || rest.starts_with("||")
            {
                end = at;
                break;
            } else {
                read.push(letter);
            }
        }
        self.rest = &self.rest[end..];
        read.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Filter, String> {
        Filter::read(text, &|path| ["name", "owner.code", "weight", "x"].contains(&path))
    }

    fn compare(path: &str, operator: Operator, value: &str) -> Filter {
        Filter::Compare(path.to_owned(), operator, value.to_owned())
    }

    #[test]
    fn a_member_is_compared_with_a_value() {
        for (text, operator) in [
            ("name=a b", Operator::Equal),
            ("name == a b", Operator::Equal),
            ("name=i=a b", Operator::EqualIgnoringCase),
            ("name!=a b", Operator::NotEqual),
            ("name<>a b", Operator::NotEqual),
            ("name=~a b", Operator::Contains),
            ("name!~a b", Operator::NotContains),
            ("name>a b", Operator::Greater),
            ("name>=a b", Operator::AtLeast),
            ("name<a b", Operator::Less),
            ("name<=a b", Operator::AtMost),
            ("a b==name", Operator::Equal),
            ("a b<name", Operator::Greater),
            ("a b>=name", Operator::AtMost),
        ] {
            assert_eq!(read(text), Ok(compare("name", operator, "a b")), "{text}");
        }
    }

    #[test]
    fn comparisons_are_joined_negated_and_grouped() {
        let one = || compare("name", Operator::Equal, "1");
        let two = || compare("owner.code", Operator::Equal, "2");
        let not = |filter| Filter::Not(Box::new(filter));
        for (text, filter) in [
            ("name==1&&owner.code==2", Filter::All(vec![one(), two()])),
            ("name==1 || owner.code==2", Filter::Any(vec![one(), two()])),
            ("name==1||name==1&&owner.code==2", Filter::Any(vec![one(), Filter::All(vec![one(), two()])])),
            ("(name==1||name==1)&&owner.code==2", Filter::All(vec![Filter::Any(vec![one(), one()]), two()])),
            ("!name==1", not(one())),
            ("!(name==1||owner.code==2)", not(Filter::Any(vec![one(), two()]))),
            ("name==1\nowner.code==2", Filter::All(vec![one(), two()])),
            ("name isNull", Filter::Is("name".into(), Presence::Null)),
            ("owner.code isNotNull", Filter::Is("owner.code".into(), Presence::NotNull)),
            ("x isNotEmpty&&name==1", Filter::All(vec![Filter::Is("x".into(), Presence::NotEmpty), one()])),
            ("name==a\\=\\(b\\)", compare("name", Operator::Equal, "a=(b)")),
            (
                "1<weight<=5",
                Filter::All(vec![
                    compare("weight", Operator::Greater, "1"),
                    compare("weight", Operator::AtMost, "5"),
                ]),
            ),
        ] {
            assert_eq!(read(text), Ok(filter), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let deep = "!".repeat(60) + "name==1";
        let many = vec!["name==1"; 101].join("&&");
        let many_lines = vec!["name==1"; 101].join("\n");
        let long = format!("name=={}", "a".repeat(10_000));
        for text in [
            "name",
            "nobody==1",
            "(name==1",
            "name==1)",
            "name==1==2",
            "name==1&&",
            "nobody isNull",
            &deep,
            &many,
            &many_lines,
            &long,
        ] {
            assert!(read(text).is_err(), "{text}: {:?}", read(text));
        }
        let of_two_bytes = format!("name=={}", "é".repeat(9_994));
        assert!(read(&of_two_bytes).is_ok(), "10,000 characters, not bytes");
    }
}
