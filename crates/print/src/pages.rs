//! Pages as a PDF file.

use std::fmt::Write;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::layout::{Drawn, PAGE, Page};
use crate::typeface::{FACES, encoded, number};

pub(crate) fn file(title: &str, pages: &[Page]) -> Vec<u8> {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let mut fonts = Dictionary::new();
    for (at, face) in FACES.iter().enumerate() {
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => *face, "Encoding" => "WinAnsiEncoding",
        });
        fonts.set(format!("F{at}"), font);
    }
    let resources = document.add_object(dictionary! { "Font" => fonts });
    let kids = pages.iter().map(|page| {
        let content = document.add_object(Stream::new(Dictionary::new(), content(page)));
        document.add_object(dictionary! {
            "Type" => "Page",
            "Parent" => tree,
            "MediaBox" => vec![0.into(), 0.into(), Object::Real(PAGE.0), Object::Real(PAGE.1)],
            "Resources" => resources,
            "Contents" => content,
        })
    });
    let kids = kids.collect();
    close(document, tree, kids, title)
}

/// The catalogue and the tree of pages, and the file as bytes.
pub(crate) fn close(mut document: Document, tree: ObjectId, kids: Vec<ObjectId>, title: &str) -> Vec<u8> {
    let count = i64::try_from(kids.len()).unwrap_or(i64::MAX);
    let kids: Vec<Object> = kids.into_iter().map(Object::Reference).collect();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(tree, Object::Dictionary(pages));
    let catalogue = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let about = document.add_object(dictionary! {
        "Title" => Object::string_literal(encoded(title)), "Producer" => Object::string_literal("Octavo"),
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

/// What draws a page. Strings are in hexadecimal: no letter of theirs means anything to PDF.
fn content(page: &Page) -> Vec<u8> {
    let mut content = String::new();
    for drawn in &page.drawn {
        let _ = match drawn {
            Drawn::Box { x, y, width, height } => {
                writeln!(content, "{x:.2} {y:.2} {width:.2} {height:.2} re f")
            }
            Drawn::Text { x, y, size, face, bytes } => {
                let _ = write!(content, "BT /F{} {size} Tf {x:.2} {y:.2} Td <", number(*face));
                bytes.iter().for_each(|byte| {
                    let _ = write!(content, "{byte:02x}");
                });
                writeln!(content, "> Tj ET")
            }
        };
    }
    content.into_bytes()
}
