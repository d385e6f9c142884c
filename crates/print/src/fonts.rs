//! Type for what Helvetica lacks: DejaVu Sans, which the program carries, and for Chinese, Japanese and Korean Droid Sans Fallback
//! if the system has it. HarfBuzz's rules (`rustybuzz`) set it: ligatures, accents, Arabic's joined letters.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rustybuzz::{Direction, Face, Script, ShapePlan, UnicodeBuffer, shape_with_plan, ttf_parser::GlyphId};

/// Where Debian's package fonts-droid-fallback puts its font, and where other systems do.
const SYSTEM_FONT_PATHS: [&str; 2] = [
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/google-droid-sans-fonts/DroidSansFallbackFull.ttf",
];

pub(crate) struct Font {
    pub(crate) data: &'static [u8],
    pub(crate) face: Face<'static>,
    plans: Mutex<HashMap<(Script, bool), Arc<ShapePlan>>>,
}

/// The index of a font in [`FONTS`]: DejaVu Sans regular, bold, and the system's fallback font.
pub(crate) type FontIndex = usize;

static FONTS: LazyLock<Vec<Font>> = LazyLock::new(|| {
    let own = [dejavu::sans::regular(), dejavu::sans::bold()].into_iter().filter_map(Font::read);
    own.chain(SYSTEM_FONT_PATHS.iter().find_map(|path| Font::read(std::fs::read(path).ok()?.leak())))
        .collect()
});

pub(crate) fn font(number: FontIndex) -> &'static Font {
    &FONTS[number]
}

/// The font that has all of these letters.
pub(crate) fn find_font(letters: &str, bold: bool) -> Option<FontIndex> {
    let order = if bold { [1, 0, 2] } else { [0, 1, 2] };
    order.into_iter().find(|number| {
        let font = FONTS.get(*number);
        font.is_some_and(|font| letters.chars().all(|letter| font.face.glyph_index(letter).is_some()))
    })
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Glyph {
    pub(crate) id: u16,
    /// In thousandths of the font size: how far away the next glyph is, and how far this one is drawn from its place.
    pub(crate) advance: i32,
    pub(crate) offset: (i32, i32),
}

/// Glyphs that are drawn in one piece: a letter with its accents, or a ligature.
#[derive(Debug, Clone)]
pub(crate) struct GlyphCluster {
    pub(crate) text: String,
    pub(crate) glyphs: Vec<Glyph>,
    pub(crate) width: u64,
}

impl Font {
    /// `None` if the data are no font of which a part can be embedded in a PDF file.
    fn read(data: &'static [u8]) -> Option<Font> {
        let face = Face::from_slice(data, 0)?;
        subsetter::subset(data, 0, &subsetter::GlyphRemapper::new()).ok()?;
        Some(Font { data, face, plans: Mutex::default() })
    }

    pub(crate) fn thousandths(&self, units: i32) -> i32 {
        (i64::from(units) * 1000 / i64::from(self.face.units_per_em().max(1))) as i32
    }

    pub(crate) fn width(&self, glyph: u16) -> i32 {
        self.thousandths(self.face.glyph_hor_advance(GlyphId(glyph)).unwrap_or_default().into())
    }

    /// The signs of a text of one direction, in the order in which they are read.
    pub(crate) fn shape(&self, text: &str, right_to_left: bool) -> Vec<GlyphCluster> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        buffer.set_direction(if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
        let shaped = shape_with_plan(&self.face, &self.shape_plan(buffer.script(), right_to_left), buffer);
        let (infos, places) = (shaped.glyph_infos(), shaped.glyph_positions());
        let mut groups: Vec<Range<usize>> = Vec::new();
        for (at, info) in infos.iter().enumerate() {
            match groups.last_mut().filter(|group| infos[group.start].cluster == info.cluster) {
                Some(group) => group.end = at + 1,
                None => groups.push(at..at + 1),
            }
        }
        if right_to_left {
            groups.reverse();
        }
        let ends = groups.iter().skip(1).map(|group| infos[group.start].cluster as usize).chain([text.len()]);
        let signs = groups.iter().zip(ends).map(|(group, end)| {
            let glyphs: Vec<Glyph> =
                group.clone().map(|at| self.glyph(infos[at].glyph_id, &places[at])).collect();
            GlyphCluster {
                text: text.get(infos[group.start].cluster as usize..end).unwrap_or_default().to_owned(),
                width: glyphs.iter().map(|glyph| u64::try_from(glyph.advance).unwrap_or(0)).sum(),
                glyphs,
            }
        });
        signs.collect()
    }

    fn glyph(&self, id: u32, place: &rustybuzz::GlyphPosition) -> Glyph {
        Glyph {
            id: u16::try_from(id).unwrap_or(0),
            advance: self.thousandths(place.x_advance).max(0),
            offset: (self.thousandths(place.x_offset), self.thousandths(place.y_offset)),
        }
    }

    /// The font's rules for a script; kept, because finding them takes longer than applying them.
    fn shape_plan(&self, script: Script, right_to_left: bool) -> Arc<ShapePlan> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        let plan = plans.entry((script, right_to_left)).or_insert_with(|| {
            let direction = if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight };
            Arc::new(ShapePlan::new(&self.face, direction, Some(script), None, &[]))
        });
        Arc::clone(plan)
    }
}
