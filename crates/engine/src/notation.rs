//! How a FOLIO module reads and writes JSON, which depends on the framework that the module is built on. Clients look for positions in the
//! text of a response (JMeter plans of FOLIO look for `"id" : "`), and some clients send more than one JSON value in a body.
//!
//! Facts: Jackson's `DefaultPrettyPrinter`, by which RAML Module Builder 35.2 (`RestRouting`), mod-circulation 24.2.5
//! (`JsonHttpResponse`), mod-inventory 20.2.6 (`JsonResponse`) and Okapi 5.3.0 (`InternalModule`) write.

use crate::Response;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation {
    /// Whether responses are indented over several lines.
    pretty: bool,
    /// Whether the content type names the character set: `application/json; charset=utf-8`.
    charset: bool,
    /// Whether only the first JSON value of a body is read and the rest ignored.
    pub(crate) first_value: bool,
}

impl Notation {
    /// RAML Module Builder.
    pub const RMB: Notation = Notation { pretty: true, charset: false, first_value: true };
    /// mod-circulation's and mod-inventory's own handlers on Vert.x.
    pub const VERTX: Notation = Notation { pretty: true, charset: true, first_value: false };
    pub const OKAPI: Notation = Notation { pretty: true, charset: false, first_value: false };
    pub const SPRING: Notation = Notation { pretty: false, charset: false, first_value: true };
    /// JSON without spaces: modules on folio-vertx-lib, and Octavo's own.
    pub const COMPACT: Notation = Notation { pretty: false, charset: false, first_value: false };

    /// A response with its JSON formatted as the module writes it.
    pub fn format_response(self, response: Response) -> Response {
        if response.content_type != JSON || !(self.pretty || self.charset) {
            return response;
        }
        let content_type = if self.charset { "application/json; charset=utf-8" } else { JSON };
        let mut printer = Printer::default();
        let body = printer.pretty_print(&response.body);
        let rest =
            response.streamed_rest.map(|rest| rest.map(move |piece| printer.pretty_print(&piece).into()));
        Response { content_type, body, streamed_rest: rest, ..response }
    }
}

const JSON: &str = "application/json";

/// Adds white space to JSON text piece by piece, without parsing it.
#[derive(Debug, Default)]
struct Printer {
    /// The brackets that are open here, the innermost in the lowest bit: 1 for an object, 0 for an array. Brackets beyond 128 are
    /// forgotten; only white space depends on them.
    open_brackets: u128,
    /// How many of the open brackets belong to objects.
    object_depth: usize,
    /// Whether nothing was written since the last opening bracket.
    just_opened: bool,
    in_text: bool,
    /// Whether the last character was a backslash, in a string, that escapes the next character.
    escaped: bool,
}

impl Printer {
    fn pretty_print(&mut self, json: &[u8]) -> Vec<u8> {
        let mut printed = Vec::with_capacity(json.len() + json.len() / 2 + 64);
        let mut rest = json;
        while let Some((first, following)) = rest.split_first() {
            if self.in_text {
                let length = self.text_length(rest);
                printed.extend_from_slice(&rest[..length]);
                rest = &rest[length..];
                continue;
            }
            self.print_sign(*first, &mut printed);
            rest = following;
        }
        printed
    }

