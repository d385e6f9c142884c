//! The words of which titles, names and publishers are made, in twelve languages and eight scripts.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::chance::Chance;

pub(super) struct Language {
    pub(super) code: &'static str,
    lists: HashMap<&'static str, Vec<&'static str>>,
}

/// How many of a hundred instances are in which language.
const LANGUAGE_SHARES: [(&str, u64); 12] = [
    ("eng", 58),
    ("ger", 8),
    ("fre", 7),
    ("spa", 7),
    ("rus", 5),
    ("chi", 5),
    ("jpn", 3),
    ("ara", 3),
    ("gre", 1),
    ("heb", 1),
    ("kor", 1),
    ("hin", 1),
];

static LANGUAGES: LazyLock<HashMap<&'static str, Language>> = LazyLock::new(|| {
    let mut languages = HashMap::new();
    for line in include_str!("words.tsv").lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        if let (Some(code), Some(list), Some(words)) = (columns.next(), columns.next(), columns.next()) {
            let language = languages.entry(code).or_insert_with(|| Language { code, lists: HashMap::new() });
            language.lists.insert(list, words.split('|').collect());
        }
    }
    languages
});

impl Language {
    pub(super) fn random(chance: &mut Chance) -> &'static Language {
        let mut at = chance.below(100);
        for (code, share) in LANGUAGE_SHARES {
            if at < share {
                return &LANGUAGES[code];
            }
            at -= share;
        }
        &LANGUAGES["eng"]
    }

    pub(super) fn random_word(&self, list: &str, chance: &mut Chance) -> &'static str {
        self.lists.get(list).map_or("", |words| chance.pick(words))
    }

    /// Languages of East Asia write the family's name first and no comma.
    pub(super) fn family_first(&self) -> bool {
        matches!(self.code, "chi" | "jpn" | "kor")
    }
}

/// A heading, whatever the language.
pub(super) fn random_subject(chance: &mut Chance) -> &'static str {
    LANGUAGES["any"].random_word("subject", chance)
}

pub(super) fn english() -> &'static Language {
    &LANGUAGES["eng"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_list() {
        assert_eq!(LANGUAGE_SHARES.iter().map(|(_, share)| share).sum::<u64>(), 100);
        for (code, _) in LANGUAGE_SHARES {
            for list in ["opening", "theme", "place", "tail", "given", "family", "city", "publisher"] {
                let words = &LANGUAGES[code].lists[list];
                assert!(words.len() > 1 && words.iter().all(|word| !word.is_empty()), "{code} {list}");
            }
        }
    }
}
