//! Folding: the form in which words are compared, as ICU's folding has it (Lucene's `icu_folding`).

use std::borrow::Cow;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::fold_data::{IGNORED_RANGES, PLAIN_LETTERS, ZERO_DIGITS};

/// The text without case, accents, ligatures and widths: `Łódź` and `lodz` are the same, as are `ﬁ` and `fi`, `٣` and `3`.
///
/// Folding what is folded changes nothing. ASCII punctuation stays, so masks of a pattern do. Unlike ICU's folding this
/// one leaves quotation marks and dashes alone, which no word contains, and radicals that Unicode does not decompose.
#[must_use]
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let mut folded = String::with_capacity(text.len());
    if text.chars().all(|sign| sign < SINGLE_FOLDS_END) {
        text.chars().for_each(|sign| folded.push_str(&SINGLE_FOLDS[sign as usize]));
        return Cow::Owned(folded);
    }
    for sign in text.nfkd() {
        push_folded(sign, &mut folded);
    }
    // Korean syllables and vowel signs of Indian scripts fell apart as well.
    Cow::Owned(if folded.is_ascii() { folded } else { folded.nfc().collect() })
}

/// Latin, Greek and Cyrillic letters come before this character, and accents at them. All of these are folded one by one:
/// what they are composed of, and in which order, is of no account when the accents are left out.
const SINGLE_FOLDS_END: char = '\u{590}';

/// The folded form of each character before `SINGLE_FOLDS_END`, computed once.
static SINGLE_FOLDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let fold = |sign: char| {
        let mut folded = String::new();
        sign.nfkd().for_each(|sign| push_folded(sign, &mut folded));
        folded
    };
    ('\0'..SINGLE_FOLDS_END).map(fold).collect()
});

/// The folded text without anything that is neither letter nor digit nor a mark at one.
pub(super) fn fold_word(written: &str) -> Cow<'_, str> {
    let folded = fold(written);
    if written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return folded;
    }
    let common = |sign: char| matches!(sign, 'a'..='z' | '0'..='9' | 'а'..='я');
    let keeps = |sign: char| common(sign) || sign.is_alphanumeric() || is_combining_mark(sign);
    if folded.chars().all(keeps) {
        folded
    } else {
        Cow::Owned(folded.chars().filter(|&sign| keeps(sign)).collect())
    }
}

fn push_folded(sign: char, folded: &mut String) {
    if sign.is_ascii() {
        folded.push(sign.to_ascii_lowercase());
        return;
    }
    for lower in sign.to_lowercase() {
        if is_left_out(lower) {
            continue;
        }
        if let Some(digit) = ascii_digit(lower) {
            folded.push(digit);
        } else if let Ok(row) = PLAIN_LETTERS.binary_search_by_key(&lower, |&(letter, _)| letter) {
            folded.push_str(PLAIN_LETTERS[row].1);
        } else {
            folded.push(lower);
        }
    }
}

fn is_left_out(sign: char) -> bool {
    let code = u32::from(sign);
    let after = IGNORED_RANGES.partition_point(|&(first, _)| first <= code);
    after > 0 && code <= IGNORED_RANGES[after - 1].1
}

/// The ASCII digit of the same value as a decimal digit of another script.
pub(super) fn ascii_digit(sign: char) -> Option<char> {
    let code = u32::from(sign);
    let after = ZERO_DIGITS.partition_point(|&nought| nought <= code);
    let value = code - ZERO_DIGITS.get(after.checked_sub(1)?)?;
    char::from_digit(value, 10)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn writings_of_the_same_word_fold_to_the_same() {
        for (written, folded) in [
            ("Zürich", "zurich"),
            ("Zu\u{308}rich", "zurich"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("STRAẞE", "strasse"),
            ("Łódź", "lodz"),
            ("Smørrebrød", "smorrebrod"),
            ("Encyclopædia", "encyclopaedia"),
            ("Œuvres", "oeuvres"),
            ("Þórður", "thordur"),
            ("Đorđe", "dorde"),
            ("ﬁnancial ﬂow", "financial flow"),
            ("İstanbul", "istanbul"),
            ("ısı", "isi"),
            ("ISI", "isi"),
            ("ΜΆΪΟΣ", "μαιοσ"),
            ("Μάϊος", "μαιοσ"),
            ("Толстой", "толстои"),
            ("Ёлка", "елка"),
            ("كِتَابٌ", "كتاب"),
            ("كتـــاب", "كتاب"),
            ("أحمد", "احمد"),
            ("إسلام آداب", "اسلام اداب"),
            ("مكتبة", "مكتبه"),
            ("مصطفى", "مصطفي"),
            ("کتابی", "كتابي"),
            ("ﴳﴺﰧ", "طمطمطم"),
            ("שָׁלוֹם", "שלום"),
            ("Ｆｕｌｌ　Ｗｉｄｔｈ１", "full width1"),
            ("৭০৬", "706"),
            ("٣٤", "34"),
            ("H₂O²", "h2o2"),
            ("Hawaiʻi", "hawaii"),
            ("Qurʾān", "quran"),
            ("ガ", "カ"),
            ("ｶﾞ", "カ"),
            ("한국", "한국"),
            ("co\u{ad}operate", "cooperate"),
            ("क\u{94d}\u{200d}ष", "कष"),
            ("Ⅷ", "viii"),
            ("hist*", "hist*"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn folding_each_character_twice_is_folding_it_once() {
        for sign in '\0'..=char::MAX {
            let once = fold(sign.encode_utf8(&mut [0; 4])).into_owned();
            assert_eq!(fold(&once), once, "U+{:04X}", u32::from(sign));
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(IGNORED_RANGES.is_sorted_by(|before, after| before.1 < after.0));
        assert!(PLAIN_LETTERS.is_sorted_by(|before, after| before.0 < after.0));
        assert!(ZERO_DIGITS.is_sorted_by(|before, after| before + 9 < *after));
    }

    proptest! {
        #[test]
        fn folding_is_idempotent(text in any::<String>()) {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once), once.as_str());
        }

        #[test]
        fn characters_one_by_one_fold_to_what_they_fold_to_together(text in "[\0-\u{58f}]{0,20}") {
            let mut together = String::new();
            text.nfkd().for_each(|sign| push_folded(sign, &mut together));
            let together: String = together.nfc().collect();
            prop_assert_eq!(fold(&text), together);
        }

        #[test]
        fn composed_and_decomposed_text_fold_to_the_same(text in any::<String>()) {
            let composed: String = text.nfc().collect();
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(fold(&composed), fold(&decomposed));
        }
    }
}
