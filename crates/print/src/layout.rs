//! Where on which page everything goes. Measures are points from the lower left corner, as PDF counts.

use octavo_template::barcode_modules;

use crate::blocks::{Align, BODY, Block, Face, Paragraph, Span};
use crate::typeface::{encoded, width};

/// A4.
pub(crate) const PAGE: (f32, f32) = (595.28, 841.89);
const LEFT: f32 = 71.0;
const RIGHT: f32 = 57.0;
const TOP: f32 = 57.0;
const BOTTOM: f32 = 57.0;
const WIDTH: f32 = PAGE.0 - LEFT - RIGHT;
/// Of a line, against the size of its letters.
const LEADING: f32 = 1.3;
const STEP: f32 = 18.0;
const APART: f32 = 6.0;
/// Between the columns of a table.
const GUTTER: f32 = 12.0;
/// Of a barcode.
const BARS: f32 = 36.0;
const THINNEST: f32 = 1.0;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Drawn {
    Text {
        x: f32,
        y: f32,
        size: f32,
        face: Face,
        bytes: Vec<u8>,
    },
    /// Filled with black.
    Box {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
    },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Page {
    pub(crate) drawn: Vec<Drawn>,
}

/// A line of words, which fits.
#[derive(Debug, Clone, Default)]
struct Line {
    words: Vec<Word>,
    width: f32,
}

#[derive(Debug, Clone)]
struct Word {
    bytes: Vec<u8>,
    face: Face,
    x: f32,
}

pub(crate) fn lay_out(blocks: &[Block]) -> Vec<Page> {
    let mut layout = Layout { pages: vec![Page::default()], y: PAGE.1 - TOP };
    let mut rest = blocks;
    while let Some((block, after)) = rest.split_first() {
        rest = after;
        match block {
            Block::Text(paragraph) => layout.paragraph(paragraph),
            Block::Rule => layout.rule(),
            Block::Barcode(code) => layout.barcode(code),
            Block::Row(_) => {
                // Rows that follow each other are a table.
                let more = after.iter().take_while(|block| matches!(block, Block::Row(_))).count();
                layout.table(&blocks[blocks.len() - after.len() - 1..][..=more]);
                rest = &after[more..];
            }
        }
    }
    layout.pages
}

struct Layout {
    pages: Vec<Page>,
    /// The lower edge of what was drawn last.
    y: f32,
}

impl Layout {
    /// Goes down by a height, to the next page where it does not fit.
    fn down(&mut self, height: f32) {
        if self.y - height < BOTTOM {
            self.pages.push(Page::default());
            self.y = PAGE.1 - TOP;
        }
        self.y -= height;
    }

    fn draw(&mut self, drawn: Drawn) {
        if let Some(page) = self.pages.last_mut() {
            page.drawn.push(drawn);
        }
    }

    fn room(&mut self) {
        self.y -= APART;
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        let left = LEFT + f32::from(paragraph.indent) * STEP;
        let lines = lines(paragraph, PAGE.0 - RIGHT - left);
        if paragraph.apart {
            self.room();
        }
        for (at, line) in lines.iter().enumerate() {
            self.down(paragraph.size * LEADING);
            if let Some(mark) = paragraph.mark.as_deref().filter(|_| at == 0) {
                let bytes = encoded(mark);
                let x = left - 4.0 - width(&bytes, Face::default(), paragraph.size);
                let y = self.y + paragraph.size * (LEADING - 1.0);
                self.draw(Drawn::Text { x, y, size: paragraph.size, face: Face::default(), bytes });
            }
            self.line(line, paragraph, left, PAGE.0 - RIGHT - left);
        }
        if paragraph.apart {
            self.room();
        }
    }

    fn line(&mut self, line: &Line, paragraph: &Paragraph, left: f32, room: f32) {
        let shift = match paragraph.align {
            Align::Left => 0.0,
            Align::Center => (room - line.width) / 2.0,
            Align::Right => room - line.width,
        };
        let y = self.y + paragraph.size * (LEADING - 1.0);
        for word in &line.words {
            self.draw(Drawn::Text {
                x: left + shift.max(0.0) + word.x,
                y,
                size: paragraph.size,
                face: word.face,
                bytes: word.bytes.clone(),
            });
        }
    }

    fn rule(&mut self) {
        self.down(BODY);
        self.draw(Drawn::Box { x: LEFT, y: self.y + BODY / 2.0, width: WIDTH, height: 0.5 });
    }

    /// As narrow as it must be to fit; its text below, for hands and eyes.
    fn barcode(&mut self, code: &str) {
        let bars = barcode_modules(code).unwrap_or_default();
        if !bars.is_empty() {
            self.down(BARS + APART);
            let thin = THINNEST.min(WIDTH / bars.len() as f32);
            let mut x = LEFT;
            for run in bars.chunk_by(|one, other| one == other) {
                let width = thin * run.len() as f32;
                if run.first() == Some(&true) {
                    self.draw(Drawn::Box { x, y: self.y, width, height: BARS });
                }
                x += width;
            }
        }
        let spans = vec![Span { text: code.to_owned(), face: Face::default() }];
        self.paragraph(&Paragraph { spans, size: 9.0, ..Paragraph::default() });
    }

    /// The lines of the cells, side by side.
    fn table(&mut self, rows: &[Block]) {
        let columns = columns(rows);
        self.room();
        for row in rows {
            let Block::Row(cells) = row else { continue };
            let cells: Vec<Vec<(&Paragraph, Line)>> =
                cells.iter().zip(&columns).map(|(cell, (_, room))| lines_of_cell(cell, *room)).collect();
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let side_by_side: Vec<(usize, &(&Paragraph, Line))> = cells
                    .iter()
                    .enumerate()
                    .filter_map(|(column, cell)| Some((column, cell.get(at)?)))
                    .collect();
                let size = side_by_side.iter().map(|(_, (paragraph, _))| paragraph.size).fold(0.0, f32::max);
                self.down(size * LEADING);
                for (column, (paragraph, line)) in side_by_side {
                    let (x, room) = columns[column];
                    self.line(line, paragraph, LEFT + x, room);
                }
            }
        }
        self.room();
    }
}

