//! JSON objects: the elements of an array, one a line, or one after the other.

use std::io::{self, BufRead};

use super::{Frame, RunEnd, Source, too_long};

/// A line that is not blank.
pub(super) fn next_line<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Frame>> {
    source.skip_while(|byte| byte.is_ascii_whitespace())?;
    if source.peek()?.is_none() {
        return Ok(None);
    }
    let start = source.offset;
    let mut raw = Vec::new();
    let ended = source.take_until(&mut raw, |byte| byte == b'\n')?;
    raw.truncate(raw.trim_ascii_end().len());
    let fault = match ended {
        RunEnd::TooLong => Some(too_long()),
        RunEnd::FileEnd if Depth::level_at_end(&raw) != Some(0) => Some(cut_off()),
        RunEnd::Found | RunEnd::FileEnd => None,
    };
    Ok(Some(source.frame(start, raw, fault)))
}

/// An object, whatever stands between it and the one before.
pub(super) fn next_value<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Frame>> {
    source.skip_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']'))?;
    let Some(first) = source.peek()? else { return Ok(None) };
    let start = source.offset;
    let mut raw = Vec::new();
    if first != b'{' {
        let mut taken = 0;
        source.take_until(&mut raw, |byte| {
            taken += 1;
            taken > 1 && matches!(byte, b',' | b']' | b'\n')
        })?;
        let fault = Some("it is not a JSON object".to_owned());
        return Ok(Some(source.frame(start, raw, fault)));
    }
    let mut depth = Depth::default();
    let fault = match source.take_until(&mut raw, |byte| depth.advance(byte))? {
        RunEnd::Found if depth.broken => Some("it has a text that does not end".to_owned()),
        RunEnd::Found => None,
        RunEnd::FileEnd => Some(cut_off()),
        RunEnd::TooLong => Some(too_long()),
    };
    Ok(Some(source.frame(start, raw, fault)))
}

fn cut_off() -> String {
    "the file ends in the middle of it".to_owned()
}

/// How deep in braces a byte is.
#[derive(Debug, Default)]
struct Depth {
    level: usize,
    in_text: bool,
    escaped: bool,
    /// A line ended inside a text, which JSON does not allow.
    broken: bool,
}

impl Depth {
    /// Counts the braces and quotation marks of the next byte. Returns whether the object ends with this byte.
    fn advance(&mut self, byte: u8) -> bool {
        if self.in_text {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                b'\n' => self.broken = true,
                _ => {}
            }
            return self.broken;
        }
        match byte {
            b'"' => self.in_text = true,
            b'{' | b'[' => self.level += 1,
            b'}' | b']' => self.level = self.level.saturating_sub(1),
            _ => {}
        }
        self.level == 0
    }

    /// The depth of braces at the end of the bytes; `None` if they end inside a text.
    fn level_at_end(raw: &[u8]) -> Option<usize> {
        let mut depth = Depth::default();
        for byte in raw {
            depth.advance(*byte);
        }
        (!depth.in_text).then_some(depth.level)
    }
}

/// Whether the first line is an object of its own.
pub(crate) fn is_whole_object(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.starts_with(b"{") && line.ends_with(b"}") && Depth::level_at_end(line) == Some(0)
}
