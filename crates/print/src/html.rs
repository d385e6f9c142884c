//! HTML as editors of templates write it, read as blocks. No document is wrong: what is not understood is passed over, its text
//! stays.

use crate::blocks::{Align, BODY, Block, Face, Paragraph, Span};
use crate::entities;
use crate::limits::{self, TooMuch};
use crate::tags::{Tag, tag};

/// The block of a plain text, which keeps its line breaks.
pub(crate) fn plain_text_blocks(text: &str) -> Vec<Block> {
    let spans = vec![Span { text: text.replace("\r\n", "\n"), face: Face::default() }];
    vec![Block::Text(Paragraph { spans, ..Paragraph::default() })]
}

pub(crate) fn blocks(html: &str) -> Result<Vec<Block>, TooMuch> {
    let mut reader = Reader::default();
    let mut rest = html;
    while let Some(letter) = rest.chars().next() {
        if let Some(too_much) = reader.limit_exceeded() {
            return Err(too_much);
        }
        if letter == '<'
            && let Some((tag, after)) = tag(rest)
        {
            rest = reader.tag(&tag, after);
            continue;
        }
        let end = rest[letter.len_utf8()..].find('<').map_or(rest.len(), |at| at + letter.len_utf8());
        reader.text(&decode_entities(&rest[..end]));
        rest = &rest[end..];
    }
    Ok(reader.finish())
}

#[derive(Default)]
struct Reader {
    done: Vec<Block>,
    open: Paragraph,
    bold: u32,
    italic: u32,
    aligned: Vec<Align>,
    lists: Vec<List>,
    /// The cells of the table row that is open.
    row: Option<Vec<Vec<Paragraph>>>,
    /// How many cells the longest row of the table has.
    columns: usize,
    /// Paragraphs, cells, and stretches of text in one face, so far.
    pieces: usize,
    /// Inside of `<pre>`, blanks stay.
    preformatted: bool,
}

struct List {
    numbered: bool,
    items: u32,
}

/// Elements of which nothing is shown, their text included.
const SKIPPED_ELEMENTS: [&str; 4] = ["script", "style", "head", "title"];
const HEADING_SIZES: [(&str, f32); 6] =
    [("h1", 18.0), ("h2", 15.0), ("h3", 13.0), ("h4", 12.0), ("h5", 11.0), ("h6", 10.0)];
const BLOCK_ELEMENTS: [&str; 12] = [
    "p",
    "div",
    "blockquote",
    "pre",
    "address",
    "section",
    "article",
    "header",
    "footer",
    "center",
    "dd",
    "dt",
];

impl Reader {
    fn limit_exceeded(&self) -> Option<TooMuch> {
        if self.columns > limits::COLUMNS {
            Some(TooMuch::Columns)
        } else {
            (self.pieces + self.done.len() > limits::PIECES).then_some(TooMuch::Pieces)
        }
    }

    /// Returns where reading goes on.
    fn tag<'t>(&mut self, tag: &Tag<'_>, after: &'t str) -> &'t str {
        let name = tag.name.as_str();
        if SKIPPED_ELEMENTS.contains(&name) && !tag.closing {
            return skip_to_end_tag(name, after);
        }
        match name {
            "b" | "strong" | "th" | "i" | "em" | "cite" => self.emphasis(tag),
            "br" => self.push("\n"),
            "hr" => {
                self.close_paragraph();
                self.done.push(Block::Rule);
            }
            "img" => self.picture(tag),
            "ul" | "ol" => self.list(tag),
            "li" => self.item(tag),
            "table" => self.close_paragraph(),
            "tr" => self.row(tag.closing),
            _ => {}
        }
        if name == "td" || name == "th" {
            self.cell(tag);
        } else if let Some((_, size)) = HEADING_SIZES.iter().find(|(title, _)| *title == name) {
            self.begin_block(tag);
            self.bold = if tag.closing { self.bold.saturating_sub(1) } else { self.bold + 1 };
            self.open.size = if tag.closing { BODY } else { *size };
            self.open.spaced = !tag.closing;
        } else if BLOCK_ELEMENTS.contains(&name) {
            self.begin_block(tag);
            self.open.spaced = name == "p" && !tag.closing;
            self.preformatted = name == "pre" && !tag.closing;
            if name == "blockquote" && !tag.closing {
                self.open.indent = self.open.indent.saturating_add(1);
            }
        }
        after
    }