fn lines_of_cell(cell: &[Paragraph], room: f32) -> Vec<(&Paragraph, Line)> {
    cell.iter()
        .flat_map(|paragraph| lines(paragraph, room).into_iter().map(move |line| (paragraph, line)))
        .collect()
}

/// Where columns begin and how wide they are.
fn columns(rows: &[Block]) -> Vec<(f32, f32)> {
    let mut wanted: Vec<f32> = Vec::new();
    for row in rows {
        let Block::Row(cells) = row else { continue };
        wanted.resize(wanted.len().max(cells.len()), 0.0);
        for (column, cell) in wanted.iter_mut().zip(cells) {
            let widest = cell.iter().flat_map(|paragraph| lines(paragraph, f32::MAX)).map(|line| line.width);
            *column = widest.fold(*column, f32::max);
        }
    }
    let gutters = GUTTER * wanted.len().saturating_sub(1) as f32;
    let mut x = 0.0;
    let mut columns = Vec::with_capacity(wanted.len());
    for width in shares(&wanted, (WIDTH - gutters).max(1.0)) {
        // A hair more than the line, which was reckoned in another order.
        columns.push((x, width + 0.01));
        x += width + GUTTER;
    }
    columns
}

/// What is narrow gets what it wants; the others have the rest in equal parts.
fn shares(wanted: &[f32], room: f32) -> Vec<f32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_unstable_by(|one, other| wanted[*one].total_cmp(&wanted[*other]));
    let (mut shares, mut left) = (vec![0.0; wanted.len()], room);
    for (done, column) in order.into_iter().enumerate() {
        let fair = left / (wanted.len() - done) as f32;
        shares[column] = wanted[column].min(fair);
        left -= shares[column];
    }
    shares
}

/// Words in lines that are no longer than the room, broken between words, and inside of a word that is longer than a line.
fn lines(paragraph: &Paragraph, room: f32) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    // The room that blanks before the next word take.
    let mut gap = 0.0;
    for span in &paragraph.spans {
        for (at, text) in span.text.split('\n').enumerate() {
            if at > 0 {
                lines.push(Line::default());
                gap = 0.0;
            }
            for word in text.split_inclusive(' ') {
                let bytes = encoded(word.trim_end_matches(' '));
                let blanks = encoded(&word[word.trim_end_matches(' ').len()..]);
                let blanks = width(&blanks, span.face, paragraph.size);
                if bytes.is_empty() {
                    gap += blanks;
                    continue;
                }
                put(&mut lines, bytes, gap, span.face, paragraph.size, room);
                gap = blanks;
            }
        }
    }
    lines
}

fn put(lines: &mut Vec<Line>, mut bytes: Vec<u8>, gap: f32, face: Face, size: f32, room: f32) {
    let wide = width(&bytes, face, size);
    // A word goes on where the face changes inside of it.
    if gap > 0.0 && lines.last().is_some_and(|line| !line.words.is_empty() && line.width + gap + wide > room)
    {
        lines.push(Line::default());
    }
    let mut gap = gap;
    loop {
        let Some(line) = lines.last_mut() else { return };
        if line.words.is_empty() {
            gap = 0.0;
        }
        let x = line.width + gap;
        let fits = fitting(&bytes, face, size, room - x);
        let fits = if fits == 0 && line.words.is_empty() { 1 } else { fits };
        let rest = bytes.split_off(fits.min(bytes.len()));
        if !bytes.is_empty() {
            line.width = x + width(&bytes, face, size);
            line.words.push(Word { bytes, face, x });
        }
        if rest.is_empty() {
            return;
        }
        lines.push(Line::default());
        bytes = rest;
    }
}

/// How many of the letters fit.
fn fitting(bytes: &[u8], face: Face, size: f32, room: f32) -> usize {
    if width(bytes, face, size) <= room {
        return bytes.len();
    }
    let mut taken = 0.0;
    let fits = bytes.iter().take_while(|byte| {
        taken += width(&[**byte], face, size);
        taken <= room
    });
    fits.count()
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn narrow_columns_keep_their_width_and_wide_ones_share_the_rest() {
        for (wanted, expected) in [
            (&[10.0, 20.0][..], &[10.0, 20.0][..]),
            (&[500.0, 10.0], &[90.0, 10.0]),
            (&[500.0, 20.0, 300.0], &[40.0, 20.0, 40.0]),
            (&[], &[]),
        ] {
            assert_eq!(shares(wanted, 100.0), expected, "{wanted:?}");
        }
    }
}
