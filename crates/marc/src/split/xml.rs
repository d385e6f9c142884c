//! MARCXML: from `<record` to `</record>`, with any prefix. Everything between records is passed over.

use std::io::{self, BufRead};

use super::{Ended, Frame, Source, too_long};

pub(super) fn next<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Frame>> {
    let mut tag = Vec::new();
    let start = loop {
        source.skip_while(|byte| byte != b'<')?;
        if source.peek()?.is_none() {
            return Ok(None);
        }
        let start = source.offset;
        tag.clear();
        if markup(source, &mut tag)? == Ended::Found && name(&tag) == Some((false, b"record")) {
            break start;
        }
    };
    let mut raw = tag;
    if raw.ends_with(b"/>") {
        return Ok(Some(source.frame(start, raw, None)));
    }
    loop {
        let text = source.take_until(&mut raw, |byte| byte == b'<')?;
        let begin = raw.len().saturating_sub(1);
        let ended = if text == Ended::Found { rest_of_markup(source, &mut raw, begin)? } else { text };
        let fault = match ended {
            Ended::Found if name(&raw[begin..]) == Some((true, b"record")) => None,
            Ended::Found => continue,
            Ended::FileEnd => Some("the file ends in the middle of it: </record> is missing".to_owned()),
            Ended::TooLong => Some(too_long()),
        };
        return Ok(Some(source.frame(start, raw, fault)));
    }
}

/// A whole piece of markup from its `<` on.
fn markup<R: BufRead>(source: &mut Source<R>, tag: &mut Vec<u8>) -> io::Result<Ended> {
    match source.take_until(tag, |byte| byte == b'<')? {
        Ended::Found => rest_of_markup(source, tag, 0),
        other => Ok(other),
    }
}

/// What follows a `<` at `begin`, to its `>`: one in a comment, a CDATA section or a quoted value is not the end.
fn rest_of_markup<R: BufRead>(source: &mut Source<R>, raw: &mut Vec<u8>, begin: usize) -> io::Result<Ended> {
    let (mut quote, mut looked_at) = (None, begin);
    loop {
        match source.take_until(raw, |byte| byte == b'>')? {
            Ended::Found => {}
            other => return Ok(other),
        }
        let so_far = &raw[begin..];
        let whole = if so_far.starts_with(b"<!--") {
            so_far.len() >= 7 && so_far.ends_with(b"-->")
        } else if so_far.starts_with(b"<![CDATA[") {
            so_far.ends_with(b"]]>")
        } else {
            quote = still_open(quote, &raw[looked_at..]);
            looked_at = raw.len();
            quote.is_none()
        };
        if whole {
            return Ok(Ended::Found);
        }
    }
}

/// The quotation mark that is open after more of a tag.
fn still_open(quote: Option<u8>, more: &[u8]) -> Option<u8> {
    let marks = more.iter().filter(|byte| matches!(byte, b'"' | b'\''));
    marks.fold(quote, |open, mark| match open {
        None => Some(*mark),
        Some(quote) if quote == *mark => None,
        Some(_) => open,
    })
}

/// Whether a tag closes, and its name without prefix.
fn name(tag: &[u8]) -> Option<(bool, &[u8])> {
    let inner = tag.strip_prefix(b"<")?;
    let (closes, inner) = inner.strip_prefix(b"/").map_or((false, inner), |inner| (true, inner));
    let end = inner.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
    let name = inner[..end].rsplit(|byte| *byte == b':').next()?;
    Some((closes, name))
}
