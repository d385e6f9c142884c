//! Where one record ends and the next begins. Reads no further than it has to: memory holds one record at a time.
//!
//! A splitter can begin at the end of any record that an earlier splitter has found (`Frame::end`): so a load that was interrupted
//! continues.

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

/// The bytes of one record, or the bytes that are found where a record should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Where it begins and ends, in bytes from the beginning of the file.
    pub start: u64,
    pub end: u64,
    pub raw: Vec<u8>,
    /// Why these bytes cannot be a record.
    pub fault: Option<String>,
}

/// The most bytes of a record. Longer records are skipped and not kept in memory.
const MAX_RECORD_BYTES: usize = 16 << 20;

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

/// Why reading of a run of bytes has stopped.
#[derive(Debug, PartialEq, Eq)]
enum RunEnd {
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

    /// Appends bytes up to and including the first one for which `ends` is true.
    fn take_until(&mut self, raw: &mut Vec<u8>, mut ends: impl FnMut(u8) -> bool) -> io::Result<RunEnd> {
        let mut too_long = false;
        loop {
            let buffer = self.inner.fill_buf()?;
            if buffer.is_empty() {
                return Ok(if too_long { RunEnd::TooLong } else { RunEnd::FileEnd });
            }
            let found = buffer.iter().position(|byte| ends(*byte));
            let run = found.map_or(buffer.len(), |at| at + 1);
            // What is kept of a record that is too long is its beginning, without gaps.
            too_long = too_long || raw.len() + run > MAX_RECORD_BYTES;
            if !too_long {
                raw.extend_from_slice(&buffer[..run]);
            }
            self.skip(run);
            match (found, too_long) {
                (Some(_), true) => return Ok(RunEnd::TooLong),
                (Some(_), false) => return Ok(RunEnd::Found),
                (None, _) => {}
            }
        }
    }

    fn frame(&self, start: u64, raw: Vec<u8>, fault: Option<String>) -> Frame {
        Frame { start, end: self.offset, raw, fault }
    }
}

fn too_long() -> String {
    format!("it is longer than {} MiB", MAX_RECORD_BYTES >> 20)
}
