//! Files of EDIFACT messages, such as invoices of vendors. Each message is a record, together with the header and trailer segments of its
//! interchange. Pure.

use super::edifact::{DECLARATION_BYTES, Reading, is_edifact, parse_message};
use super::raw::to_storable_text;

/// The most bytes of a file, which is read into memory as a whole.
pub(super) const MAX_FILE_BYTES: u64 = 16 << 20;
/// The most bytes of the header and trailer segments, which are stored with each message.
const MAX_AROUND_BYTES: usize = 1_000;

/// A message as a record, and the position in the file at which it ends.
#[derive(Debug, PartialEq)]
pub(super) struct Message {
    pub raw: String,
    pub end: i64,
    /// The reason why it cannot be parsed.
    pub fault: Option<String>,
}

/// Iterates over the messages of a file.
pub(super) struct Messages {
    file: Vec<u8>,
    reading: Reading,
    /// The segments `UNA` and `UNB` of the interchange.
    head: Vec<u8>,
    /// The position of the next `UNZ`, of the next interchange, or of the end of the file, with the text of `UNZ` (empty if there is none).
    /// It is kept until that position is passed.
    tail: Option<(usize, Vec<u8>)>,
    behind: i64,
}

impl Messages {
    /// The messages that end after the position `behind`.
    pub(super) fn new(file: Vec<u8>, behind: i64) -> Messages {
        Messages { file, reading: Reading::default(), head: Vec::new(), tail: None, behind }
    }

    fn next_of_all(&mut self) -> Option<Message> {
        let mut body: Option<Vec<u8>> = None;
        loop {
            let before = self.reading;
            let Some(segment) = self.reading.next(&self.file) else {
                return body.map(|body| self.message(body, false));
            };
            match segment.get(..3) {
                Some(b"UNH" | b"UNA" | b"UNB" | b"UNZ") if body.is_some() => {
                    self.reading = before;
                    return body.map(|body| self.message(body, false));
                }
                Some(b"UNA") => self.head = segment.to_vec(),
                Some(b"UNB") => {
                    if self.head.len() != DECLARATION_BYTES {
                        self.head.clear();
                    }
                    self.head.extend_from_slice(segment);
                }
                Some(b"UNZ") => {
                    self.head.clear();
                    self.reading.end();
                }
                Some(b"UNH") => body = Some(segment.to_vec()),
                name => {
                    let Some(mut begun) = body.take() else { continue };
                    begun.extend_from_slice(segment);
                    if name == Some(b"UNT") {
                        return Some(self.message(begun, true));
                    }
                    body = Some(begun);
                }
            }
        }
    }

    /// The message that ends at the present position.
    fn message(&mut self, body: Vec<u8>, is_whole: bool) -> Message {
        let end = i64::try_from(self.reading.at).unwrap_or(i64::MAX);
        let tail = self.tail();
        if self.head.len() + tail.len() > MAX_AROUND_BYTES {
            let fault =
                Some(format!("what stands around the message is longer than {MAX_AROUND_BYTES} bytes"));
            return Message { raw: to_storable_text(body), end, fault };
        }
        let raw = to_storable_text([self.head.clone(), body, tail].concat());
        let fault = match is_whole {
            true => parse_message(&raw).err(),
            false => Some("the message does not end: it has no UNT".to_owned()),
        };
        Message { raw, end, fault }
    }

    fn tail(&mut self) -> Vec<u8> {
        let known = self.tail.take().filter(|(at, _)| *at >= self.reading.at);
        let (at, tail) = known.unwrap_or_else(|| {
            let mut ahead = self.reading;
            loop {
                let at = ahead.at;
                match ahead.next(&self.file) {
                    Some(segment) if segment.starts_with(b"UNZ") => return (at, segment.to_vec()),
                    Some(segment) if !is_edifact(segment) => {}
                    _ => return (at, Vec::new()),
                }
            }
        });
        self.tail = Some((at, tail.clone()));
        tail
    }
}

impl Iterator for Messages {
    type Item = Message;

    fn next(&mut self) -> Option<Message> {
        loop {
            let message = self.next_of_all()?;
            if message.end > self.behind {
                return Some(message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "UNA:+.? 'UNB+UNOC:3+A:31B+B:31B+240501:1200+1'\nUNH+1+INVOIC:D:96A:UN'\nBGM+380+77?'8'UNT+3+1'\n\
        UNH+2+INVOIC:D:96A:UN'BGM+380+79'UNT+3+2'UNZ+2+1'\n";

    #[test]
    fn each_message_is_a_record_with_head_and_end() {
        let messages = |behind: i64| Messages::new(FILE.into(), behind).collect::<Vec<Message>>();
        let all = messages(0);
        let raw: Vec<&str> = all.iter().map(|message| message.raw.as_str()).collect();
        let (head, end) = ("UNA:+.? 'UNB+UNOC:3+A:31B+B:31B+240501:1200+1'", "UNZ+2+1'");
        assert_eq!(
            raw,
            [
                format!("{head}UNH+1+INVOIC:D:96A:UN'BGM+380+77?'8'UNT+3+1'{end}"),
                format!("{head}UNH+2+INVOIC:D:96A:UN'BGM+380+79'UNT+3+2'{end}"),
            ]
        );
        assert!(all.iter().all(|message| message.fault.is_none()));
        // An import that was interrupted continues after the first message.
        let rest = messages(all[0].end);
        assert_eq!((rest.len(), &rest[0]), (1, &all[1]));
        assert!(messages(all[1].end).is_empty());
    }

    #[test]
    fn what_is_broken_is_told() {
        for (file, count) in
            [("UNB+1'UNH+1'BGM", 1), ("UNB+1'UNH+1'UNH+2'UNT'", 2), ("UNB+1'UNZ'", 0), ("UNA", 0), ("?", 0)]
        {
            let all: Vec<Message> = Messages::new(file.into(), 0).collect();
            assert_eq!(all.len(), count, "{file}");
            assert_eq!(all.first().is_some_and(|message| message.fault.is_some()), count > 0, "{file}");
        }
        let latin = Messages::new(b"UNB+1'UNH+\xE9'UNT'".to_vec(), 0).next().unwrap();
        assert!(latin.raw.contains('\u{E9}'));
    }

    #[test]
    fn what_stands_around_a_message_is_not_kept_without_end() {
        let head = format!("UNB+{}'", "x".repeat(MAX_AROUND_BYTES));
        let file = format!("{head}{}UNZ'", "UNH'UNT'".repeat(3));
        let all: Vec<Message> = Messages::new(file.into(), 0).collect();
        assert_eq!(all.len(), 3);
        for message in all {
            assert!(message.raw == "UNH'UNT'" && message.fault.unwrap().contains("longer than 1000"));
        }
    }

    #[test]
    fn each_interchange_has_its_own_head_and_end() {
        let file = "UNB+1'UNH+1'UNT'UNZ+1'UNA.*,! ;UNB*2;UNH*2;UNT;UNH*3;UNT;UNZ;UNB+3'UNH+4'UNT'";
        let raw: Vec<String> = Messages::new(file.into(), 0).map(|message| message.raw).collect();
        assert_eq!(
            raw,
            [
                "UNB+1'UNH+1'UNT'UNZ+1'",
                "UNA.*,! ;UNB*2;UNH*2;UNT;UNZ;",
                "UNA.*,! ;UNB*2;UNH*3;UNT;UNZ;",
                "UNB+3'UNH+4'UNT'",
            ]
        );
    }
}
