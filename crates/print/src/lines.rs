//! Paragraphs broken into lines. Widths are thousandths of the size of the type, as in the metrics: whole numbers, which add up
//! alike in any order.

use crate::blocks::{Face, Paragraph};
use crate::direction::{Directions, visual_order};
use crate::fonts::{self, FontIndex, GlyphCluster};
use crate::limits::{self, TooMuch};
use crate::typeface::{encode, width_of};
use crate::words::{Piece, pieces, tidy_text};

/// One line of text between two margins.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pub(crate) runs: Vec<Run>,
    width: u64,
    /// The bidirectional level of the paragraph; with an odd level the line begins at the right.
    pub(crate) base: u8,
}

/// Words that are drawn in one go: their face and their direction are the same.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) content: RunContent,
    pub(crate) face: Face,
    /// An odd level is read from the right.
    pub(crate) level: u8,
    x: u64,
    width: u64,
    /// How many blanks stand before it in the order of reading.
    blanks: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum RunContent {
    /// Text in Helvetica, in its encoding.
    Letters(Vec<u8>),
    /// Glyphs of an embedded font, in the order in which they are read.
    Glyphs(FontIndex, Vec<GlyphCluster>),
}

impl Line {
    /// The width in points.
    pub(crate) fn width(&self, size: f32) -> f32 {
        points(self.width, size)
    }

    fn add_run(&mut self, blanks: usize, what: RunContent, width: u64, (face, level): (Face, u8)) {
        let x = self.width + blanks_width(blanks);
        self.width = x + width;
        if let Some(run) = self.runs.last_mut()
            && let (RunContent::Letters(letters), RunContent::Letters(more)) = (&mut run.content, &what)
            && (run.face, run.level) == (face, level)
        {
            letters.extend(std::iter::repeat_n(b' ', blanks));
            letters.extend_from_slice(more);
            run.width = self.width - run.x;
            return;
        }
        self.runs.push(Run { content: what, face, level, x, width, blanks });
    }

    /// Puts the runs where they are drawn.
    fn arrange(mut self, base: u8) -> Line {
        self.base = base;
        let levels: Vec<u8> = self.runs.iter().map(|run| run.level).collect();
        if base == 0 && levels.iter().all(|level| *level == 0) {
            return self;
        }
        // Blanks between two directions have the outer one's.
        let mut items: Vec<(u8, u64, Option<usize>)> = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            if run.blanks > 0 && at > 0 {
                items.push((run.level.min(levels[at - 1]), blanks_width(run.blanks), None));
            }
            items.push((run.level, run.width, Some(at)));
        }
        let mut x = 0;
        for at in visual_order(&items.iter().map(|(level, ..)| *level).collect::<Vec<u8>>()) {
            let (_, width, run) = items[at];
            if let Some(run) = run {
                self.runs[run].x = x;
            }
            x += width;
        }
        self.runs.sort_by_key(|run| run.x);
        self
    }
}

impl Run {
    /// Where the run begins in its line, in points.
    pub(crate) fn x(&self, size: f32) -> f32 {
        points(self.x, size)
    }
}

fn points(width: u64, size: f32) -> f32 {
    width as f32 * size / 1000.0
}

/// The width of blanks, which is the same in every face.
fn blanks_width(blanks: usize) -> u64 {
    blanks as u64 * u64::from(width_of(b' ', Face::default()))
}

