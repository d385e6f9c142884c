//! ISO 2709: every record ends with the byte 1D. The length in its leader is not trusted; many are wrong.

use std::io::{self, BufRead};

use super::{Frame, RunEnd, Source, too_long};

pub(super) fn next<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Frame>> {
    // Some programs write line ends, or fill up blocks, between records.
    source.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0 || byte == 0x1A)?;
    if source.peek()?.is_none() {
        return Ok(None);
    }
    let start = source.offset;
    let mut raw = Vec::new();
    let fault = match source.take_until(&mut raw, |byte| byte == 0x1D)? {
        RunEnd::Found => None,
        RunEnd::TooLong => Some(too_long()),
        RunEnd::FileEnd => Some(cut_off(&raw)),
    };
    Ok(Some(source.frame(start, raw, fault)))
}

fn cut_off(raw: &[u8]) -> String {
    let there = raw.len();
    let says = raw
        .get(..5)
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|d| d.parse::<usize>().ok());
    match says {
        Some(says) if says > there => {
            format!("the file ends in the middle of it: it says {says} bytes, {there} are there")
        }
        _ => "the file ends in the middle of it: its end mark (1D) is missing".to_owned(),
    }
}
