//! Pages as a PDF file.

use std::fmt::Write;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::blocks::Face;
use crate::embed::{DrawnGlyphs, UsedGlyphs, compressed_stream};
use crate::limits::TITLE;
use crate::typeface::{FACES, encode, face_index, missing_characters};

pub(crate) const PAGE_SIZE: (f32, f32) = (595.28, 841.89);
/// How far letters lean to the right that have no italics of their own.
const SLANT: f32 = 0.21;

#[derive(Default)]
pub(crate) struct Page {
    content: String,
}

impl Page {
    /// Draws text in Helvetica. The bytes are written in hexadecimal, so that none has a meaning in the syntax of PDF.
    pub(crate) fn draw_text(&mut self, (x, y): (f32, f32), size: f32, face: Face, bytes: &[u8]) {
        let _ = write!(self.content, "BT /F{} {size} Tf {x:.2} {y:.2} Td <", face_index(face));
        for byte in bytes {
            let _ = write!(self.content, "{byte:02x}");
        }
        self.content.push_str("> Tj ET\n");
    }

    /// Glyphs of a font that the file carries, each at its place.
    pub(crate) fn draw_glyphs(&mut self, (x, y): (f32, f32), size: f32, italic: bool, drawn: DrawnGlyphs) {
        let slant = if italic { SLANT } else { 0.0 };
        let _ = writeln!(self.content, "BT /T{} {size} Tf", drawn.number);
        for (glyphs, (dx, dy)) in drawn.glyphs {
            let (x, y) = (x + dx as f32 * size / 1000.0, y + dy as f32 * size / 1000.0);
            let _ = writeln!(self.content, "1 0 {slant} 1 {x:.2} {y:.2} Tm [{glyphs}] TJ");
        }
        self.content.push_str("ET\n");
    }

    /// Fills a box.
    pub(crate) fn fill_box(&mut self, (x, y): (f32, f32), (width, height): (f32, f32)) {
        let _ = writeln!(self.content, "{x:.2} {y:.2} {width:.2} {height:.2} re f");
    }

    /// Compressed, so that a thousand of them are few bytes.
    pub(crate) fn into_stream(self) -> Stream {
        compressed_stream(self.content.into_bytes())
    }
}

pub(crate) fn pdf_file(title: &str, pages: Vec<Stream>, used: UsedGlyphs) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let mut fonts = Dictionary::new();
    for (at, face) in FACES.iter().enumerate() {
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => *face, "Encoding" => "WinAnsiEncoding",
        });
        fonts.set(format!("F{at}"), font);
    }
    for (at, font) in used.embed_fonts(&mut document) {
        fonts.set(format!("T{at}"), font);
    }
    let resources = document.add_object(dictionary! { "Font" => fonts });
    let kids = pages.into_iter().map(|page| {
        let content = document.add_object(page);
        document.add_object(dictionary! {
            "Type" => "Page",
            "Parent" => tree,
            "MediaBox" => vec![0.into(), 0.into(), Object::Real(PAGE_SIZE.0), Object::Real(PAGE_SIZE.1)],
            "Resources" => resources,
            "Contents" => content,
        })
    });
    let kids = kids.collect();
    finish_file(document, tree, kids, title)
}

/// The catalogue and the tree of pages, and the file as bytes.
pub(crate) fn finish_file(
    mut document: Document,
    tree: ObjectId,
    kids: Vec<ObjectId>,
    title: &str,
) -> Vec<u8> {
    let count = i64::try_from(kids.len()).unwrap_or(i64::MAX);
    let kids: Vec<Object> = kids.into_iter().map(Object::Reference).collect();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(tree, Object::Dictionary(pages));
    let catalogue = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let title: String = title.chars().take(TITLE).collect();
    let about = document.add_object(dictionary! {
        "Title" => Object::string_literal(text_string(&title)), "Producer" => Object::string_literal("Octavo"),
    });
    document.trailer.set("Root", catalogue);
    document.trailer.set("Info", about);
    document.compress();
    let mut bytes = Vec::new();
    // A vector takes all that is written.
    let written = document.save_to(&mut bytes);
    debug_assert!(written.is_ok());
    bytes
}

/// A text in the form that PDF has for texts about a file (ISO 32000-1, 7.9.2.2).
fn text_string(text: &str) -> Vec<u8> {
    if missing_characters(text.chars()).is_empty() {
        return encode(text);
    }
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect()
}
