//! An amount of money in whole cents.
//!
//! FOLIO's records hold JSON numbers and its requests texts. Both are read as decimals, never as binary fractions, and
//! rounded half to even to two digits. No currency: FOLIO's is always the tenant's.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use serde_json::{Number, Value};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

/// Up to this many cents a JSON number says every cent exactly: fifteen significant digits.
const MOST_CENTS: i64 = 999_999_999_999_999;

impl Money {
    pub const ZERO: Money = Money(0);

    pub const fn from_cents(cents: i64) -> Money {
        Money(cents)
    }

    pub const fn as_cents(self) -> i64 {
        self.0
    }

    /// A decimal: digits with an optional sign, point and exponent. `None` for other texts and for amounts that are too large.
    pub fn parse(text: &str) -> Option<Money> {
        Some(Money(parse_decimal(text, 2)?))
    }

    /// `count` times a quantity, which may have fractions of a cent; only the product is rounded.
    pub fn product(quantity: &Value, count: i64) -> Option<Money> {
        const FINE: u32 = 6;
        let quantity = match quantity {
            Value::Number(number) => parse_decimal(&number.to_string(), i64::from(FINE))?,
            Value::String(text) => parse_decimal(text, i64::from(FINE))?,
            _ => return None,
        };
        let product = i128::from(quantity) * i128::from(count);
        let cent = 10_i128.pow(FINE - 2);
        let (cents, rest) = (product.div_euclid(cent), product.rem_euclid(cent));
        let up = rest * 2 > cent || rest * 2 == cent && cents % 2 != 0;
        i64::try_from(cents + i128::from(up)).ok().filter(|cents| cents.abs() <= MOST_CENTS).map(Money)
    }

    /// A JSON number, or a text that holds one.
    pub fn read(value: &Value) -> Option<Money> {
        match value {
            Value::Number(number) => Money::parse(&number.to_string()),
            Value::String(text) => Money::parse(text),
            _ => None,
        }
    }

    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// The amount in the form of records: `10.0`, `7.25`.
    pub fn to_json(self) -> Value {
        let text = self.to_string();
        let text = text.strip_suffix('0').unwrap_or(&text);
        // Within fifteen digits the number prints as the text it was read from.
        Value::Number(text.parse::<Number>().unwrap_or_else(|_| Number::from(0)))
    }

    pub fn times(self, count: i64) -> Money {
        Money(self.0.saturating_mul(count))
    }
}

/// A decimal times ten to the power of `places`, rounded half to even.
fn parse_decimal(text: &str, places: i64) -> Option<i64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, read_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // The place of the last digit that is kept among the digits.
    let end = whole.len() as i64 + exponent + places;
    let number = round_digits(digits.trim_end_matches('0'), end).filter(|number| *number <= MOST_CENTS)?;
    Some(if negative { -number } else { number })
}

/// The first `end` digits as a number, what follows them rounded half to even.
fn round_digits(digits: &str, end: i64) -> Option<i64> {
    let digits = digits.as_bytes();
    let digit =
        |at: i64| usize::try_from(at).ok().and_then(|at| digits.get(at)).map_or(0, |digit| digit - b'0');
    let first = digits.iter().position(|digit| *digit != b'0').map_or(end, |first| first as i64);
    if end - first > 16 {
        return None;
    }
    let kept = (first..end).fold(0_i64, |number, at| number * 10 + i64::from(digit(at)));
    let half_or_more = digit(end) > 5 || digit(end) == 5 && (digits.len() as i64 > end + 1 || kept % 2 == 1);
    Some(kept + i64::from(half_or_more))
}

fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Java's decimals have exponents of 32 bits too.
    if plain { text.parse::<i32>().ok().map(i64::from) } else { None }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100)
    }
}

impl Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        Money(self.0 + other.0)
    }
}

impl Sub for Money {
    type Output = Money;

    fn sub(self, other: Money) -> Money {
        Money(self.0 - other.0)
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn amounts_are_read_as_decimals_and_rounded_half_to_even() {
        for (text, cents) in [
            ("10", 1000),
            ("10.0", 1000),
            (".5", 50),
            ("5.", 500),
            ("+5", 500),
            ("-1.25", -125),
            ("007.10", 710),
            ("1e2", 10_000),
            ("1.5E-1", 15),
            ("12345e-4", 123),
            // halves go to the even cent
            ("0.005", 0),
            ("0.015", 2),
            ("0.025", 2),
            ("0.0250000001", 3),
            ("0.035", 4),
            ("2.675", 268),
            ("0.004999", 0),
            ("99.995", 10_000),
            ("0e999999", 0),
            ("1e-999999", 0),
            ("9999999999999.99", 999_999_999_999_999),
        ] {
            assert_eq!(Money::parse(text), Some(Money::from_cents(cents)), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount() {
        for text in
            ["", " 1", "1 ", "1,00", "ten", ".", "e5", "1e", "1e+", "--1", "+-1", "0x10", "NaN", "1_0", "١"]
        {
            assert_eq!(Money::parse(text), None, "{text:?}");
        }
        for text in ["10000000000000", "1e308", "1e999999999999", "99999999999999999999999999"] {
            assert_eq!(Money::parse(text), None, "{text}");
        }
    }

    #[test]
    fn records_hold_numbers_with_one_digit_at_least() {
        for (cents, text, json) in
            [(1000, "10.00", "10.0"), (725, "7.25", "7.25"), (0, "0.00", "0.0"), (-5, "-0.05", "-0.05")]
        {
            assert_eq!(Money::from_cents(cents).to_string(), text);
            assert_eq!(Money::from_cents(cents).to_json().to_string(), json);
        }
        assert_eq!(Money::read(&json!("1.1")), Money::read(&json!(1.1)));
        assert_eq!(Money::read(&json!(null)), None);
    }

    proptest! {
        #[test]
        fn an_amount_survives_its_record(cents in -MOST_CENTS..=MOST_CENTS) {
            let money = Money::from_cents(cents);
            prop_assert_eq!(Money::parse(&money.to_string()), Some(money));
            let stored: Value = serde_json::from_str(&money.to_json().to_string()).unwrap();
            prop_assert_eq!(Money::read(&stored), Some(money));
        }
    }
}
