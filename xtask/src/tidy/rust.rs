//! As much of Rust's syntax as counting needs: where code is and where it is comment or text, and where each
//! function begins and ends.

/// A function with a body, in lines from 1, both ends included.
#[derive(Debug, PartialEq)]
pub(super) struct Function {
    pub name: String,
    pub first: usize,
    pub last: usize,
}

impl Function {
    pub(super) fn lines(&self) -> usize {
        self.last - self.first + 1
    }
}

/// Every function of a source file, also those inside of others.
pub(super) fn functions(source: &str) -> Vec<Function> {
    let code = code_only(source);
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    let starts = code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_of_name));
    let found = starts.filter_map(|(at, _)| {
        let after = &code[at + 3..];
        let name: String = after.chars().take_while(|c| is_of_name(*c)).collect();
        let end = at + 3 + body_end(after)?;
        (!name.is_empty()).then(|| Function { name, first: line_of(at), last: line_of(end) })
    });
    found.collect()
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the body closes that opens next, unless the function is only declared.
fn body_end(signature: &str) -> Option<usize> {
    let mut depth = 0;
    let mut brackets = 0;
    for (at, c) in signature.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if depth == 0 && brackets == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The source with spaces in place of comments, strings and character literals; lines stay where they are.
pub(super) fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = text_end(bytes, at);
        match end {
            Some(end) => {
                let blank = code[at..end].iter_mut().filter(|byte| **byte != b'\n');
                blank.for_each(|byte| *byte = b' ');
                at = end;
            }
            None => at += 1,
        }
    }
    String::from_utf8_lossy(&code).into_owned()
}

/// The end of the comment or literal that begins at `at`, if one does.
fn text_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => Some(find(bytes, at, b"\n").unwrap_or(bytes.len())),
        [b'/', b'*', ..] => Some(find(bytes, at, b"*/").map_or(bytes.len(), |end| end + 2)),
        [b'"', ..] => Some(quoted_end(bytes, at + 1)),
        [b'r', b'"' | b'#', ..] if !follows_name(bytes, at) => raw_end(bytes, at),
        [b'\'', b'\\', ..] => Some(find(bytes, at + 3, b"'").map_or(bytes.len(), |end| end + 1)),
        [b'\'', ..] => character_end(bytes, at),
        _ => None,
    }
}

fn follows_name(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    // `br"..."` is raw too.
    before.is_some_and(|byte| byte != b'b' && (byte.is_ascii_alphanumeric() || byte == b'_'))
}

fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(what.len()).position(|window| window == what).map(|at| from + at)
}

fn quoted_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// `r#"..."#`; not `r#type`.
fn raw_end(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
    Some(find(bytes, open + 1, &close).map_or(bytes.len(), |end| end + close.len()))
}

/// `'x'`, of however many bytes; not the lifetime `'x`.
fn character_end(bytes: &[u8], at: usize) -> Option<usize> {
    let longest = (at + 6).min(bytes.len());
    let text = std::str::from_utf8(&bytes[at + 1..longest]);
    let valid = text.as_ref().map_or_else(|error| error.valid_up_to(), |text| text.len());
    let text = std::str::from_utf8(&bytes[at + 1..at + 1 + valid]).ok()?;
    let mut characters = text.char_indices().skip(1);
    characters.next().filter(|(_, c)| *c == '\'').map(|(length, _)| at + 1 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(source: &str) -> Vec<(String, usize)> {
        functions(source).into_iter().map(|function| (function.name.clone(), function.lines())).collect()
    }

    #[test]
    fn functions_are_measured_by_their_braces() {
        let source = "pub fn one(a: [u8; 2]) -> u8 {\n    a[0]\n}\n\ntrait T {\n    fn declared(&self);\n    \
                      async fn two<'a>(b: &'a str) {\n        fn inner() {}\n        if b == \"}\" {}\n    }\n}\n";
        assert_eq!(lengths(source), [("one".into(), 3), ("two".into(), 4), ("inner".into(), 1)]);
    }

    #[test]
    fn braces_in_comments_and_literals_do_not_count() {
        for text in [
            "// }",
            "/* } */",
            "\"}\"",
            "\"\\\"}\"",
            "r\"}\"",
            "r#\"\"}\"#",
            "'}'",
            "'\\''; '}'",
            "b'}'",
            "'ä'; '}'",
        ] {
            let source = format!("fn f<'a>() {{\n{text}\n;\n}}\n");
            assert_eq!(lengths(&source), [("f".into(), 4)], "{text}");
        }
    }

    #[test]
    fn a_word_that_ends_in_fn_or_a_type_of_functions_is_no_function() {
        assert_eq!(lengths("struct S { call: fn(u8) -> u8 }\nlet xfn = 1; // fn x {}\n"), []);
    }

    #[test]
    fn lines_stay_where_they_are() {
        let source = "/* a\nb */ let c = \"d\ne\";\n";
        assert_eq!(code_only(source).matches('\n').count(), 3);
        assert_eq!(code_only(source).len(), source.len());
    }
}
