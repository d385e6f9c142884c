//! Stems of words in the languages that a tenant may configure.

use tantivy::tokenizer::{Language as Algorithm, RawTokenizer, Stemmer, TokenFilter, TokenStream, Tokenizer};
use unicode_normalization::UnicodeNormalization;
use unicode_script::Script;

use super::fold::fold_word;
use super::pieces::script_of;
use super::words::Word;
use super::{MAX_WORD_CHARACTERS, TERM_MARK, first_characters};

/// A language that values of a field in several languages are indexed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    Arabic,
    Chinese,
    English,
    French,
    German,
    Hebrew,
    Italian,
    Japanese,
    Korean,
    Russian,
    Spanish,
    Swedish,
}

impl Language {
    pub const ALL: [Language; 12] = [
        Language::Arabic,
        Language::Chinese,
        Language::English,
        Language::French,
        Language::German,
        Language::Hebrew,
        Language::Italian,
        Language::Japanese,
        Language::Korean,
        Language::Russian,
        Language::Spanish,
        Language::Swedish,
    ];

    /// The code that mod-search and MARC know the language by.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Language::Arabic => "ara",
            Language::Chinese => "chi",
            Language::English => "eng",
            Language::French => "fre",
            Language::German => "ger",
            Language::Hebrew => "heb",
            Language::Italian => "ita",
            Language::Japanese => "jpn",
            Language::Korean => "kor",
            Language::Russian => "rus",
            Language::Spanish => "spa",
            Language::Swedish => "swe",
        }
    }

    #[must_use]
    pub fn from_code(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }

    /// How stems of the language are made, and the script that its words are written in. Chinese, Japanese and Korean are
    /// found by their signs, Hebrew by its words.
    fn stemmer(self) -> Option<(Algorithm, Script)> {
        Some(match self {
            Language::Arabic => (Algorithm::Arabic, Script::Arabic),
            Language::English => (Algorithm::English, Script::Latin),
            Language::French => (Algorithm::French, Script::Latin),
            Language::German => (Algorithm::German, Script::Latin),
            Language::Italian => (Algorithm::Italian, Script::Latin),
            Language::Russian => (Algorithm::Russian, Script::Cyrillic),
            Language::Spanish => (Algorithm::Spanish, Script::Latin),
            Language::Swedish => (Algorithm::Swedish, Script::Latin),
            Language::Chinese | Language::Hebrew | Language::Japanese | Language::Korean => return None,
        })
    }
}

/// The stems of a word in a language, each marked with the language: `"eng\u{1}run"` of running.
///
/// None of words in another script and of numbers; otherwise one, or two that differ: the stem of the word as it is
/// written, then folded, and the stem of the folded word. The first is right (`aimée` has the stem of `aimer`), the
/// second is that of a word whose accents somebody left out: who searches for `francais` finds `français`, and the other
/// way round. A query asks for any of them.
pub fn stems(language: Language, word: &Word<'_>) -> impl Iterator<Item = String> + use<> {
    let none = [None, None].into_iter().flatten();
    let Some((algorithm, wanted)) = language.stemmer() else { return none };
    // All letters of a word have the same script.
    if word.written.chars().find_map(script_of) != Some(wanted) {
        return none;
    }
    let folded = stem(algorithm, &word.text);
    let written = first_characters(&word.written, MAX_WORD_CHARACTERS);
    let right = if written.is_ascii() {
        None
    } else {
        let lower: String = written.nfc().flat_map(char::to_lowercase).collect();
        Some(fold_word(&stem(algorithm, &lower)).into_owned()).filter(|right| *right != folded)
    };
    let marked = |stem: String| {
        format!("{}{TERM_MARK}{}", language.code(), first_characters(&stem, MAX_WORD_CHARACTERS))
    };
    [right.map(marked), Some(marked(folded))].into_iter().flatten()
}

fn stem(algorithm: Algorithm, word: &str) -> String {
    let mut stemmed = Stemmer::new(algorithm).transform(RawTokenizer::default());
    let mut stream = stemmed.token_stream(word);
    stream.advance();
    std::mem::take(&mut stream.token_mut().text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::index_words;

    fn all(language: Language, text: &str) -> Vec<String> {
        index_words(text).iter().flat_map(|word| stems(language, word)).collect()
    }

    /// Whether a query of the one word finds a record with the other by a stem.
    fn finds_by_stem(language: Language, query: &str, record: &str) -> bool {
        let record = all(language, record);
        all(language, query).iter().any(|stem| record.contains(stem))
    }

    #[test]
    fn forms_of_a_word_find_each_other() {
        for (code, forms) in [
            ("eng", vec!["running", "runs", "run", "RUNNING"]),
            ("eng", vec!["library's", "libraries", "library"]),
            ("fre", vec!["aimée", "aimer", "aimé"]),
            ("fre", vec!["français", "francais", "Français", "franc\u{327}ais"]),
            ("fre", vec!["bibliothèques", "bibliothèque", "bibliotheque"]),
            ("ger", vec!["Häuser", "Haeuser", "hauser", "Haus", "HÄUSER"]),
            ("ger", vec!["Straßen", "Strassen", "Straße"]),
            ("spa", vec!["canciones", "canción", "cancion"]),
            ("ita", vec!["città", "citta"]),
            ("ita", vec!["libri", "libro"]),
            ("swe", vec!["böckerna", "bockerna"]),
            ("rus", vec!["русский", "русская", "русские"]),
            ("rus", vec!["книги", "книга", "книгу"]),
            ("ara", vec!["الكتاب", "كتاب", "كِتَاب"]),
        ] {
            let language = Language::from_code(code).expect(code);
            for one in &forms {
                for other in &forms {
                    assert!(finds_by_stem(language, one, other), "{code}: {one} finds {other}");
                }
            }
        }
    }

    #[test]
    fn other_words_are_not_found() {
        assert!(!finds_by_stem(Language::English, "universe", "running"));
        assert!(!finds_by_stem(Language::German, "Haus", "Maus"));
    }

    #[test]
    fn stems_carry_the_code_of_their_language() {
        assert_eq!(all(Language::English, "Running"), ["eng\u{1}run"]);
        assert_eq!(all(Language::German, "Running")[0], "ger\u{1}running");
        for language in Language::ALL {
            assert_eq!(Language::from_code(language.code()), Some(language));
        }
        assert_eq!(Language::from_code("xyz"), None);
    }

    #[test]
    fn words_of_another_script_and_numbers_have_no_stem() {
        for (language, text) in [
            (Language::English, "1984"),
            (Language::English, "книги"),
            (Language::Russian, "books"),
            (Language::English, "日本語"),
            (Language::Japanese, "日本語"),
            (Language::Hebrew, "שלום"),
        ] {
            assert_eq!(all(language, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn stop_words_have_stems_like_other_words() {
        assert_eq!(all(Language::English, "the of"), ["eng\u{1}the", "eng\u{1}of"]);
    }

    proptest! {
        #[test]
        fn no_text_makes_stemming_fail(text in any::<String>()) {
            for language in Language::ALL {
                for stem in all(language, &text) {
                    prop_assert!(stem.starts_with(language.code()));
                }
            }
        }

        #[test]
        fn no_word_of_a_stemmed_script_makes_stemming_fail(
            text in "[a-zäöüßéèàçñåœæA-Z'’]{0,40}|[а-яёА-Я]{0,40}|[\u{600}-\u{6ff}]{0,40}"
        ) {
            for language in Language::ALL {
                prop_assert!(all(language, &text).iter().all(|stem| stem.contains(TERM_MARK)));
            }
        }
    }
}
