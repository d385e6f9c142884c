//! Cleans HTML of staff. Paragraphs, headings, lists, emphasis and links stay; of other elements only the text stays, and of scripts and
//! styles nothing. Pure. The allowed elements are those of mod-notes 5.2.0.
//!
//! Unlike in FOLIO, links can lead only to web pages, mail addresses and paths of the same site, never to scripts.

use std::collections::BTreeMap;

const TAGS: [&str; 12] = ["p", "strong", "em", "a", "u", "ol", "ul", "li", "h1", "h2", "h3", "br"];
const BLOCKS: [&str; 6] = ["p", "ol", "ul", "h1", "h2", "h3"];
/// Elements whose text is removed, too.
const REMOVED_WITH_TEXT: [&str; 2] = ["script", "style"];

pub(super) fn clean_html(content: &str) -> String {
    let mut cleaner = Cleaner {
        rest: content,
        out: String::with_capacity(content.len()),
        open: Vec::new(),
        counts: BTreeMap::new(),
    };
    while let Some(letter) = cleaner.rest.chars().next() {
        match letter {
            '<' if cleaner.tag() => {}
            '&' => cleaner.ampersand(),
            _ => {
                cleaner.out.push_str(escaped(letter).as_str());
                cleaner.rest = &cleaner.rest[letter.len_utf8()..];
            }
        }
    }
    cleaner.close(0);
    cleaner.out
}

fn escaped(letter: char) -> String {
    match letter {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '"' => "\"".into(),
        other => other.into(),
    }
}

struct Cleaner<'c> {
    rest: &'c str,
    out: String,
    open: Vec<&'static str>,
    /// How many of `open` are of a tag.
    counts: BTreeMap<&'static str, usize>,
}

impl<'c> Cleaner<'c> {
    /// Reads a tag or comment; whether there was one.
    fn tag(&mut self) -> bool {
        let inner = &self.rest[1..];
        if let Some(comment) = inner.strip_prefix("!--") {
            self.rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            return true;
        }
        let (closing, named) = inner.strip_prefix('/').map_or((false, inner), |named| (true, named));
        if inner.starts_with(['!', '?']) {
            self.rest = inner.split_once('>').map_or("", |(_, rest)| rest);
            return true;
        }
        if !named.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return false;
        }
        let end = named.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(named.len());
        let name = named[..end].to_ascii_lowercase();
        let (attributes, rest) = attributes(&named[end..]);
        self.rest = rest;
        let known = TAGS.into_iter().find(|tag| *tag == name);
        match known {
            Some(tag) if closing => self.close_tag(tag),
            Some(tag) => self.open_tag(tag, &attributes),
            None if !closing && REMOVED_WITH_TEXT.contains(&name.as_str()) => self.skip(&name),
            None => {}
        }
        true
    }

    fn open_tag(&mut self, tag: &'static str, attributes: &[(String, &'c str)]) {
        let top = self.open.last().copied();
        if (BLOCKS.contains(&tag) && top == Some("p")) || (tag == "li" && top == Some("li")) {
            self.close(self.open.len() - 1);
        }
        self.out.push('<');
        self.out.push_str(tag);
        for (name, value) in attributes.iter().filter(|(name, value)| allowed(tag, name, value)) {
            self.out.push_str(&format!(" {name}=\"{}\"", value.replace('"', "&quot;").replace('<', "&lt;")));
        }
        self.out.push('>');
        if tag != "br" {
            self.open.push(tag);
            *self.counts.entry(tag).or_default() += 1;
        }
    }

    fn close_tag(&mut self, tag: &'static str) {
        // Only open elements are looked for; otherwise each end tag of a text of end tags would search all open elements.
        if self.is_open(tag)
            && let Some(at) = self.open.iter().rposition(|open| *open == tag)
        {
            self.close(at);
        }
    }

    fn is_open(&self, tag: &'static str) -> bool {
        self.counts.get(tag).is_some_and(|count| *count > 0)
    }

    /// Closes what is open from a depth on.
    fn close(&mut self, depth: usize) {
        for tag in self.open.drain(depth..).rev() {
            *self.counts.entry(tag).or_default() -= 1;
            self.out.push_str(&format!("</{tag}>"));
        }
    }

    /// Goes on after the end of an element.
    fn skip(&mut self, name: &str) {
        let is_end = |at: usize| {
            self.rest.as_bytes()[at + 2..]
                .get(..name.len())
                .is_some_and(|tag| tag.eq_ignore_ascii_case(name.as_bytes()))
        };
        let end = self.rest.match_indices("</").map(|(at, _)| at).find(|at| is_end(*at));
        let after = end.and_then(|end| Some(end + self.rest[end..].find('>')? + 1));
        self.rest = after.map_or("", |after| &self.rest[after..]);
    }

    /// An entity stays one; any other ampersand is one.
    fn ampersand(&mut self) {
        let inner = &self.rest[1..];
        let name = |letter: char| letter.is_ascii_alphanumeric() || letter == '#';
        let end = inner.find(|letter: char| !name(letter)).unwrap_or(inner.len());
        self.out.push_str(if end > 0 && inner[end..].starts_with(';') { "&" } else { "&amp;" });
        self.rest = inner;
    }
}

