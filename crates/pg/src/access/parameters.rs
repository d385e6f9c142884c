//! Takes some parameters out of a database URL, which the client library does not know.

use percent_encoding::percent_decode_str;

/// The text without the parameters of these names, and their values in the order of the names.
pub(super) fn take_parameters<const N: usize>(
    text: &str,
    names: &[&str; N],
) -> (String, [Option<String>; N]) {
    match ["postgresql://", "postgres://"].iter().any(|scheme| text.starts_with(scheme)) {
        true => take_from_url(text, names),
        false => take_from_pairs(text, names),
    }
}

/// `postgresql://user:password@host/database?name=value&name=value`.
fn take_from_url<const N: usize>(text: &str, names: &[&str; N]) -> (String, [Option<String>; N]) {
    let mut found = [const { None }; N];
    // What stands before the first @ is the user's name and password, which may hold a question mark.
    let behind_user = text.find('@').unwrap_or_default();
    let Some(at) = text[behind_user..].find('?').map(|at| behind_user + at) else {
        return (text.to_owned(), found);
    };
    let mut others = Vec::new();
    for pair in text[at + 1..].split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match names.iter().position(|one| *one == name) {
            Some(place) => found[place] = Some(percent_decode_str(value).decode_utf8_lossy().into_owned()),
            None => others.push(pair),
        }
    }
    let mut rest = text[..at].to_owned();
    if !others.is_empty() {
        rest.push('?');
        rest.push_str(&others.join("&"));
    }
    (rest, found)
}

/// `host=here dbname=octavo password='with a blank'`. What is no such list stays as it is, for the client library to complain of.
fn take_from_pairs<const N: usize>(text: &str, names: &[&str; N]) -> (String, [Option<String>; N]) {
    let mut found = [const { None }; N];
    let Some(pairs) = parse_pairs(text) else { return (text.to_owned(), found) };
    let mut others = Vec::new();
    for (name, value) in pairs {
        match names.iter().position(|one| *one == name) {
            Some(place) => found[place] = Some(value),
            None => {
                others.push(format!("{name}='{}'", value.replace('\\', "\\\\").replace('\'', "\\'")));
            }
        }
    }
    if found.iter().all(Option::is_none) {
        return (text.to_owned(), found);
    }
    (others.join(" "), found)
}

fn parse_pairs(text: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=')?;
        let (value, behind) = parse_value(behind.trim_start())?;
        pairs.push((name.trim_end().to_owned(), value));
        rest = behind.trim_start();
    }
    Some(pairs)
}

/// A value, quoted or not, and what stands behind it. A backslash goes before any sign that is meant as itself.
fn parse_value(text: &str) -> Option<(String, &str)> {
    let (quoted, text) = text.strip_prefix('\'').map_or((false, text), |rest| (true, rest));
    let mut value = String::new();
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => value.push(signs.next()?.1),
            '\'' if quoted => return Some((value, &text[at + 1..])),
            sign if !quoted && sign.is_whitespace() => return Some((value, &text[at..])),
            sign => value.push(sign),
        }
    }
    (!quoted).then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_taken_out_and_the_rest_stays() {
        for (text, rest, mode, file) in [
            ("postgresql://db/octavo", "postgresql://db/octavo", None, None),
            ("postgres://db?sslmode=require", "postgres://db", Some("require"), None),
            (
                "postgresql://u:p?sslmode=x@db/o?sslmode=verify-full&port=1&sslrootcert=%2Fa%20b",
                "postgresql://u:p?sslmode=x@db/o?port=1",
                Some("verify-full"),
                Some("/a b"),
            ),
            ("host=db dbname=o", "host=db dbname=o", None, None),
            ("host=db password=a\\'b sslmode=disable", "host='db' password='a\\'b'", Some("disable"), None),
            ("sslrootcert = '/a b' host='d b'", "host='d b'", None, Some("/a b")),
            ("host='db", "host='db", None, None),
            ("nonsense", "nonsense", None, None),
        ] {
            let (left, found) = take_parameters(text, &["sslmode", "sslrootcert"]);
            assert_eq!(
                (left.as_str(), found),
                (rest, [mode, file].map(|one| one.map(str::to_owned))),
                "{text}"
            );
        }
    }
}
