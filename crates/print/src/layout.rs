//! Lays blocks out on pages. Measures are points from the lower left corner, as in PDF.

use lopdf::Stream;
use octavo_template::barcode_modules;

use crate::blocks::{Align, BODY, Block, Face, Paragraph, Span};
use crate::embed::UsedGlyphs;
use crate::limits::{PAGES, TooMuch};
use crate::lines::{Line, RunContent, break_into_lines};
use crate::pages::{PAGE_SIZE, Page};
use crate::typeface::{encode, text_width};

const LEFT: f32 = 71.0;
const RIGHT: f32 = 57.0;
const TOP: f32 = 57.0;
const BOTTOM: f32 = 57.0;
const WIDTH: f32 = PAGE_SIZE.0 - LEFT - RIGHT;
/// The height of a line, in times of its font size.
const LEADING: f32 = 1.3;
const INDENT_WIDTH: f32 = 18.0;
/// The most steps of indentation, so that room is left for words.
const MOST_INDENTS: u8 = 12;
const PARAGRAPH_SPACE: f32 = 6.0;
/// Between the columns of a table.
const GUTTER: f32 = 12.0;
/// The height of a barcode, in points.
const BARCODE_HEIGHT: f32 = 36.0;
const THINNEST: f32 = 1.0;

pub(crate) fn lay_out(blocks: &[Block]) -> Result<(Vec<Stream>, UsedGlyphs), TooMuch> {
    let mut layout =
        Layout { done: Vec::new(), page: Page::default(), y: PAGE_SIZE.1 - TOP, used: UsedGlyphs::default() };
    let mut rest = blocks;
    while let Some((block, after)) = rest.split_first() {
        rest = after;
        match block {
            Block::Text(paragraph) => layout.paragraph(paragraph)?,
            Block::Rule => layout.rule()?,
            Block::Barcode(code) => layout.barcode(code)?,
            Block::Row(_) => {
                // Rows that follow each other are a table.
                let more = after.iter().take_while(|block| matches!(block, Block::Row(_))).count();
                layout.table(&blocks[blocks.len() - after.len() - 1..][..=more])?;
                rest = &after[more..];
            }
        }
    }
    layout.finish_page();
    Ok((layout.done, layout.used))
}

struct Layout {
    done: Vec<Stream>,
    page: Page,
    /// The lower edge of what was drawn last.
    y: f32,
    used: UsedGlyphs,
}

impl Layout {
    /// Moves down by a height in points; if the page has no room for it, begins the next page.
    fn move_down(&mut self, height: f32) -> Result<(), TooMuch> {
        if self.y - height < BOTTOM {
            self.finish_page();
            if self.done.len() >= PAGES {
                return Err(TooMuch::Pages);
            }
            self.y = PAGE_SIZE.1 - TOP;
        }
        self.y -= height;
        Ok(())
    }

    fn finish_page(&mut self) {
        self.done.push(std::mem::take(&mut self.page).into_stream());
    }

    fn add_space(&mut self) {
        self.y -= PARAGRAPH_SPACE;
    }

    fn paragraph(&mut self, paragraph: &Paragraph) -> Result<(), TooMuch> {
        let left = LEFT + f32::from(paragraph.indent.min(MOST_INDENTS)) * INDENT_WIDTH;
        let lines = break_into_lines(paragraph, PAGE_SIZE.0 - RIGHT - left)?;
        if paragraph.spaced {
            self.add_space();
        }
        for (at, line) in lines.iter().enumerate() {
            self.move_down(paragraph.size * LEADING)?;
            if let Some(mark) = paragraph.mark.as_deref().filter(|_| at == 0) {
                let bytes = encode(mark);
                let x = left - 4.0 - text_width(&bytes, Face::default(), paragraph.size);
                let y = self.y + paragraph.size * (LEADING - 1.0);
                self.page.draw_text((x, y), paragraph.size, Face::default(), &bytes);
            }
            self.line(line, paragraph, left, PAGE_SIZE.0 - RIGHT - left);
        }
        if paragraph.spaced {
            self.add_space();
        }
        Ok(())
    }

    fn line(&mut self, line: &Line, paragraph: &Paragraph, left: f32, room: f32) {
        let size = paragraph.size;
        let shift = match paragraph.align {
            // A line that is read from the right begins at the right margin.
            Align::Left if line.base % 2 == 1 => room - line.width(size),
            Align::Left => 0.0,
            Align::Center => (room - line.width(size)) / 2.0,
            Align::Right => room - line.width(size),
        };
        let y = self.y + size * (LEADING - 1.0);
        for run in &line.runs {
            let at = (left + shift.max(0.0) + run.x(size), y);
            match &run.content {
                RunContent::Letters(bytes) => self.page.draw_text(at, size, run.face, bytes),
                RunContent::Glyphs(number, signs) => {
                    let turned = run.level % 2 == 1;
                    self.page.draw_glyphs(
                        at,
                        size,
                        run.face.italic,
                        self.used.glyphs(*number, signs, turned),
                    );
                }
            }
        }
    }

