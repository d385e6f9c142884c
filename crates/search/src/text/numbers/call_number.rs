//! Call numbers.

use super::trimmed;

/// The letters and digits of a call number, small, without anything between them: `94 NF 14/1` is 94nf141. Only those of
/// ASCII, as in mod-search: a call number in Cyrillic letters is as good as empty.
#[must_use]
pub fn call_number(value: &str) -> String {
    value.chars().flat_map(char::to_lowercase).filter(char::is_ascii_alphanumeric).collect()
}

/// The shelving order of a call number whose kind has no order of its own: capitals, blanks instead of characters that do
/// not sort.
#[must_use]
pub fn shelving_order(value: &str) -> String {
    let sorts = |sign: char| sign.is_ascii_alphanumeric() || " .,:;=-+~_/\\#@?!".contains(sign);
    let order: String =
        value.chars().flat_map(char::to_uppercase).map(|sign| if sorts(sign) { sign } else { ' ' }).collect();
    trimmed(&order).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_numbers_keep_letters_and_digits() {
        for (value, normal) in [
            ("94 NF 14/1:3792-3835", "94nf14137923835"),
            ("TK5105.88815 . A58 2004 FT MEADE", "tk510588815a582004ftmeade"),
            ("TK5105.88815   /  A 58 2004 ft-MEADE+", "tk510588815a582004ftmeade"),
            ("++ TK5105.88815++", "tk510588815"),
            ("prefix-callnumber-suffix", "prefixcallnumbersuffix"),
            ("Шифр 7", "7"),
            ("", ""),
        ] {
            assert_eq!(call_number(value), normal, "{value}");
        }
    }

    #[test]
    fn shelving_orders_have_capitals_and_characters_that_sort() {
        for (value, order) in [
            ("aaa", "AAA"),
            (r"ab\as", r"AB\AS"),
            ("ab№as", "AB AS"),
            (" 3641.5943 M68 L ", "3641.5943 M68 L"),
            ("rack №1", "RACK  1"),
            ("   ", ""),
        ] {
            assert_eq!(shelving_order(value), order, "{value}");
        }
    }
}
