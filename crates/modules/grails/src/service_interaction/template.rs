//! Formats a number as text: padded with zeros, with a check digit, and inserted into a template. Facts: Java's `DecimalFormat`, the EAN-13
//! check digit (GS1 General Specifications 7.9), templates of Groovy's `SimpleTemplateEngine` such as `P${generated_number}-$checksum`.

/// The parts of a text that a sequence makes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NumberParts<'a> {
    pub(super) prefix: Option<&'a str>,
    pub(super) number: &'a str,
    pub(super) postfix: Option<&'a str>,
    pub(super) checksum: Option<&'a str>,
}

impl NumberParts<'_> {
    /// The parts that have a text, joined by `-`. This is the result if the sequence has no template.
    pub(super) fn join_with_hyphens(self) -> String {
        let parts = [self.prefix, Some(self.number), self.postfix, self.checksum];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
    }

    /// The template with `${name}`, `$name` and `<%= name %>` replaced by the part of this name, `null` if there is no such part. `None`
    /// if it has Groovy of any other kind.
    pub(super) fn fill_template(self, template: &str) -> Option<String> {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = [rest.find('$'), rest.find("<%")].into_iter().flatten().min() {
            text.push_str(&rest[..at]);
            let (name, after) = placeholder(&rest[at..])?;
            text.push_str(match name {
                "prefix" => self.prefix.unwrap_or("null"),
                "generated_number" => self.number,
                "postfix" => self.postfix.unwrap_or("null"),
                "checksum" => self.checksum.unwrap_or("null"),
                _ => return None,
            });
            rest = after;
        }
        text.push_str(rest);
        Some(text)
    }
}

/// The name in the placeholder at the beginning of a text, and the text behind the placeholder.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    if let Some(enclosed) = text.strip_prefix("${") {
        return enclosed.split_once('}').map(|(name, after)| (name.trim(), after));
    }
    if let Some(enclosed) = text.strip_prefix("<%=") {
        return enclosed.split_once("%>").map(|(name, after)| (name.trim(), after));
    }
    let named = text.strip_prefix('$')?;
    let in_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let (name, after) = named.split_at(named.find(|sign| !in_name(sign)).unwrap_or(named.len()));
    // `$name.more` would be a property of the part, which is not supported.
    let property =
        after.strip_prefix('.').is_some_and(|more| more.starts_with(|sign: char| sign.is_alphabetic()));
    (!property).then_some((name, after))
}

/// Formats a number by a pattern: with at least as many digits as the pattern has zeros, in groups as long as the digits behind its last
/// comma.
pub(super) fn format_number(number: i64, pattern: &str) -> String {
    let is_digit = |sign: char| matches!(sign, '0' | '#' | ',');
    let begin = pattern.find(is_digit).unwrap_or(pattern.len());
    let length = pattern[begin..].find(|sign| !is_digit(sign)).unwrap_or(pattern.len() - begin);
    let (before, digits, after) =
        (&pattern[..begin], &pattern[begin..begin + length], &pattern[begin + length..]);
    let least = digits.chars().filter(|sign| *sign == '0').count();
    let mut text = format!("{number:0>least$}");
    if let Some((_, group)) = digits.rsplit_once(',') {
        let size = group.len().max(1);
        let mut at = text.len();
        while at > size {
            at -= size;
            text.insert(at, ',');
        }
    }
    format!("{before}{text}{after}")
}

/// The EAN-13 check digit of a text of digits of any length: from the right they count three times and once in turn.
pub(super) fn ean13_check_digit(digits: &str) -> Option<String> {
    let mut sum = 0;
    for (place, sign) in digits.chars().rev().enumerate() {
        sum += sign.to_digit(10)? * if place % 2 == 0 { 3 } else { 1 };
    }
    (sum > 0).then(|| ((10 - sum % 10) % 10).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_padded_and_grouped() {
        for (number, pattern, text) in [
            (1, "000000000", "000000001"),
            (1234, "000", "1234"),
            (7, "#", "7"),
            (7, "A000B", "A007B"),
            (1_234_567, "#,##0", "1,234,567"),
            (5, "", "5"),
        ] {
            assert_eq!(format_number(number, pattern), text, "{pattern}");
        }
    }

    #[test]
    fn check_digits_are_those_of_real_barcodes() {
        for (digits, check) in [("400638133393", "1"), ("978014300723", "4"), ("000000001", "7")] {
            assert_eq!(ean13_check_digit(digits).as_deref(), Some(check), "{digits}");
        }
        assert_eq!(ean13_check_digit("A1"), None);
        assert_eq!(ean13_check_digit("000"), None, "no digit counts");
    }

    #[test]
    fn parts_stand_where_the_template_says() {
        let parts = NumberParts { prefix: Some("P"), number: "007", postfix: None, checksum: Some("4") };
        assert_eq!(parts.join_with_hyphens(), "P-007-4");
        for (template, text) in [
            ("K${generated_number}", Some("K007")),
            ("${prefix}/${ generated_number }${postfix}-${checksum}", Some("P/007null-4")),
            ("K$generated_number", Some("K007")),
            ("$prefix$generated_number.", Some("P007.")),
            ("$prefix-<%= generated_number %>, $postfix", Some("P-007, null")),
            ("no number < 5 %", Some("no number < 5 %")),
            ("${other}", None),
            ("$other", None),
            ("$prefix.bytes", None),
            ("5 $", None),
            ("${generated_number", None),
            ("<%= 1 + 1 %>", None),
            ("<% generated_number %>", None),
        ] {
            assert_eq!(parts.fill_template(template).as_deref(), text, "{template}");
        }
    }
}
