//! The smallest part of PNG (ISO/IEC 15948) that a barcode needs: one bit a pixel, not compressed.

/// A picture of equal rows; `true` is black.
pub(crate) fn black_and_white(row: &[bool], height: usize) -> Vec<u8> {
    let size = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes();
    let mut header = Vec::with_capacity(13);
    header.extend(size(row.len()));
    header.extend(size(height));
    // One bit, shades of grey, and the only methods that there are.
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
    let check = crc(&png[start..]);
    png.extend(check.to_be_bytes());
}

/// RFC 1950 and 1951 with stored blocks.
fn zlib(data: &[u8]) -> Vec<u8> {
    const MOST: usize = 0xffff;
    let mut out = vec![0x78, 0x01];
    let blocks = data.chunks(MOST).count();
    for (at, block) in data.chunks(MOST).enumerate() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(at + 1 == blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend(adler(data).to_be_bytes());
    out
}

fn adler(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    b << 16 | a
}

fn crc(data: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in data {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sums_are_the_standards() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn a_picture_has_its_size_and_its_rows() {
        let png = black_and_white(&[true, false, true, false, false, false, false, false, true], 2);
        assert_eq!(&png[16..24], [0, 0, 0, 9, 0, 0, 0, 2]);
        // Two rows of a filter byte and two bytes, in one stored block.
        assert_eq!(&png[41..54], [0x78, 1, 1, 6, 0, 0xf9, 0xff, 0, 0x5f, 0, 0, 0x5f, 0]);
    }
}
