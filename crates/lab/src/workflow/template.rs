//! Texts that contain names of values in braces: `/users/{patron.id}`. A doubled brace means a brace.

/// Text in which names stand in braces. `N` is a name as it was written, later the place of its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Template<N>(pub(crate) Vec<Part<N>>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part<N> {
    Text(String),
    Value(N),
}

impl Template<String> {
    pub(crate) fn parse(text: &str) -> Result<Template<String>, String> {
        let (mut parts, mut plain) = (Vec::new(), String::new());
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            plain.push_str(&rest[..at]);
            let (brace, after) = rest[at..].split_at(1);
            if let Some(after) = after.strip_prefix(brace) {
                plain.push_str(brace);
                rest = after;
                continue;
            }
            if brace == "}" {
                return Err(format!("a }} without its {{ in \"{text}\"; a brace itself is written twice"));
            }
            let Some((name, after)) = after.split_once('}') else {
                return Err(format!("a {{ without its }} in \"{text}\"; a brace itself is written twice"));
            };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(Part::Value(name.trim().to_owned()));
            rest = after;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Template(parts))
    }
}

impl<N> Template<N> {
    pub(crate) fn map<M>(self, mut of: impl FnMut(N) -> M) -> Template<M> {
        let parts = self.0.into_iter().map(|part| match part {
            Part::Text(text) => Part::Text(text),
            Part::Value(name) => Part::Value(of(name)),
        });
        Template(parts.collect())
    }

    /// Percent-encodes the plain text of a URL, but for the characters that a URL may hold.
    pub(crate) fn url_encoded(self) -> Template<N> {
        let parts = self.0.into_iter().map(|part| match part {
            Part::Text(text) => Part::Text(encode(&text, b"/?&=()!*',;:@$-._~%")),
            value @ Part::Value(_) => value,
        });
        Template(parts.collect())
    }
}

/// Percent-encodes a value for a URL: only characters without a meaning in URLs stay as they are.
pub fn encode_value(text: &str) -> String {
    encode(text, b"-._~")
}

fn encode(text: &str, kept: &[u8]) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            encoded.push(byte as char);
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_braces() {
        let template = Template::parse("/users/{ patron.id }?x={{y}}").unwrap();
        let parts = [
            Part::Text("/users/".to_owned()),
            Part::Value("patron.id".to_owned()),
            Part::Text("?x={y}".to_owned()),
        ];
        assert_eq!(template.0, parts);
        assert!(Template::parse("{a").unwrap_err().contains("without its }"));
        assert!(Template::parse("a}").unwrap_err().contains("without its {"));
    }

    #[test]
    fn a_query_is_encoded_and_its_signs_stay() {
        let template =
            Template::parse("/users?query=(barcode==\"{b}\" and x<>1)&limit=1").unwrap().url_encoded();
        let text: Vec<String> = template.0.into_iter().map(|part| format!("{part:?}")).collect();
        assert_eq!(
            text,
            [
                "Text(\"/users?query=(barcode==%22\")",
                "Value(\"b\")",
                "Text(\"%22%20and%20x%3C%3E1)&limit=1\")"
            ]
        );
        assert_eq!(encode_value("a b&c/ü"), "a%20b%26c%2F%C3%BC");
    }
}
