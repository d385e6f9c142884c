//! The pieces of a text that are looked at by themselves: words and their parts, and runs of signs without blanks.

use unicode_normalization::char::is_combining_mark;
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::delimiter::{Part, parts};
use super::fold::fold_word;

/// A piece of a text.
#[derive(Debug)]
pub(super) enum Piece<'t> {
    /// A word without parts, or a part that is not joined to others.
    Word(Part<'t>),
    /// Parts of letters that are one word too, two or more.
    Joined(Vec<Part<'t>>),
    /// Folded signs of a script that is indexed by pairs of signs.
    Signs(String),
}

/// Hands out the pieces of a text in its order.
pub(super) fn for_each_piece<'t>(text: &'t str, each: &mut impl FnMut(Piece<'t>)) {
    let mut rest = text;
    while !rest.is_empty() {
        let (stretch, signs) = next_stretch(rest);
        rest = &rest[stretch.len()..];
        if signs {
            each(Piece::Signs(fold_word(stretch).into_owned()));
            continue;
        }
        for word in stretch.unicode_words() {
            // Lucene's rules have no colon within words, Unicode's have.
            for word in word.split([':', '\u{fe55}', '\u{ff1a}']) {
                split_by_script(word, &mut |word| split_word(word, each));
            }
        }
    }
}

fn split_word<'t>(word: &'t str, each: &mut impl FnMut(Piece<'t>)) {
    let mut joined: Vec<Part<'t>> = Vec::new();
    let hand_out = |joined: &mut Vec<Part<'t>>, each: &mut dyn FnMut(Piece<'t>)| match joined.as_slice() {
        [] => {}
        [alone] => {
            each(Piece::Word(*alone));
            joined.clear();
        }
        _ => each(Piece::Joined(std::mem::take(joined))),
    };
    for part in parts(word) {
        if part.digits {
            hand_out(&mut joined, each);
            each(Piece::Word(part));
        } else {
            joined.push(part);
        }
    }
    hand_out(&mut joined, each);
}

/// Passes on the parts of a word that are in one script: `TNFα` is `TNF` and `α`.
fn split_by_script<'t>(word: &'t str, each: &mut impl FnMut(&'t str)) {
    let (mut begin, mut current) = (0, None);
    if !word.is_ascii() {
        for (at, sign) in word.char_indices() {
            let Some(script) = script_of(sign) else { continue };
            if current.replace(script).is_some_and(|current| current != script) {
                each(&word[begin..at]);
                begin = at;
            }
        }
    }
    each(&word[begin..]);
}

/// The script that a sign decides, if it decides one: digits and accents do not.
pub(super) fn script_of(sign: char) -> Option<Script> {
    match sign {
        // Quicker than the table of all characters.
        'a'..='z' | 'A'..='Z' | 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='ɏ' => Some(Script::Latin),
        '\0'..='\x7f' => None,
        '\u{400}'..='\u{481}' => Some(Script::Cyrillic),
        _ => Some(sign.script())
            .filter(|script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown)),
    }
}

/// The longest beginning of the text that is indexed in one way, and whether that is by pairs of characters.
fn next_stretch(text: &str) -> (&str, bool) {
    // Characters of the scripts in question take three bytes or more, of which the first is this one or a higher one.
    if text.bytes().all(|byte| byte < 0xE0) {
        return (text, false);
    }
    let mut signs = text.char_indices();
    let first = signs.next().and_then(|(_, sign)| paired_script(sign));
    let end = signs.find(|&(_, sign)| match paired_script(sign) {
        None => first.is_some() && !continues_run(sign),
        some => some != first,
    });
    (end.map_or(text, |(end, _)| &text[..end]), first.is_some())
}

/// The script of a character, if texts in it are indexed by pairs of characters. Japanese mixes three scripts.
fn paired_script(sign: char) -> Option<Script> {
    if sign < '\u{e00}' || sign.is_numeric() {
        return None;
    }
    let radical = matches!(sign, '\u{2e80}'..='\u{2fdf}');
    if !sign.is_alphabetic() && !is_combining_mark(sign) && !radical {
        return None;
    }
    match sign.script() {
        Script::Han | Script::Hiragana | Script::Katakana => Some(Script::Han),
        script @ (Script::Hangul | Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar) => {
            Some(script)
        }
        _ => None,
    }
}

/// Whether a character that belongs to no script continues the run before it.
fn continues_run(sign: char) -> bool {
    let lengthens = matches!(sign, 'ー' | 'ｰ' | 'ﾞ' | 'ﾟ');
    let invisible = matches!(sign, '\u{200b}'..='\u{200d}' | '\u{2060}');
    lengthens || invisible || is_combining_mark(sign)
}