    /// How many bytes of `json` belong to the string that has begun.
    fn text_length(&mut self, json: &[u8]) -> usize {
        for (at, byte) in json.iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_text = false;
                    return at + 1;
                }
                _ => {}
            }
        }
        json.len()
    }

    /// Writes a character that is outside of strings.
    fn print_sign(&mut self, sign: u8, printed: &mut Vec<u8>) {
        match sign {
            b' ' | b'\n' | b'\r' | b'\t' => {}
            b',' => {
                printed.push(b',');
                self.separate(printed);
            }
            b':' => printed.extend_from_slice(b" : "),
            b'}' | b']' => {
                let is_object = self.is_in_object();
                self.open_brackets >>= 1;
                self.object_depth = self.object_depth.saturating_sub(usize::from(is_object));
                match is_object && !self.just_opened {
                    true => self.new_line(printed),
                    false => printed.push(b' '),
                }
                self.just_opened = false;
                printed.push(sign);
            }
            _ => {
                if self.just_opened {
                    self.just_opened = false;
                    self.separate(printed);
                }
                printed.push(sign);
                self.in_text = sign == b'"';
                if matches!(sign, b'{' | b'[') {
                    self.open_brackets = self.open_brackets << 1 | u128::from(sign == b'{');
                    self.object_depth += usize::from(sign == b'{');
                    self.just_opened = true;
                }
            }
        }
    }

    /// Writes the white space before a member or an element.
    fn separate(&self, printed: &mut Vec<u8>) {
        match self.is_in_object() {
            true => self.new_line(printed),
            false => printed.push(b' '),
        }
    }

    fn is_in_object(&self) -> bool {
        self.open_brackets & 1 == 1
    }

    fn new_line(&self, printed: &mut Vec<u8>) {
        printed.push(b'\n');
        printed.extend(std::iter::repeat_n(b' ', 2 * self.object_depth));
    }
}

/// Parses a JSON value from the body of a request.
pub(crate) fn parse_json<T: serde::de::DeserializeOwned>(
    notation: Notation,
    body: &[u8],
) -> Result<T, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = T::deserialize(&mut reader)?;
    if !notation.first_value {
        reader.end()?;
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const COMPACT: &str = r#"{"a":"x, {\"y\": [1]}","b":[],"c":{},"d":[1,-2.5,null],"e":[{"f":true},{"g":{"h":[[]]}}],"i":"é\\"}"#;

    /// The same value as Jackson writes it.
    const PRETTY: &str = r#"{
  "a" : "x, {\"y\": [1]}",
  "b" : [ ],
  "c" : { },
  "d" : [ 1, -2.5, null ],
  "e" : [ {
    "f" : true
  }, {
    "g" : {
      "h" : [ [ ] ]
    }
  } ],
  "i" : "é\\"
}"#;

    #[test]
    fn an_answer_is_written_over_several_lines() {
        let response = Notation::VERTX.format_response(Response::json_text(200, COMPACT));
        assert_eq!(String::from_utf8(response.body).unwrap(), PRETTY);
        assert_eq!(response.content_type, "application/json; charset=utf-8");
    }

    #[test]
    fn white_space_that_is_there_already_counts_for_nothing() {
        let spaced = serde_json::to_string_pretty(&serde_json::from_str::<Value>(COMPACT).unwrap()).unwrap();
        for text in [COMPACT, PRETTY, &spaced] {
            let printed = Printer::default().pretty_print(text.as_bytes());
            assert_eq!(String::from_utf8(printed).unwrap(), PRETTY);
        }
    }

    #[test]
    fn an_answer_in_pieces_is_written_as_in_one() {
        for size in 1..COMPACT.len() {
            let mut printer = Printer::default();
            let pieces: Vec<u8> =
                COMPACT.as_bytes().chunks(size).flat_map(|piece| printer.pretty_print(piece)).collect();
            assert_eq!(String::from_utf8(pieces).unwrap(), PRETTY, "{size} bytes at once");
        }
    }

    #[test]
    fn what_is_no_json_and_what_the_module_writes_short_stays_as_it_is() {
        let text = Notation::VERTX.format_response(Response::text(400, "a: {b}"));
        assert_eq!((text.body.as_slice(), text.content_type), (b"a: {b}".as_slice(), "text/plain"));
        let short = Notation::COMPACT.format_response(Response::json_text(200, COMPACT));
        assert_eq!((short.body.as_slice(), short.content_type), (COMPACT.as_bytes(), JSON));
    }

    #[test]
    fn what_follows_the_first_value_is_overlooked_where_the_module_does() {
        let body = br#" {"a":1} {"b":2}, more"#;
        assert_eq!(parse_json::<Value>(Notation::RMB, body).unwrap(), serde_json::json!({"a": 1}));
        assert!(parse_json::<Value>(Notation::VERTX, body).is_err());
        assert!(parse_json::<Value>(Notation::RMB, b" ").is_err());
    }
}
