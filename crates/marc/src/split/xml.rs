//! MARCXML: from `<record` to `</record>`, with any prefix. Everything between records is passed over.

use std::io::{self, BufRead};

use super::{Frame, RunEnd, Source, too_long};

pub(super) fn next<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Frame>> {
    let mut tag = Vec::new();
    let start = loop {
        source.skip_while(|byte| byte != b'<')?;
        if source.peek()?.is_none() {
            return Ok(None);
        }
        let start = source.offset;
        tag.clear();
        if markup(source, &mut tag)? == RunEnd::Found && tag_name(&tag) == Some((false, b"record")) {
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
        let ended = if text == RunEnd::Found { rest_of_markup(source, &mut raw, begin)? } else { text };
        let fault = match ended {
            RunEnd::Found if tag_name(&raw[begin..]) == Some((true, b"record")) => None,
            RunEnd::Found => continue,
            RunEnd::FileEnd => Some("the file ends in the middle of it: </record> is missing".to_owned()),
            RunEnd::TooLong => Some(too_long()),
        };
        return Ok(Some(source.frame(start, raw, fault)));
    }
}

/// A whole piece of markup from its `<` on.
fn markup<R: BufRead>(source: &mut Source<R>, tag: &mut Vec<u8>) -> io::Result<RunEnd> {
    match source.take_until(tag, |byte| byte == b'<')? {
        RunEnd::Found => rest_of_markup(source, tag, 0),
        other => Ok(other),
    }
}

/// What follows a `<` at `begin`, to its `>`: one in a comment, a CDATA section or a quoted value is not the end.
fn rest_of_markup<R: BufRead>(source: &mut Source<R>, raw: &mut Vec<u8>, begin: usize) -> io::Result<RunEnd> {
    let (mut quote, mut looked_at) = (None, begin);
    loop {
        match source.take_until(raw, |byte| byte == b'>')? {
            RunEnd::Found => {}
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
            return Ok(RunEnd::Found);
        }
    }
}

/// The quotation mark that is open after `more` of a tag has been read; `quote` is the one that was open before.
fn still_open(quote: Option<u8>, more: &[u8]) -> Option<u8> {
    let marks = more.iter().filter(|byte| matches!(byte, b'"' | b'\''));
    marks.fold(quote, |open, mark| match open {
        None => Some(*mark),
        Some(quote) if quote == *mark => None,
        Some(_) => open,
    })
}

/// Whether it is an end tag, and the name of the element without prefix.
fn tag_name(tag: &[u8]) -> Option<(bool, &[u8])> {
    let inner = tag.strip_prefix(b"<")?;
    let (closes, inner) = inner.strip_prefix(b"/").map_or((false, inner), |inner| (true, inner));
    let end = inner.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))?;
    let name = inner[..end].rsplit(|byte| *byte == b':').next()?;
    Some((closes, name))
}