    /// A block begins or ends: what was before is a paragraph.
    fn begin_block(&mut self, tag: &Tag<'_>) {
        self.close_paragraph();
        if tag.closing {
            self.aligned.pop();
        } else {
            let align = if tag.name == "center" { Some(Align::Center) } else { tag.align() };
            let outer = self.aligned.last().copied().unwrap_or_default();
            self.aligned.push(align.unwrap_or(outer));
        }
        self.open.align = self.aligned.last().copied().unwrap_or_default();
        self.open.indent = u8::try_from(self.lists.len()).unwrap_or(u8::MAX).saturating_add(tag.indent());
    }

    fn emphasis(&mut self, tag: &Tag<'_>) {
        let depth = match tag.name.as_str() {
            "i" | "em" | "cite" => &mut self.italic,
            _ => &mut self.bold,
        };
        *depth = if tag.closing { depth.saturating_sub(1) } else { *depth + 1 };
    }

    fn list(&mut self, tag: &Tag<'_>) {
        self.close_paragraph();
        if tag.closing {
            self.lists.pop();
        } else {
            self.lists.push(List { numbered: tag.name == "ol", items: 0 });
        }
        self.open.indent = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
    }

    fn item(&mut self, tag: &Tag<'_>) {
        self.close_paragraph();
        self.open.indent =
            u8::try_from(self.lists.len().max(1)).unwrap_or(u8::MAX).saturating_add(tag.indent());
        if tag.closing {
            return;
        }
        self.open.mark = Some(match self.lists.last_mut() {
            Some(list) if list.numbered => {
                list.items += 1;
                format!("{}.", list.items)
            }
            _ => "•".to_owned(),
        });
    }

    fn row(&mut self, closing: bool) {
        self.close_paragraph();
        if let Some(cells) = self.row.take().filter(|cells| !cells.is_empty()) {
            self.done.push(Block::Row(cells));
        }
        if !closing {
            self.row = Some(Vec::new());
        }
    }

    fn cell(&mut self, tag: &Tag<'_>) {
        self.close_paragraph();
        if !tag.closing {
            let row = self.row.get_or_insert_default();
            row.push(Vec::new());
            self.columns = self.columns.max(row.len());
            self.pieces += 1;
            self.open.align = tag.align().unwrap_or_default();
        }
    }

    fn picture(&mut self, tag: &Tag<'_>) {
        let source = tag.attribute("src").unwrap_or_default();
        if let Some(code) = source.strip_prefix("cid:barcode_") {
            self.close_paragraph();
            self.done.push(Block::Barcode(decode_entities(code)));
        } else if let Some(told) = tag.attribute("alt").filter(|told| !told.is_empty()) {
            self.text(&decode_entities(told));
        }
    }

    fn text(&mut self, text: &str) {
        if self.preformatted {
            return self.push(text);
        }
        let mut squeezed = String::with_capacity(text.len());
        let ends_blank = |text: &str| text.is_empty() || text.ends_with([' ', '\n']);
        let before = self.open.spans.last().map_or("", |span| span.text.as_str());
        let mut blank = ends_blank(before);
        for letter in text.chars() {
            // A blank that is not to break a line is a letter.
            let is_blank = letter.is_ascii_whitespace();
            if !is_blank {
                squeezed.push(letter);
            } else if !blank {
                squeezed.push(' ');
            }
            blank = is_blank;
        }
        self.push(&squeezed);
    }

    fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let face = Face { bold: self.bold > 0, italic: self.italic > 0 };
        match self.open.spans.last_mut().filter(|span| span.face == face) {
            Some(span) => span.text.push_str(text),
            None => {
                self.pieces += 1;
                self.open.spans.push(Span { text: text.to_owned(), face });
            }
        }
    }

    /// The paragraph is at its end; the next one is like it, but has no mark.
    fn close_paragraph(&mut self) {
        let next = Paragraph { align: self.open.align, indent: self.open.indent, ..Paragraph::default() };
        let mut paragraph = std::mem::replace(&mut self.open, next);
        let is_one = paragraph.spans.len() == 1;
        // A break before a paragraph's end breaks nothing.
        if let Some(last) = paragraph.spans.last_mut()
            && let Some(text) = last.text.trim_end_matches(' ').strip_suffix('\n')
        {
            last.text = if text.is_empty() && is_one { " ".to_owned() } else { text.to_owned() };
        } else if paragraph.spans.iter().all(|span| span.text.trim_matches(' ').is_empty()) {
            // A mark waits for its text: `<li><p>`.
            self.open.mark = paragraph.mark;
            return;
        }
        match self.row.as_mut().and_then(|row| row.last_mut()) {
            Some(cell) => cell.push(paragraph),
            None => self.done.push(Block::Text(paragraph)),
        }
    }

    fn finish(mut self) -> Vec<Block> {
        self.row(true);
        self.done
    }
}

