//! Fonts inside of a file: of each only the glyphs that its pages draw (`subsetter`), with how wide they are and which letters they
//! write (ISO 32000-1, 9.7 and 9.10).

use std::collections::BTreeMap;
use std::fmt::Write;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use subsetter::GlyphRemapper;

use crate::fonts::{self, Font, FontIndex, GlyphCluster};

/// The glyphs of the fonts that the pages of a file draw.
#[derive(Default)]
pub(crate) struct UsedGlyphs(BTreeMap<FontIndex, Glyphs>);

#[derive(Default)]
struct Glyphs {
    remapper: GlyphRemapper,
    /// Glyphs by their number in the embedded font: how wide they are, and the text that they stand for.
    widths_and_texts: BTreeMap<u16, (i32, String)>,
}

/// Glyphs of one font: as PDF's array of them, with where each array begins, in thousandths of the size.
pub(crate) struct DrawnGlyphs {
    pub(crate) number: FontIndex,
    pub(crate) glyphs: Vec<(String, (i32, i32))>,
}

impl UsedGlyphs {
    /// `turned`: the signs are read from the right.
    pub(crate) fn glyphs(&mut self, number: FontIndex, signs: &[GlyphCluster], turned: bool) -> DrawnGlyphs {
        let font = fonts::font(number);
        let used = self.0.entry(number).or_default();
        let mut drawn = Vec::new();
        let (mut array, mut begins, mut x) = (String::new(), (0, 0), 0);
        let mut draw = |sign: &GlyphCluster| {
            for (at, glyph) in sign.glyphs.iter().enumerate() {
                let place = used.remapper.remap(glyph.id);
                let width = font.width(glyph.id);
                let text = if at == 0 { sign.text.clone() } else { String::new() };
                used.widths_and_texts.entry(place).or_insert((width, text));
                let (dx, dy) = glyph.offset;
                if glyph.offset != (0, 0) {
                    if !array.is_empty() {
                        drawn.push((std::mem::take(&mut array), begins));
                    }
                    drawn.push((format!("<{place:04x}>"), (x + dx, dy)));
                    begins = (x + glyph.advance, 0);
                } else {
                    let _ = write!(array, "<{place:04x}>");
                    if glyph.advance != width {
                        let _ = write!(array, "{}", width - glyph.advance);
                    }
                }
                x += glyph.advance;
            }
        };
        if turned {
            signs.iter().rev().for_each(&mut draw);
        } else {
            signs.iter().for_each(&mut draw);
        }
        if !array.is_empty() {
            drawn.push((array, begins));
        }
        DrawnGlyphs { number, glyphs: drawn }
    }

    /// The fonts as parts of a file.
    pub(crate) fn embed_fonts(self, document: &mut Document) -> Vec<(FontIndex, ObjectId)> {
        let fonts = self.0.into_iter();
        fonts
            .map(|(number, glyphs)| (number, embed_font(document, fonts::font(number), number, &glyphs)))
            .collect()
    }
}

fn embed_font(document: &mut Document, font: &Font, number: FontIndex, glyphs: &Glyphs) -> ObjectId {
    // Fonts of which no part could be taken are not among ours.
    let part = subsetter::subset(font.data, 0, &glyphs.remapper).unwrap_or_default();
    let file = document.add_object(compressed_stream(part));
    let known = ["DejaVuSans", "DejaVuSans-Bold", "DroidSansFallback"];
    let name = format!("{}+{}", subset_tag(&glyphs.remapper), known.get(number).unwrap_or(&"Other"));
    let (face, name) = (&font.face, name.as_str());
    let bounds = face.global_bounding_box();
    let bounds = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max];
    let descriptor = document.add_object(dictionary! {
        "Type" => "FontDescriptor",
        "FontName" => name,
        "Flags" => 4,
        "FontBBox" => bounds.map(|units| Object::from(font.thousandths(units.into()))).to_vec(),
        "ItalicAngle" => 0,
        "Ascent" => font.thousandths(face.ascender().into()),
        "Descent" => font.thousandths(face.descender().into()),
        "CapHeight" => font.thousandths(face.capital_height().unwrap_or_default().into()),
        "StemV" => 80,
        "FontFile2" => file,
    });
    let widths = glyphs.widths_and_texts.iter().flat_map(|(place, (width, _))| {
        [Object::from(i64::from(*place)), Object::Array(vec![Object::from(*width)])]
    });
    let descendant = dictionary! {
        "Type" => "Font",
        "Subtype" => "CIDFontType2",
        "BaseFont" => name,
        "CIDSystemInfo" => dictionary! {
            "Registry" => Object::string_literal("Adobe"),
            "Ordering" => Object::string_literal("Identity"),
            "Supplement" => 0,
        },
        "FontDescriptor" => descriptor,
        "W" => widths.collect::<Vec<Object>>(),
        "CIDToGIDMap" => "Identity",
    };
    let descendant = document.add_object(descendant);
    let letters = document.add_object(compressed_stream(to_unicode_map(glyphs).into_bytes()));
    document.add_object(dictionary! {
        "Type" => "Font",
        "Subtype" => "Type0",
        "BaseFont" => name,
        "Encoding" => "Identity-H",
        "DescendantFonts" => vec![descendant.into()],
        "ToUnicode" => letters,
    })
}

/// The six letters by which PDF names a subset of a font, so that a printer does not take one subset for another.
fn subset_tag(places: &GlyphRemapper) -> String {
    let hash =
        places.remapped_gids().fold(7_u64, |hash, glyph| hash.wrapping_mul(31).wrapping_add(glyph.into()));
    (0..6).map(|place| char::from(b'A' + (hash / 26_u64.pow(place) % 26) as u8)).collect()
}

/// A compressed part of a file.
pub(crate) fn compressed_stream(bytes: Vec<u8>) -> Stream {
    let mut stream = Stream::new(Dictionary::new(), bytes);
    // If compression fails, the stream stays as it is.
    let _ = stream.compress();
    stream
}

/// PDF's ToUnicode map, from glyphs to text, for programs that copy the text or search in it.
fn to_unicode_map(glyphs: &Glyphs) -> String {
    let mut map = String::from(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
         /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
         /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
         1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n",
    );
    let known: Vec<(&u16, &String)> = glyphs
        .widths_and_texts
        .iter()
        .map(|(place, (_, text))| (place, text))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    // PDF allows at most 100 entries in one section.
    for some in known.chunks(100) {
        let _ = writeln!(map, "{} beginbfchar", some.len());
        for (place, text) in some {
            let text: String = text.encode_utf16().take(32).map(|unit| format!("{unit:04x}")).collect();
            let _ = writeln!(map, "<{place:04x}> <{text}>");
        }
        map.push_str("endbfchar\n");
    }
    map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
}