/// The attributes of a tag in lower case, and what follows its end.
fn attributes(text: &str) -> (Vec<(String, &str)>, &str) {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace() || letter == '/');
        if rest.is_empty() {
            return (found, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (found, after);
        }
        let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '=' | '>' | '/');
        // At least one character, so that a stray sign is passed over.
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = rest[first..].find(ends).map_or(rest.len(), |end| end + first);
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let Some(value) = rest.strip_prefix('=').filter(|_| !name.starts_with('=')) else { continue };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|letter| matches!(letter, '"' | '\''));
        let (value, after) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                let ends = |letter: char| letter.is_ascii_whitespace() || letter == '>';
                value.split_at(value.find(ends).unwrap_or(value.len()))
            }
        };
        found.push((name, value));
        rest = after;
    }
}

fn allowed(tag: &str, name: &str, value: &str) -> bool {
    match (tag, name) {
        (_, "class") | ("a", "rel" | "target") => true,
        ("a", "href") => leads_to_a_page(value),
        _ => false,
    }
}

/// What stands before the first slash may be a scheme, openly or in entities.
fn leads_to_a_page(href: &str) -> bool {
    let plain: String = href.chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect();
    let plain = plain.to_ascii_lowercase();
    let start = plain.split(['/', '?', '#']).next().unwrap_or_default();
    !start.contains([':', '&'])
        || ["http:", "https:", "mailto:"].iter().any(|scheme| start.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::clean_html;

    /// With time that grew with the square of the length each of these would take minutes.
    #[test]
    fn megabytes_of_tags_are_cleaned() {
        const TIMES: usize = 200_000;
        for (piece, becomes, end) in [
            ("<script></script>", "", ""),
            ("<sTyle>x</StylE >a", "a", ""),
            ("<u></p>", "<u>", "</u>"),
            ("</script><", "&lt;", ""),
        ] {
            let expected = becomes.repeat(TIMES) + &end.repeat(TIMES);
            assert!(clean_html(&piece.repeat(TIMES)) == expected, "{piece}");
        }
    }

    #[test]
    fn simple_marks_stay_and_all_others_go() {
        let cases = [
            ("plain text", "plain text"),
            ("<p class=\"x\">a <b>bold</b> <em>word</em></p>", "<p class=\"x\">a bold <em>word</em></p>"),
            ("<P>one<BR/>two", "<p>one<br>two</p>"),
            ("a<script>alert('<p>')</script>b<style>p{}</style >c", "abc"),
            ("<img src=x onerror=alert(1)>x", "x"),
            ("<p onclick='x()' style=\"a\">t</p>", "<p>t</p>"),
            ("<!-- <p> -->a<!doctype x>b<?php c ?>d", "abd"),
            ("1 < 2 && 3 > 2 &amp; &#8212; &x", "1 &lt; 2 &amp;&amp; 3 &gt; 2 &amp; &#8212; &amp;x"),
            ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
            ("<p>a<p>b", "<p>a</p><p>b</p>"),
            ("</p>a</em>", "a"),
            ("<em>a<strong>b</em>c", "<em>a<strong>b</strong></em>c"),
            ("<a", "<a></a>"),
            ("<a href=\"x", "<a href=\"x\"></a>"),
            ("<", "&lt;"),
            ("<scr<script>x</script>ipt>", "xipt&gt;"),
        ];
        for (content, expected) in cases {
            assert_eq!(clean_html(content), expected, "{content}");
        }
    }

    #[test]
    fn links_lead_to_pages_only() {
        for (href, kept) in [
            ("https://example.org/a?b=c", true),
            ("mailto:a@example.org", true),
            ("/relative", true),
            ("page.html", true),
            ("javascript:alert(1)", false),
            (" java\tscript:alert(1)", false),
            ("java&#115;cript:alert(1)", false),
            ("data:text/html,x", false),
        ] {
            let link = clean_html(&format!("<a href=\"{href}\" target=_blank>x</a>"));
            assert_eq!(link.contains("href"), kept, "{link}");
            assert!(link.ends_with("target=\"_blank\">x</a>"), "{link}");
        }
    }

    #[test]
    fn what_is_clean_stays_as_it_is() {
        let clean =
            "<h1>T</h1><p class=\"a\">x &amp; y<br><a href=\"https://example.org/\" rel=\"me\">z</a></p>";
        assert_eq!(clean_html(clean), clean);
        for broken in
            ["<p a='", "<p =>", "<p =x y>", "<a href=>", "<p/////>", "&", "&;", "<>", "</>", "</ p>"]
        {
            let once = clean_html(broken);
            assert_eq!(clean_html(&once), once, "{broken}");
        }
    }
}
