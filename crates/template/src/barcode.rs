//! Barcodes as pictures: Code 128 (ISO/IEC 15417), the symbology of FOLIO's slips, without a quiet zone.

use crate::limits;
use crate::png::black_and_white;

/// Pixels of the narrowest bar, and of the height.
const MODULE_WIDTH: usize = 3;
const HEIGHT: usize = 96;

/// A PNG of the text's barcode; `None` where Code 128 cannot write it: it has ASCII only.
pub fn barcode_png(text: &str) -> Option<Vec<u8>> {
    let modules = barcode_modules(text)?;
    let row: Vec<bool> = modules.iter().flat_map(|black| std::iter::repeat_n(*black, MODULE_WIDTH)).collect();
    Some(black_and_white(&row, HEIGHT))
}

/// A barcode's modules, black where true, from left to right; `None` where Code 128 cannot write the text, or where it is longer
/// than any scanner reads.
pub fn barcode_modules(text: &str) -> Option<Vec<bool>> {
    let codes = codes(text)?;
    let mut modules = Vec::with_capacity(codes.len() * 11 + 2);
    for code in codes {
        let widths = *WIDTHS.get(code)?;
        for (at, width) in widths.bytes().enumerate() {
            modules.extend(std::iter::repeat_n(at % 2 == 0, usize::from(width - b'0')));
        }
    }
    Some(modules)
}

const START_B: usize = 104;
const START_C: usize = 105;
const SWITCH_TO_B: usize = 100;
const STOP: usize = 106;

/// Start, data, check and stop: two digits in one code where all are digits, else one character in each.
fn codes(text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    if bytes.is_empty()
        || bytes.len() > limits::LONGEST_BARCODE
        || !bytes.iter().all(|byte| (32..127).contains(byte))
    {
        return None;
    }
    let mut codes = Vec::with_capacity(bytes.len() + 3);
    if bytes.len() >= 4 && bytes.iter().all(u8::is_ascii_digit) {
        codes.push(START_C);
        let pairs = bytes.chunks_exact(2);
        let last = pairs.remainder();
        codes.extend(pairs.map(|pair| usize::from(pair[0] - b'0') * 10 + usize::from(pair[1] - b'0')));
        if let [last] = last {
            codes.extend([SWITCH_TO_B, usize::from(last - 32)]);
        }
    } else {
        codes.push(START_B);
        codes.extend(bytes.iter().map(|byte| usize::from(byte - 32)));
    }
    let check = codes.iter().enumerate().map(|(at, code)| at.max(1) * code).sum::<usize>() % 103;
    codes.extend([check, STOP]);
    Some(codes)
}

/// Widths of bars and spaces by code, beginning with a bar.
#[rustfmt::skip]
static WIDTHS: [&str; 107] = [
    "212222", "222122", "222221", "121223", "121322", "131222", "122213", "122312", "132212", "221213", "221312",
    "231212", "112232", "122132", "122231", "113222", "123122", "123221", "223211", "221132", "221231", "213212",
    "223112", "312131", "311222", "321122", "321221", "312212", "322112", "322211", "212123", "212321", "232121",
    "111323", "131123", "131321", "112313", "132113", "132311", "211313", "231113", "231311", "112133", "112331",
    "132131", "113123", "113321", "133121", "313121", "211331", "231131", "213113", "213311", "213131", "311123",
    "311321", "331121", "312113", "312311", "332111", "314111", "221411", "431111", "111224", "111422", "121124",
    "121421", "141122", "141221", "112214", "112412", "122114", "122411", "142112", "142211", "241211", "221114",
    "413111", "241112", "134111", "111242", "121142", "121241", "114212", "124112", "124211", "411212", "421112",
    "421211", "212141", "214121", "412121", "111143", "111341", "131141", "114113", "114311", "411113", "411311",
    "113141", "114131", "311141", "411131", "211412", "211214", "211232", "2331112",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_begin_end_and_check_as_the_standard_says() {
        // The example of the standard's check character: "PJJ123C" gives 54 with start A, 55 with start B.
        assert_eq!(codes("PJJ123C"), Some(vec![START_B, 48, 42, 42, 17, 18, 19, 35, 55, STOP]));
        assert_eq!(codes("123456"), Some(vec![START_C, 12, 34, 56, 44, STOP]));
        assert_eq!(
            codes("12345").map(|codes| codes[..5].to_vec()),
            Some(vec![START_C, 12, 34, SWITCH_TO_B, 21])
        );
        assert_eq!(codes(""), None);
        assert_eq!(codes("naïve"), None);
        assert!(codes(&"7".repeat(80)).is_some());
        assert_eq!(codes(&"7".repeat(81)), None);
    }

    #[test]
    fn every_code_is_eleven_modules_wide_and_the_stop_thirteen() {
        for (code, widths) in WIDTHS.iter().enumerate() {
            let sum: u32 = widths.bytes().map(|width| u32::from(width - b'0')).sum();
            assert_eq!(sum, if code == STOP { 13 } else { 11 }, "{code}");
        }
        assert_eq!(barcode_modules("123456").unwrap().len(), 5 * 11 + 13);
    }
}