/// Lines that are no longer than the room, in points, broken between words, and inside of a word that is longer than a line.
pub(crate) fn break_into_lines(paragraph: &Paragraph, room: f32) -> Result<Vec<Line>, TooMuch> {
    let room = (room * 1000.0 / paragraph.size) as u64;
    let spans: Vec<(String, Face)> =
        paragraph.spans.iter().map(|span| (tidy_text(&span.text), span.face)).collect();
    let directions = Directions::from_text(&spans.iter().map(|(text, _)| text.as_str()).collect::<String>());
    let base = directions.base;
    let mut breaker = Breaker { lines: Vec::new(), line: Line::default(), blanks: 0, room, base };
    let mut at = 0;
    for (text, face) in &spans {
        for (number, text) in text.split('\n').enumerate() {
            if number > 0 {
                breaker.next_line()?;
                breaker.blanks = 0;
                at += 1;
            }
            for word in text.split_inclusive(' ') {
                let letters = word.trim_end_matches(' ');
                for (part, level) in directions.parts(letters, at) {
                    breaker.add_part(part, (*face, level))?;
                }
                breaker.blanks += word.len() - letters.len();
                at += word.len();
            }
        }
    }
    breaker.next_line()?;
    Ok(breaker.lines)
}

struct Breaker {
    lines: Vec<Line>,
    line: Line,
    /// How many blanks stand before the next word.
    blanks: usize,
    room: u64,
    /// The bidirectional level of the paragraph.
    base: u8,
}

impl Breaker {
    fn next_line(&mut self) -> Result<(), TooMuch> {
        self.lines.push(std::mem::take(&mut self.line).arrange(self.base));
        if self.lines.len() > limits::LINES { Err(TooMuch::Pages) } else { Ok(()) }
    }

    /// A part of a word that has one direction.
    fn add_part(&mut self, text: &str, kind: (Face, u8)) -> Result<(), TooMuch> {
        let turned = kind.1 % 2 == 1;
        for piece in pieces(text, kind.0.bold, turned) {
            match piece {
                Piece::Helvetica(text) => {
                    let bytes = encode(text);
                    let width = |byte: &u8| u64::from(width_of(*byte, kind.0));
                    self.add_word(&bytes, width, false, kind, RunContent::Letters)?;
                }
                Piece::Font { number, text, breaks } => {
                    let signs = fonts::font(number).shape(text, turned);
                    self.add_word(
                        &signs,
                        |sign| sign.width,
                        breaks,
                        kind,
                        |signs| RunContent::Glyphs(number, signs),
                    )?;
                }
            }
        }
        Ok(())
    }

    fn add_word<S: Clone>(
        &mut self,
        signs: &[S],
        width: impl Fn(&S) -> u64,
        breaks: bool,
        kind: (Face, u8),
        what: impl Fn(Vec<S>) -> RunContent,
    ) -> Result<(), TooMuch> {
        if signs.is_empty() {
            return Ok(());
        }
        let whole: u64 = signs.iter().map(&width).sum();
        // A word goes on where the face changes inside of it.
        let can_break = self.blanks > 0 && !self.line.runs.is_empty() && !breaks;
        if can_break && self.line.width + blanks_width(self.blanks) + whole > self.room {
            self.next_line()?;
        }
        let mut rest = signs;
        loop {
            let is_first = self.line.runs.is_empty();
            let blanks = if is_first { 0 } else { self.blanks };
            let left = self.room.saturating_sub(self.line.width + blanks_width(blanks));
            let (mut fits, mut wide) = count_fitting(rest, &width, left);
            // A line has one letter at least, however narrow it is.
            if let (0, true, Some(sign)) = (fits, is_first, rest.first()) {
                (fits, wide) = (1, width(sign));
            }
            if fits > 0 {
                self.line.add_run(blanks, what(rest[..fits].to_vec()), wide, kind);
            }
            rest = &rest[fits..];
            if rest.is_empty() {
                self.blanks = 0;
                return Ok(());
            }
            self.next_line()?;
        }
    }
}

/// How many of the signs fit, and how wide they are.
fn count_fitting<S>(signs: &[S], width: impl Fn(&S) -> u64, room: u64) -> (usize, u64) {
    let mut wide = 0;
    for (at, sign) in signs.iter().enumerate() {
        let wider = wide + width(sign);
        if wider > room {
            return (at, wide);
        }
        wide = wider;
    }
    (signs.len(), wide)
}
