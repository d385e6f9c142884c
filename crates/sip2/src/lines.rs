//! Cuts what arrives into messages, and holds no more of it than one message may have.

use crate::wire::Terminator;

/// The bytes that have arrived and are not taken yet: of a message, and perhaps of those after it.
#[derive(Debug)]
pub struct Lines {
    terminator: Terminator,
    max_message_bytes: usize,
    arrived: Vec<u8>,
    /// How many of these bytes hold no end.
    searched: usize,
}

/// A message has more bytes than are read of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

impl Lines {
    /// `most`: bytes of a message without its end.
    pub fn new(terminator: Terminator, most: usize) -> Lines {
        Lines { terminator, max_message_bytes: most, arrived: Vec::new(), searched: 0 }
    }

    /// How many more bytes may be added before a message has to be taken.
    pub fn free_bytes(&self) -> usize {
        (self.max_message_bytes + self.terminator.bytes().len() + 1).saturating_sub(self.arrived.len())
    }

    pub fn add(&mut self, bytes: &[u8]) {
        self.arrived.extend_from_slice(bytes);
    }

    /// Whether the beginning of a message has arrived.
    pub fn has_begun(&self) -> bool {
        self.arrived.iter().any(|byte| !self.terminator.is_padding(*byte))
    }

    /// The next whole message. Empty ones are passed over: machines end with CR, LF or both.
    pub fn take_message(&mut self) -> Result<Option<Vec<u8>>, TooLong> {
        while let Some(end) = self.terminator.find(&self.arrived, self.searched) {
            let line: Vec<u8> = self.arrived.drain(..end.after).take(end.at).collect();
            self.searched = 0;
            if line.len() > self.max_message_bytes {
                return Err(TooLong);
            }
            if line.iter().any(|byte| !self.terminator.is_padding(*byte)) {
                return Ok(Some(line));
            }
        }
        self.searched = self.arrived.len().saturating_sub(self.terminator.bytes().len() - 1);
        if self.arrived.len() > self.max_message_bytes { Err(TooLong) } else { Ok(None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take_all_lines(terminator: &str, pieces: &[&str]) -> Vec<Result<String, TooLong>> {
        let mut lines = Lines::new(Terminator::new(terminator).unwrap(), 8);
        let mut taken = Vec::new();
        for piece in pieces {
            lines.add(piece.as_bytes());
            while let Some(line) = lines.take_message().transpose() {
                let failed = line.is_err();
                taken.push(line.map(|line| String::from_utf8(line).unwrap()));
                if failed {
                    return taken;
                }
            }
        }
        taken
    }

    #[test]
    fn messages_end_where_the_terminator_says() {
        let ok = |lines: &[&str]| lines.iter().map(|line| Ok((*line).to_owned())).collect::<Vec<_>>();
        assert_eq!(take_all_lines("\r", &["97\r", "\n99\r\n", "\r\r97"]), ok(&["97", "99"]));
        assert_eq!(take_all_lines("\r\n", &["97\r", "\n97\n97\r"]), ok(&["97", "97", "97"]));
        assert_eq!(take_all_lines("##", &["97#", "#9#", "9##"]), ok(&["97", "9#9"]));
    }

    #[test]
    fn no_more_is_held_than_a_message_may_have() {
        assert_eq!(take_all_lines("\r", &["123456789"]), [Err(TooLong)]);
        assert_eq!(take_all_lines("\r", &["123456789\r"]), [Err(TooLong)]);
        assert_eq!(take_all_lines("\r", &["12345678\r"]), [Ok("12345678".to_owned())]);
        assert_eq!(Lines::new(Terminator::default(), 8).free_bytes(), 10);
    }

    #[test]
    fn what_ends_messages_begins_none() {
        let mut lines = Lines::new(Terminator::default(), 8);
        lines.add(b"\n");
        assert!(!lines.has_begun());
        lines.add(b"9");
        assert!(lines.has_begun());
    }
}
