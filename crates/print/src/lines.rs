//! Paragraphs broken into lines. Widths are thousandths of the size of the type, as in the metrics: whole numbers, which add up
//! alike in any order.

use crate::blocks::{Face, Paragraph};
use crate::limits::{self, TooMuch};
use crate::typeface::{encoded, width_of};

/// What fits between two margins.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub(crate) runs: Vec<Run>,
    width: u64,
}

/// Words that are drawn in one go: their face is the same.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) bytes: Vec<u8>,
    pub(crate) face: Face,
    x: u64,
}

impl Line {
    /// In points.
    pub(crate) fn width(&self, size: f32) -> f32 {
        points(self.width, size)
    }

    fn add(&mut self, blanks: usize, bytes: &[u8], face: Face, width: u64) {
        let x = self.width + gap(blanks);
        match self.runs.last_mut().filter(|run| run.face == face) {
            Some(run) => {
                run.bytes.extend(std::iter::repeat_n(b' ', blanks));
                run.bytes.extend_from_slice(bytes);
            }
            None => self.runs.push(Run { bytes: bytes.to_vec(), face, x }),
        }
        self.width = x + width;
    }
}

impl Run {
    /// Where it begins in its line, in points.
    pub(crate) fn x(&self, size: f32) -> f32 {
        points(self.x, size)
    }
}

fn points(width: u64, size: f32) -> f32 {
    width as f32 * size / 1000.0
}

/// Blanks are as wide in every face.
fn gap(blanks: usize) -> u64 {
    blanks as u64 * u64::from(width_of(b' ', Face::default()))
}

/// Lines that are no longer than the room, in points, broken between words, and inside of a word that is longer than a line.
pub(crate) fn lines(paragraph: &Paragraph, room: f32) -> Result<Vec<Line>, TooMuch> {
    let room = (room * 1000.0 / paragraph.size) as u64;
    let mut breaker = Breaker { lines: Vec::new(), line: Line::default(), blanks: 0, room };
    for span in &paragraph.spans {
        for (at, text) in span.text.split('\n').enumerate() {
            if at > 0 {
                breaker.next_line()?;
                breaker.blanks = 0;
            }
            for word in text.split_inclusive(' ') {
                let letters = word.trim_end_matches(' ');
                let bytes = encoded(letters);
                if !bytes.is_empty() {
                    breaker.word(&bytes, span.face)?;
                    breaker.blanks = 0;
                }
                breaker.blanks += word.len() - letters.len();
            }
        }
    }
    breaker.next_line()?;
    Ok(breaker.lines)
}

struct Breaker {
    lines: Vec<Line>,
    /// The one that is being filled.
    line: Line,
    /// Before the next word.
    blanks: usize,
    room: u64,
}

impl Breaker {
    fn next_line(&mut self) -> Result<(), TooMuch> {
        self.lines.push(std::mem::take(&mut self.line));
        if self.lines.len() > limits::LINES { Err(TooMuch::Pages) } else { Ok(()) }
    }

    fn word(&mut self, bytes: &[u8], face: Face) -> Result<(), TooMuch> {
        let whole: u64 = bytes.iter().map(|byte| u64::from(width_of(*byte, face))).sum();
        // A word goes on where the face changes inside of it.
        let can_break = self.blanks > 0 && !self.line.runs.is_empty();
        if can_break && self.line.width + gap(self.blanks) + whole > self.room {
            self.next_line()?;
        }
        let mut rest = bytes;
        loop {
            let is_first = self.line.runs.is_empty();
            let blanks = if is_first { 0 } else { self.blanks };
            let left = self.room.saturating_sub(self.line.width + gap(blanks));
            let (mut fits, mut width) = fitting(rest, face, left);
            // A line has one letter at least, however narrow it is.
            if let (0, true, Some(letter)) = (fits, is_first, rest.first()) {
                (fits, width) = (1, u64::from(width_of(*letter, face)));
            }
            if fits > 0 {
                self.line.add(blanks, &rest[..fits], face, width);
            }
            rest = &rest[fits..];
            if rest.is_empty() {
                return Ok(());
            }
            self.next_line()?;
        }
    }
}

/// How many of the letters fit, and how wide they are.
fn fitting(bytes: &[u8], face: Face, room: u64) -> (usize, u64) {
    let mut width = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let wider = width + u64::from(width_of(*byte, face));
        if wider > room {
            return (at, width);
        }
        width = wider;
    }
    (bytes.len(), width)
}
