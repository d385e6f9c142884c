//! One condition of an expression: a key, an operator and a value.

use jiff::civil::Date;

use super::Language;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    /// A condition on a part of the leader.
    Leader { from: usize, length: usize, equal: bool, value: String },
    /// A value of a field with this tag.
    Row { tag: String, test: Test },
    /// Whether the record has a field, subfield or indicator.
    Presence { tag: String, of: Part, present: bool },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Field,
    Subfield(char),
    Indicator(char),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Indicator(char, Comparison, String),
    Subfield(char, Comparison, String),
    Value(Comparison, String),
    /// A test of `length` characters from a position on.
    Position {
        from: usize,
        length: usize,
        equal: bool,
        value: String,
    },
    /// A test of the value's first eight digits as a date (yyyymmdd).
    Date(DateRange),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Begins,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum DateRange {
    On(String),
    NotOn(String),
    From(String),
    To(String),
    Between(String, String),
}

const OPERATORS: [&str; 7] = ["=", "^=", "not=", "from", "to", "in", "is"];

/// The named parts of the leader, with position and length.
const LEADER: [(&str, usize, usize); 15] = [
    ("p_00_04", 0, 5),
    ("p_05", 5, 1),
    ("p_06", 6, 1),
    ("p_07", 7, 1),
    ("p_08", 8, 1),
    ("p_09", 9, 1),
    ("p_10", 10, 1),
    ("p_11", 11, 1),
    ("p_12_16", 12, 5),
    ("p_17", 17, 1),
    ("p_18", 18, 1),
    ("p_19", 19, 1),
    ("p_20", 20, 1),
    ("p_21", 21, 1),
    ("p_22", 22, 1),
];

impl Operand {
    pub(super) fn read(language: Language, key: &str, written: &str, value: &str) -> Result<Operand, String> {
        let named = format!("[key: {key}, operator: {written}, value: {value}]");
        let Some(operator) = OPERATORS.into_iter().find(|one| *one == written.to_lowercase()) else {
            let known = OPERATORS.join(", ");
            return Err(format!(
                "The given binary operator is not supported {named}. Supported operators: [{known}]"
            ));
        };
        let unknown = || format!("The given key is not supported {named}");
        match language {
            Language::Leader => {
                let (_, from, length) = LEADER.iter().find(|(name, ..)| *name == key).ok_or_else(unknown)?;
                let equal =
                    parse_equality(operator, "Leader").map_err(|told| told + ". Supported operators: [=]")?;
                Ok(Operand::Leader { from: *from, length: *length, equal, value: value.to_owned() })
            }
            Language::Fields => {
                let (tag, part) = key.get(..3).zip(key.get(4..)).ok_or_else(unknown)?;
                parse_field_operand(key, tag, part, operator, value).unwrap_or_else(|| Err(unknown()))
            }
        }
    }
}

/// Parses a condition on a field. `None` if there is no such part of a field.
fn parse_field_operand(
    key: &str,
    tag: &str,
    part: &str,
    operator: &str,
    value: &str,
) -> Option<Result<Operand, String>> {
    let row = |test: Result<Test, String>| Some(test.map(|test| Operand::Row { tag: tag.to_owned(), test }));
    let value_of = |name, test: &dyn Fn(Comparison, String) -> Test| {
        row(parse_comparison(operator, name).map(|compared| test(compared, value.to_owned())))
    };
    let presence = |of: Part| {
        Some(match value {
            "present" | "absent" => {
                Ok(Operand::Presence { tag: tag.to_owned(), of, present: value == "present" })
            }
            _ => Err(format!("Value [{value}] is not supported for the given Presence operand")),
        })
    };
    let is = operator == "is";
    match part {
        "ind1" | "ind2" => {
            let number = if part == "ind1" { '1' } else { '2' };
            if is {
                return presence(Part::Indicator(number));
            }
            value_of("Indicator", &|compared, value| Test::Indicator(number, compared, value))
        }
        "value" if is => presence(Part::Field),
        "value" => value_of("Value", &Test::Value),
        "date" => row(parse_date_range(operator, value).and_then(|span| {
            let span = span.ok_or_else(|| {
                format!("The given expression [{key} {operator} '{value}'] is not supported")
            })?;
            Ok(Test::Date(span))
        })),
        _ => {
            if let [code @ (b'0'..=b'9' | b'a'..=b'z')] = part.as_bytes() {
                let code = char::from(*code);
                if is {
                    return presence(Part::Subfield(code));
                }
                return value_of("SubField", &|compared, value| Test::Subfield(code, compared, value));
            }
            let (from, length) = part.split_once('_')?;
            row(parse_position(parse_digits(from)?, parse_digits(length)?, operator, value))
        }
    }
}

fn parse_digits(text: &str) -> Option<usize> {
    let fits = (2..=3).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn parse_position(from: usize, length: usize, operator: &str, value: &str) -> Result<Test, String> {
    if value.chars().count() != length {
        return Err(format!(
            "The length of the value [{value}] should be equal to the end position [expected length = {length}]"
        ));
    }
    Ok(Test::Position { from, length, equal: parse_equality(operator, "Position")?, value: value.to_owned() })
}

fn parse_equality(operator: &str, kind: &str) -> Result<bool, String> {
    match operator {
        "=" => Ok(true),
        "not=" => Ok(false),
        _ => Err(unsupported(operator, kind)),
    }
}

fn parse_comparison(operator: &str, kind: &str) -> Result<Comparison, String> {
    match operator {
        "=" => Ok(Comparison::Equal),
        "not=" => Ok(Comparison::Unequal),
        "^=" => Ok(Comparison::Begins),
        _ => Err(unsupported(operator, kind)),
    }
}

fn unsupported(operator: &str, kind: &str) -> String {
    format!("Operator [{operator}] is not supported for the given {kind} operand")
}

/// Parses a date or a range of dates. `None` if the operator does not allow such a value.
fn parse_date_range(operator: &str, value: &str) -> Result<Option<DateRange>, String> {
    let (first, second) = match value.split_once('-') {
        Some((first, second)) => (parse_date(first)?, Some(parse_date(second)?)),
        None => (parse_date(value)?, None),
    };
    Ok(match (operator, second) {
        ("=", None) => Some(DateRange::On(first)),
        ("not=", None) => Some(DateRange::NotOn(first)),
        ("from", None) => Some(DateRange::From(first)),
        ("to", None) => Some(DateRange::To(first)),
        ("in", Some(second)) => Some(DateRange::Between(first, second)),
        _ => None,
    })
}

fn parse_date(text: &str) -> Result<String, String> {
    match Date::strptime("%Y%m%d", text) {
        Ok(_) if text.len() == 8 => Ok(text.to_owned()),
        _ => Err(format!("The given date [{text}] is in a wrong format. Expected date pattern: [yyyymmdd]")),
    }
}
