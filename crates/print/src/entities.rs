//! HTML's names for letters, as far as editors write them.

/// The character for which an HTML entity stands; its name comes without ampersand and semicolon.
pub(crate) fn letter(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let number = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(number);
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter)
}

#[rustfmt::skip]
static NAMES: [(&str, char); 76] = [
    ("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{a0}'), ("ndash", '–'),
    ("mdash", '—'), ("copy", '©'), ("reg", '®'), ("trade", '™'), ("euro", '€'), ("pound", '£'), ("cent", '¢'),
    ("yen", '¥'), ("sect", '§'), ("para", '¶'), ("deg", '°'), ("plusmn", '±'), ("frac12", '½'), ("frac14", '¼'),
    ("hellip", '…'), ("bull", '•'), ("middot", '·'), ("lsquo", '‘'), ("rsquo", '’'), ("sbquo", '‚'), ("ldquo", '“'),
    ("rdquo", '”'), ("bdquo", '„'), ("laquo", '«'), ("raquo", '»'), ("times", '×'), ("iexcl", '¡'), ("iquest", '¿'),
    ("Auml", 'Ä'), ("auml", 'ä'), ("Ouml", 'Ö'), ("ouml", 'ö'), ("Uuml", 'Ü'), ("uuml", 'ü'), ("szlig", 'ß'),
    ("Aring", 'Å'), ("aring", 'å'), ("AElig", 'Æ'), ("aelig", 'æ'), ("Oslash", 'Ø'), ("oslash", 'ø'), ("Ccedil", 'Ç'),
    ("ccedil", 'ç'), ("Eacute", 'É'), ("eacute", 'é'), ("Egrave", 'È'), ("egrave", 'è'), ("Ecirc", 'Ê'), ("ecirc", 'ê'),
    ("euml", 'ë'), ("Agrave", 'À'), ("agrave", 'à'), ("Aacute", 'Á'), ("aacute", 'á'), ("acirc", 'â'), ("atilde", 'ã'),
    ("iacute", 'í'), ("icirc", 'î'), ("iuml", 'ï'), ("Ntilde", 'Ñ'), ("ntilde", 'ñ'), ("oacute", 'ó'), ("ocirc", 'ô'),
    ("otilde", 'õ'), ("ugrave", 'ù'), ("uacute", 'ú'), ("ucirc", 'û'), ("shy", '\u{ad}'), ("ensp", ' '),
];

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_are_named_and_numbered() {
        for (name, expected) in [
            ("eacute", Some('é')),
            ("#233", Some('é')),
            ("#xE9", Some('é')),
            ("#xD800", None),
            ("nothing", None),
            ("", None),
        ] {
            assert_eq!(letter(name), expected, "{name}");
        }
    }
}
