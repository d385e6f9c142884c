//! Where one record ends and the next begins. Reads no further than it has to: memory holds one record at a time.
//!
//! A splitter can be set up at any boundary that an earlier one has told (`Frame::end`), which is how a load that was
//! interrupted goes on.

mod iso2709;
mod json;
mod xml;

use std::io::{self, BufRead};

pub(crate) use json::is_whole_object;

/// How records follow each other in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Iso2709,
    /// `record` elements, in a collection or not.
    Xml,
    JsonArray,
    JsonLines,
    /// Objects one after the other, each over as many lines as it likes.
    JsonValues,
}

/// The bytes of one record, or of what stands where one should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where it begins and ends, in bytes from the beginning of the file.
    pub start: u64,
    pub end: u64,
    pub raw: Vec<u8>,
    /// Why these bytes cannot be a record.
    pub fault: Option<String>,
}

/// What a record may have at most; longer ones are skipped without being kept in memory.
const LONGEST: usize = 16 << 20;

pub struct Splitter<R> {
    format: Format,
    source: Source<R>,
}

impl<R: BufRead> Splitter<R> {
    /// `source` stands at byte `offset` of the file.
    pub fn new(format: Format, source: R, offset: u64) -> Splitter<R> {
        Splitter { format, source: Source { inner: source, offset } }
    }

    fn frame(&mut self) -> io::Result<Option<Frame>> {
        match self.format {
            Format::Iso2709 => iso2709::next(&mut self.source),
            Format::Xml => xml::next(&mut self.source),
            Format::JsonLines => json::next_line(&mut self.source),
            Format::JsonArray | Format::JsonValues => json::next_value(&mut self.source),
        }
    }
}

impl<R: BufRead> Iterator for Splitter<R> {
    type Item = io::Result<Frame>;

    fn next(&mut self) -> Option<Self::Item> {
        self.frame().transpose()
    }
}

/// Bytes with their place in the file.
struct Source<R> {
    inner: R,
    offset: u64,
}

/// How a run of bytes ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Found,
    FileEnd,
    TooLong,
}

impl<R: BufRead> Source<R> {
    /// The next byte, still to be read.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.inner.fill_buf()?.first().copied())
    }

    fn skip(&mut self, count: usize) {
        self.inner.consume(count);
        self.offset += count as u64;
    }

    /// Passes over bytes that satisfy the condition.
    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) -> io::Result<()> {
        loop {
            let buffer = self.inner.fill_buf()?;
            let run = buffer.iter().position(|byte| !condition(*byte)).unwrap_or(buffer.len());
            if run == 0 {
                return Ok(());
            }
            self.skip(run);
        }
    }

    /// Appends bytes up to and with the one for which `ends` says so.
    fn take_until(&mut self, raw: &mut Vec<u8>, mut ends: impl FnMut(u8) -> bool) -> io::Result<Ended> {
        let mut too_long = false;
        loop {
            let buffer = self.inner.fill_buf()?;
            if buffer.is_empty() {
                return Ok(if too_long { Ended::TooLong } else { Ended::FileEnd });
            }
            let found = buffer.iter().position(|byte| ends(*byte));
            let run = found.map_or(buffer.len(), |at| at + 1);
            // What is kept of a record that is too long is its beginning, without gaps.
            too_long = too_long || raw.len() + run > LONGEST;
            if !too_long {
                raw.extend_from_slice(&buffer[..run]);
            }
            self.skip(run);
            match (found, too_long) {
                (Some(_), true) => return Ok(Ended::TooLong),
                (Some(_), false) => return Ok(Ended::Found),
                (None, _) => {}
            }
        }
    }

    fn frame(&self, start: u64, raw: Vec<u8>, fault: Option<String>) -> Frame {
        Frame { start, end: self.offset, raw, fault }
    }
}

fn too_long() -> String {
    format!("it is longer than {} MiB", LONGEST >> 20)
}
