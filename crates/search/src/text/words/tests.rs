use proptest::prelude::*;

use super::*;

/// Words of the text with their positions.
fn indexed(text: &str) -> Vec<(usize, String)> {
    index_words(text).into_iter().map(|word| (word.position, word.text)).collect()
}

fn check(cases: &[(&str, &[(usize, &str)])]) {
    for (text, expected) in cases {
        let found = indexed(text);
        let found: Vec<(usize, &str)> =
            found.iter().map(|(position, word)| (*position, word.as_str())).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

/// Whether a record with this text is found by a query for all words of the other.
fn finds(query: &str, record: &str) -> bool {
    let held = indexed(record);
    let stand = |way: &AdjacentWords<'_>| {
        let stands_from = |from: usize| {
            way.words.iter().all(|word| held.contains(&(from + word.position, word.text.clone())))
        };
        held.iter().any(|&(from, _)| stands_from(from))
    };
    query_pieces(query).iter().all(|piece| piece.alternatives.iter().any(stand))
}

/// Whether a record with this text is found by a query for the other as a phrase.
fn finds_phrase(query: &str, record: &str) -> bool {
    let held = indexed(record);
    let stands_from = |phrase: &[(usize, String)], from: usize| {
        phrase.iter().all(|(position, word)| held.contains(&(from + position, word.clone())))
    };
    query_phrases(query).iter().any(|phrase| held.iter().any(|&(from, _)| stands_from(phrase, from)))
}

#[test]
fn words_end_at_blanks_and_signs() {
    check(&[
        ("", &[]),
        (" – & … ", &[]),
        (
            "The old man, and the sea.",
            &[(0, "the"), (1, "old"), (2, "man"), (3, "and"), (4, "the"), (5, "sea")],
        ),
        ("wi-fi", &[(0, "wi"), (1, "fi")]),
        ("and/or", &[(0, "and"), (1, "or")]),
        ("Title:subtitle", &[(0, "title"), (1, "subtitle")]),
        ("C++ #1", &[(0, "c"), (1, "1")]),
        ("3.14", &[(0, "3"), (1, "14")]),
        ("1984", &[(0, "1984")]),
        ("٢٠٢٤", &[(0, "2024")]),
        ("«Война и мир»", &[(0, "воина"), (1, "и"), (2, "мир")]),
        ("TNFα", &[(0, "tnf"), (1, "α")]),
        ("H₂O", &[(0, "h"), (1, "2"), (2, "o")]),
        ("´ a", &[(0, "a")]),
    ]);
}

#[test]
fn words_that_are_taken_apart_are_joined_as_well() {
    check(&[
        ("O'Neil's book", &[(0, "oneil"), (0, "o"), (1, "neil"), (2, "book")]),
        ("l’amour", &[(0, "lamour"), (0, "l"), (1, "amour")]),
        ("PowerShot500Pro", &[(0, "powershot"), (0, "power"), (1, "shot"), (2, "500"), (3, "pro")]),
        ("U.S.A.", &[(0, "usa"), (0, "u"), (1, "s"), (2, "a")]),
        ("foo_bar", &[(0, "foobar"), (0, "foo"), (1, "bar")]),
        ("צה\"ל", &[(0, "צהל"), (0, "צה"), (1, "ל")]),
        ("dog's", &[(0, "dog")]),
        ("x86", &[(0, "x"), (1, "86")]),
        ("Qur'an", &[(0, "quran"), (0, "qur"), (1, "an")]),
    ]);
}

#[test]
fn scripts_without_blanks_are_indexed_by_signs_and_pairs_of_signs() {
    check(&[
        ("日本語", &[(0, "日"), (0, "日本"), (1, "本"), (1, "本語"), (2, "語")]),
        ("山", &[(0, "山")]),
        ("PC入門2", &[(0, "pc"), (1, "入"), (1, "入門"), (2, "門"), (3, "2")]),
        ("スター", &[(0, "ス"), (0, "スタ"), (1, "タ")]),
        ("食べ物", &[(0, "食"), (0, "食へ"), (1, "へ"), (1, "へ物"), (2, "物")]),
        ("한국 문학", &[(0, "한"), (0, "한국"), (1, "국"), (2, "문"), (2, "문학"), (3, "학")]),
        ("กา", &[(0, "ก"), (0, "กา"), (1, "า")]),
        ("กีฬา", &[(0, "กี"), (0, "กีฬ"), (1, "ฬ"), (1, "ฬา"), (2, "า")]),
        ("日本・中国", &[(0, "日"), (0, "日本"), (1, "本"), (2, "中"), (2, "中国"), (3, "国")]),
    ]);
}

#[test]
fn a_title_is_found_however_it_is_written() {
    for (record, queries) in [
        ("O'Neil", vec!["O'Neil", "ONeil", "oneil", "neil", "O’Neil", "O'Neil's"]),
        ("ONeil", vec!["O'Neil", "oneil"]),
        ("McDonald's farm", vec!["mcdonald", "McDonald", "MCDONALD", "farm McDonald’s"]),
        ("mcdonald", vec!["McDonald"]),
        ("L'Étranger", vec!["etranger", "l'etranger", "LETRANGER", "l’étranger"]),
        ("Grundzüge der Straßenführung", vec!["GRUNDZUGE", "strassenfuhrung", "Straßenführung"]),
        ("日本語の文法", vec!["日本", "日", "法", "文法", "日本語", "日本語の文法", "文法 日本"]),
        ("한국문학사", vec!["문학", "한국", "사"]),
        ("ประวัติศาสตร์ไทย", vec!["ไทย", "ประวัติศาสตร์"]),
        ("İstanbul’da", vec!["istanbul", "ISTANBUL"]),
        ("U.S.A. today", vec!["USA", "U.S.A.", "usa today"]),
        ("H₂O and CO2", vec!["H2O", "CO₂"]),
    ] {
        for query in queries {
            assert!(finds(query, record), "{query} finds {record}");
        }
    }
}

#[test]
fn other_titles_are_not_found() {
    for (record, query) in [
        ("Neil O", "ONeil"),
        ("Neil and O", "O'Neil"),
        ("本日", "日本"),
        ("日 本", "京"),
        ("日本 語学", "本語文"),
        ("sea", "seas"),
    ] {
        assert!(!finds(query, record), "{query} must not find {record}");
    }
}

#[test]
fn phrases_are_found_in_parts_and_joined() {
    for (record, query, found) in [
        ("The old man and the sea", "old man", true),
        ("The old man and the sea", "man old", false),
        ("L'amour fou", "l'amour fou", true),
        ("Lamour fou", "l'amour fou", true),
        ("日本語の文法 入門", "日本語の文法 入門", true),
        ("日本語の文法 入門", "文法 入門", true),
        ("日本語の文法 入門", "日本 入門", false),
        ("日本語 and English", "日本語 and english", true),
    ] {
        assert_eq!(finds_phrase(query, record), found, "{query} in {record}");
    }
    assert!(query_phrases("…").is_empty());
}

#[test]
fn ampersands_between_blanks_are_and() {
    for (text, expected) in [
        ("Simon & Schuster", "Simon and Schuster"),
        ("AT&T", "AT&T"),
        ("a & b & c", "a and b and c"),
        ("& b", "& b"),
    ] {
        assert_eq!(and_for_ampersand(text), expected);
    }
}

#[test]
fn long_words_are_cut_the_same_way_everywhere() {
    let long = "é".repeat(300);
    assert_eq!(indexed(&long), [(0, "e".repeat(MAX_WORD_CHARACTERS))]);
    assert!(finds(&"e".repeat(400), &long));
    let parts = ["ab"; 400].join("'");
    assert_eq!(index_words(&parts)[0].text.chars().count(), MAX_WORD_CHARACTERS);
    assert_eq!(index_words(&parts).len(), 401);
    assert!(finds(&parts, &parts));
}

#[test]
fn long_texts_of_any_kind_take_memory_in_proportion() {
    for piece in [
        "a",
        "ab ",
        "aB",
        "a'",
        "日",
        "e\u{301}",
        "ก\u{e34}",
        "1a",
        "\u{301}",
        "\u{200d}",
        "_",
        "aα",
        "日a",
        "🇩",
    ] {
        let text = piece.repeat(60_000 / piece.len());
        assert!(index_words(&text).len() <= 2 * text.len());
        assert!(query_pieces(&text).len() <= text.len());
    }
}

/// Texts of the awkward kind: scripts, marks, signs and blanks mixed.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("O'Neil's"),
        Just("PowerShot"),
        Just("x86"),
        Just("日本語"),
        Just("の"),
        Just("スター"),
        Just("한국"),
        Just("ไทย"),
        Just("TNFα"),
        Just("´"),
        Just("ʻ"),
        Just("e\u{301}"),
        Just("\u{301}"),
        Just("\u{200d}"),
        Just("U.S.A."),
        Just("_"),
        Just("’s"),
        Just("'"),
        Just(":"),
        Just("."),
        Just("&"),
        Just("½"),
        Just("₂"),
        Just("Ⅷ"),
        Just("ß"),
        Just("İ"),
        Just("كـتاب"),
        Just("שָׁ\"ל"),
        Just("🇩🇪"),
        Just("A"),
        Just("a"),
        Just("1"),
    ];
    prop::collection::vec((piece, prop_oneof![Just(""), Just(" "), Just(" ")]), 0..12)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, blank)| [piece, blank]).collect())
}