    fn rule(&mut self) -> Result<(), TooMuch> {
        self.move_down(BODY)?;
        self.page.fill_box((LEFT, self.y + BODY / 2.0), (WIDTH, 0.5));
        Ok(())
    }

    /// Draws a barcode as narrow as it must be to fit, with its text below for people.
    fn barcode(&mut self, code: &str) -> Result<(), TooMuch> {
        let bars = barcode_modules(code).unwrap_or_default();
        if !bars.is_empty() {
            self.move_down(BARCODE_HEIGHT + PARAGRAPH_SPACE)?;
            let thin = THINNEST.min(WIDTH / bars.len() as f32);
            let mut x = LEFT;
            for run in bars.chunk_by(|one, other| one == other) {
                let width = thin * run.len() as f32;
                if run.first() == Some(&true) {
                    self.page.fill_box((x, self.y), (width, BARCODE_HEIGHT));
                }
                x += width;
            }
        }
        let spans = vec![Span { text: code.to_owned(), face: Face::default() }];
        self.paragraph(&Paragraph { spans, size: 9.0, ..Paragraph::default() })
    }

    /// The lines of the cells, side by side.
    fn table(&mut self, rows: &[Block]) -> Result<(), TooMuch> {
        let columns = columns(rows)?;
        self.add_space();
        for row in rows {
            let Block::Row(cells) = row else { continue };
            let cells: Vec<Vec<(&Paragraph, Line)>> = cells
                .iter()
                .zip(&columns)
                .map(|(cell, (_, room))| lines_of_cell(cell, *room))
                .collect::<Result<_, _>>()?;
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let side_by_side: Vec<(usize, &(&Paragraph, Line))> = cells
                    .iter()
                    .enumerate()
                    .filter_map(|(column, cell)| Some((column, cell.get(at)?)))
                    .collect();
                let size = side_by_side.iter().map(|(_, (paragraph, _))| paragraph.size).fold(0.0, f32::max);
                self.move_down(size * LEADING)?;
                for (column, (paragraph, line)) in side_by_side {
                    let (x, room) = columns[column];
                    self.line(line, paragraph, LEFT + x, room);
                }
            }
        }
        self.add_space();
        Ok(())
    }
}

fn lines_of_cell(cell: &[Paragraph], room: f32) -> Result<Vec<(&Paragraph, Line)>, TooMuch> {
    let mut all = Vec::new();
    for paragraph in cell {
        all.extend(break_into_lines(paragraph, room)?.into_iter().map(|line| (paragraph, line)));
    }
    Ok(all)
}

/// Where the columns of a table begin and how wide they are.
fn columns(rows: &[Block]) -> Result<Vec<(f32, f32)>, TooMuch> {
    let mut wanted: Vec<f32> = Vec::new();
    for row in rows {
        let Block::Row(cells) = row else { continue };
        wanted.resize(wanted.len().max(cells.len()), 0.0);
        for (column, cell) in wanted.iter_mut().zip(cells) {
            for paragraph in cell {
                let widest =
                    break_into_lines(paragraph, f32::MAX)?.into_iter().map(|line| line.width(paragraph.size));
                *column = widest.fold(*column, f32::max);
            }
        }
    }
    let gutters = GUTTER * wanted.len().saturating_sub(1) as f32;
    let mut x = 0.0;
    let mut columns = Vec::with_capacity(wanted.len());
    for width in column_widths(&wanted, (WIDTH - gutters).max(1.0)) {
        // A hair more than the line, which was reckoned in another order.
        columns.push((x, width + 0.01));
        x += width + GUTTER;
    }
    Ok(columns)
}

/// The widths of columns: narrow ones get the width that they need, the others have the rest in equal parts.
fn column_widths(wanted: &[f32], room: f32) -> Vec<f32> {
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

#[cfg(test)]
mod tests {
    use super::column_widths;

    #[test]
    fn narrow_columns_keep_their_width_and_wide_ones_share_the_rest() {
        for (wanted, expected) in [
            (&[10.0, 20.0][..], &[10.0, 20.0][..]),
            (&[500.0, 10.0], &[90.0, 10.0]),
            (&[500.0, 20.0, 300.0], &[40.0, 20.0, 40.0]),
            (&[], &[]),
        ] {
            assert_eq!(column_widths(wanted, 100.0), expected, "{wanted:?}");
        }
    }
}
