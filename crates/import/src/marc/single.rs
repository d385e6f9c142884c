//! Fields that a record has only once.

use octavo_marc::Field;

/// Control fields of which a record has one at most.
const SINGLE_CONTROL: [&str; 7] = ["001", "002", "003", "004", "005", "008", "009"];
/// Data fields of which a record has one at most, besides 1XX and 999 ff.
const SINGLE_DATA: [&str; 36] = [
    "010", "018", "036", "038", "040", "042", "044", "045", "066", "073", "240", "243", "245", "254", "256",
    "263", "306", "357", "378", "384", "507", "514", "663", "664", "665", "666", "675", "682", "788", "841",
    "842", "844", "882", "100", "110", "111",
];

pub(super) fn is_single(field: &Field) -> bool {
    let tag = field.tag();
    match field {
        Field::Control { .. } => SINGLE_CONTROL.contains(&tag),
        Field::Data { indicators, .. } if tag == "999" => *indicators == ['f', 'f'],
        Field::Data { .. } => tag.starts_with('1') || SINGLE_DATA.contains(&tag),
    }
}