proptest! {
    #[test]
    fn a_query_for_some_words_of_a_text_asks_for_nothing_that_the_index_lacks(
        text in prop_oneof![awkward(), any::<String>()], from in 0_usize..12, count in 1_usize..12
    ) {
        let query: Vec<&str> = text.split(' ').skip(from).take(count).collect();
        let query = query.join(" ");
        let held: Vec<String> = index_words(&text).into_iter().map(|word| word.text).collect();
        for word in index_words(&query) {
            prop_assert!(held.contains(&word.text), "{:?} of {query:?}", word.text);
        }
        for word in query_pieces(&query).into_iter().flat_map(|piece| piece.alternatives).flat_map(|way| way.words) {
            prop_assert!(held.contains(&word.text), "{:?} of {query:?}", word.text);
        }
        prop_assert!(finds(&query, &text));
        let blank = query_phrases(&query).is_empty();
        prop_assert!(blank || finds_phrase(&query, &text));
    }

    #[test]
    fn positions_rise_without_gaps(text in prop_oneof![awkward(), any::<String>()]) {
        let mut next = 0;
        for word in index_words(&text) {
            prop_assert!(word.position <= next);
            prop_assert!(!word.text.is_empty());
            next = next.max(word.position + 1);
        }
    }

    #[test]
    fn words_of_folded_words_are_those_words(text in prop_oneof![awkward(), any::<String>()]) {
        for word in index_words(&text) {
            prop_assert_eq!(super::super::fold(&word.text), word.text.as_str());
        }
    }

    #[test]
    fn case_and_composition_of_small_letters_are_of_no_account(text in "[a-zéüßœ日本 ]{0,40}") {
        let decomposed: String = unicode_normalization::UnicodeNormalization::nfd(text.as_str()).collect();
        prop_assert_eq!(indexed(&decomposed), indexed(&text));
    }
}
