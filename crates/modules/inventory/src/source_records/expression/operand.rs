//! One condition of an expression: a key, an operator and a value.

use jiff::civil::Date;

use super::Language;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand {
    /// A part of the leader, from a position on.
    Leader { from: usize, length: usize, equal: bool, value: String },
    /// A value of a field with this tag.
    Row { tag: String, test: Test },
    /// Whether the record has something.
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
    Indicator(char, Compared, String),
    Subfield(char, Compared, String),
    Value(Compared, String),
    /// So many characters from a position on.
    Position {
        from: usize,
        length: usize,
        equal: bool,
        value: String,
    },
    /// Its first eight digits as a date, written yyyymmdd.
    Date(Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    Equal,
    Unequal,
    Begins,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Span {
    On(String),
    NotOn(String),
    From(String),
    To(String),
    Between(String, String),
}

const OPERATORS: [&str; 7] = ["=", "^=", "not=", "from", "to", "in", "is"];

/// The parts of the leader that have names, by position and length.
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
                    equality(operator, "Leader").map_err(|told| told + ". Supported operators: [=]")?;
                Ok(Operand::Leader { from: *from, length: *length, equal, value: value.to_owned() })
            }
            Language::Fields => {
                let (tag, part) = key.get(..3).zip(key.get(4..)).ok_or_else(unknown)?;
                field(key, tag, part, operator, value).unwrap_or_else(|| Err(unknown()))
            }
        }
    }
}

/// `None` if there is no such part.
fn field(key: &str, tag: &str, part: &str, operator: &str, value: &str) -> Option<Result<Operand, String>> {
    let row = |test: Result<Test, String>| Some(test.map(|test| Operand::Row { tag: tag.to_owned(), test }));
    let value_of = |name, test: &dyn Fn(Compared, String) -> Test| {
        row(compared(operator, name).map(|compared| test(compared, value.to_owned())))
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
        "date" => row(span(operator, value).and_then(|span| {
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
            row(position(digits(from)?, digits(length)?, operator, value))
        }
    }
}

fn digits(text: &str) -> Option<usize> {
    let fits = (2..=3).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

fn position(from: usize, length: usize, operator: &str, value: &str) -> Result<Test, String> {
    if value.chars().count() != length {
        return Err(format!(
            "The length of the value [{value}] should be equal to the end position [expected length = {length}]"
        ));
    }
    Ok(Test::Position { from, length, equal: equality(operator, "Position")?, value: value.to_owned() })
}

fn equality(operator: &str, kind: &str) -> Result<bool, String> {
    match operator {
        "=" => Ok(true),
        "not=" => Ok(false),
        _ => Err(unsupported(operator, kind)),
    }
}

fn compared(operator: &str, kind: &str) -> Result<Compared, String> {
    match operator {
        "=" => Ok(Compared::Equal),
        "not=" => Ok(Compared::Unequal),
        "^=" => Ok(Compared::Begins),
        _ => Err(unsupported(operator, kind)),
    }
}

fn unsupported(operator: &str, kind: &str) -> String {
    format!("Operator [{operator}] is not supported for the given {kind} operand")
}

/// `None` where the operator takes no such value.
fn span(operator: &str, value: &str) -> Result<Option<Span>, String> {
    let (first, second) = match value.split_once('-') {
        Some((first, second)) => (date(first)?, Some(date(second)?)),
        None => (date(value)?, None),
    };
    Ok(match (operator, second) {
        ("=", None) => Some(Span::On(first)),
        ("not=", None) => Some(Span::NotOn(first)),
        ("from", None) => Some(Span::From(first)),
        ("to", None) => Some(Span::To(first)),
        ("in", Some(second)) => Some(Span::Between(first, second)),
        _ => None,
    })
}

fn date(text: &str) -> Result<String, String> {
    match Date::strptime("%Y%m%d", text) {
        Ok(_) if text.len() == 8 => Ok(text.to_owned()),
        _ => Err(format!("The given date [{text}] is in a wrong format. Expected date pattern: [yyyymmdd]")),
    }
}
