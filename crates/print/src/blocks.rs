//! The blocks of a printed notice that stand below each other: paragraphs, table rows, rules, barcodes.

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Text(Paragraph),
    /// Cells side by side, each with its paragraphs.
    Row(Vec<Vec<Paragraph>>),
    Rule,
    Barcode(String),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Paragraph {
    pub(crate) spans: Vec<Span>,
    pub(crate) size: f32,
    pub(crate) align: Align,
    pub(crate) indent: u8,
    /// The bullet or number before the first line of a list item.
    pub(crate) mark: Option<String>,
    /// Whether there is room above and below.
    pub(crate) spaced: bool,
}

/// A line break is a line break in the text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) face: Face,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Face {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Align {
    #[default]
    Left,
    Center,
    Right,
}

/// The size of the text, in points.
pub(crate) const BODY: f32 = 11.0;

impl Default for Paragraph {
    fn default() -> Paragraph {
        Paragraph { spans: Vec::new(), size: BODY, align: Align::Left, indent: 0, mark: None, spaced: false }
    }
}

impl Block {
    pub(crate) fn paragraphs(&self) -> Vec<&Paragraph> {
        match self {
            Block::Text(paragraph) => vec![paragraph],
            Block::Row(cells) => cells.iter().flatten().collect(),
            Block::Rule | Block::Barcode(_) => Vec::new(),
        }
    }
}