/// The rest of the text, from the closing tag of this name on.
fn skip_to_end_tag<'t>(name: &str, text: &'t str) -> &'t str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at..];
        if rest
            .as_bytes()
            .get(2..2 + name.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        {
            return rest;
        }
        rest = &rest[2..];
    }
    ""
}

/// Replaces the entities of HTML by the characters that they stand for.
fn decode_entities(text: &str) -> String {
    /// The most characters of an entity's name, with its semicolon.
    const LONGEST_NAME: usize = 12;
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.bytes().take(LONGEST_NAME).position(|letter| letter == b';');
        match end.and_then(|end| Some((end, entities::letter(&rest[..end])?))) {
            Some((end, letter)) => {
                decoded.push(letter);
                rest = &rest[end + 1..];
            }
            None => decoded.push('&'),
        }
    }
    decoded.push_str(rest);
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks in one line each.
    fn describe_blocks(html: &str) -> Vec<String> {
        let paragraph = |paragraph: &Paragraph| {
            let spans = paragraph.spans.iter().map(|span| match (span.face.bold, span.face.italic) {
                (false, false) => span.text.clone(),
                (true, false) => format!("*{}*", span.text),
                (false, true) => format!("/{}/", span.text),
                (true, true) => format!("*/{}/*", span.text),
            });
            let mark = paragraph.mark.as_ref().map(|mark| format!("{mark} ")).unwrap_or_default();
            format!("{}{mark}{}", ">".repeat(paragraph.indent.into()), spans.collect::<String>())
        };
        let block = |block: &Block| match block {
            Block::Text(text) => paragraph(text),
            Block::Row(cells) => {
                let cells =
                    cells.iter().map(|cell| cell.iter().map(paragraph).collect::<Vec<_>>().join("; "));
                cells.collect::<Vec<_>>().join(" | ")
            }
            Block::Rule => "---".to_owned(),
            Block::Barcode(code) => format!("|||{code}"),
        };
        blocks(html).unwrap().iter().map(block).collect()
    }

    #[test]
    fn html_is_read_as_what_stands_below_each_other() {
        for (html, expected) in [
            ("", &[][..]),
            ("Dear <b>Ann</b>,\n  hello", &["Dear *Ann*, hello"][..]),
            ("<p>One</p><p>two<br>three</p>", &["One", "two\nthree"][..]),
            ("<div>One</div><div><br></div><div>two</div>", &["One", " ", "two"][..]),
            (
                "<ul><li>a</li><li>b</li></ul><ol><li>c<li>d</ol>e",
                &[">• a", ">• b", ">1. c", ">2. d", "e"][..],
            ),
            (
                "<table><tr><th>Title</th><th>Due</th></tr><tr><td>A</td><td>B<br/>C</td></tr></table>",
                &["*Title* | *Due*", "A | B\nC"][..],
            ),
            ("<h1>Big</h1>a<hr>b", &["*Big*", "a", "---", "b"][..]),
            ("5 < 6 &amp; 7 &gt; 6 &unknown; &", &["5 < 6 & 7 > 6 &unknown; &"][..]),
            ("<style>p {}</style><!-- no -->x<script>1 < 2</script>y", &["xy"][..]),
            ("<em>a<strong>b</strong></em>", &["/a/*/b/*"][..]),
            ("Code:<img src='cid:barcode_12&amp;3' alt='barcode_12'>", &["Code:", "|||12&3"][..]),
            ("<img src=\"logo.png\" alt=\"The library\"> says", &["The library says"][..]),
            ("<a title='a > b' href=x>link</a>", &["link"][..]),
            ("<", &["<"][..]),
            ("<p", &[][..]),
        ] {
            assert_eq!(describe_blocks(html), expected, "{html}");
        }
    }

    #[test]
    fn what_is_nested_deeper_than_is_counted_is_shown() {
        let html = "<ul>".repeat(300) + "<blockquote>x";
        assert_eq!(describe_blocks(&html), [">".repeat(255) + "x"]);
    }

    #[test]
    fn alignment_is_taken_from_attributes_classes_and_styles() {
        for (html, expected) in [
            ("<p class=\"ql-align-center\">x</p>", Align::Center),
            ("<div align=right>x</div>", Align::Right),
            ("<p style=\"color: red; text-align: center\">x</p>", Align::Center),
            ("<center>x</center>", Align::Center),
            ("<p>x</p>", Align::Left),
        ] {
            let read = blocks(html).unwrap();
            let Some(Block::Text(paragraph)) = read.first() else { panic!("{html}") };
            assert_eq!(paragraph.align, expected, "{html}");
        }
    }
}
