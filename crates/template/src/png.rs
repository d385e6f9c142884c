//! The smallest part of PNG (ISO/IEC 15948) that a barcode needs: one bit a pixel, not compressed.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// A picture of equal rows; `true` is black.
pub(crate) fn black_and_white(row: &[bool], height: usize) -> Vec<u8> {
    let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    let mut header = Vec::with_capacity(13);
    header.extend(size(row.len()));
    header.extend(size(height));
    // One bit for each pixel, shades of grey, and the only methods of compression, filter and interlacing that PNG has.
    header.extend([1, 0, 0, 0, 0]);

    let mut line = vec![0];
    for eight in row.chunks(8) {
        let bit = |(at, black): (usize, &bool)| u8::from(!black) << (7 - at);
        line.push(eight.iter().enumerate().map(bit).sum());
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, *b"IHDR", &header);
    chunk(&mut png, *b"IDAT", &zlib(&line.repeat(height)));
    chunk(&mut png, *b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(data);
    let mut check = Crc::new();
    check.update(&png[start..]);
    png.extend(check.sum().to_be_bytes());
}

/// The data as zlib writes it, in stored blocks.
fn zlib(data: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::none());
    // A list of bytes takes whatever is written into it.
    let _ = out.write_all(data);
    out.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_its_size_and_its_rows() {
        let png = black_and_white(&[true, false, true, false, false, false, false, false, true], 2);
        assert_eq!(&png[16..24], [0, 0, 0, 9, 0, 0, 0, 2]);
        // Two rows of a filter byte and two bytes, in one stored block.
        assert_eq!(&png[41..54], [0x78, 1, 1, 6, 0, 0xf9, 0xff, 0, 0x5f, 0, 0, 0x5f, 0]);
    }
}
