//! How much memory a body takes once it is read as JSON. Sixteen megabytes of `0,` took 460 MB; an object takes more.

/// Bytes that an object takes: the node in which serde_json keeps up to eleven members, and its allocation.
const OBJECT_BYTES: usize = 640;
/// Bytes that a member or an element takes, besides the characters of its text.
const VALUE_BYTES: usize = 64;

/// Bytes that the values of a JSON body take in memory at most, besides the letters of its texts. Counting ends beyond `most`.
pub(crate) fn json_weight(body: &[u8], most: usize) -> usize {
    let (mut weight, mut in_text, mut escaped) = (0, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' => weight += OBJECT_BYTES,
            b'[' | b',' | b':' => weight += VALUE_BYTES,
            _ => {}
        }
        if weight > most {
            break;
        }
    }
    weight
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_weigh_and_letters_do_not() {
        for (body, weighs) in [
            ("", 0),
            ("  [ ]", VALUE_BYTES),
            ("[0,0]", VALUE_BYTES * 2),
            (r#"{"a":[{}]}"#, OBJECT_BYTES * 2 + VALUE_BYTES * 2),
            (r#""[{,:}]""#, 0),
            (r#"["\"[", "\\", 1]"#, VALUE_BYTES * 3),
        ] {
            assert_eq!(json_weight(body.as_bytes(), usize::MAX), weighs, "{body}");
        }
    }

    #[test]
    fn counting_ends_when_it_is_too_much() {
        assert_eq!(json_weight(&[b'['; 1000], VALUE_BYTES * 3), VALUE_BYTES * 4);
    }
}
