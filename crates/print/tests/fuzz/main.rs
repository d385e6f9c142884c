//! Any text is pages or is refused, in a time that its length bounds; the pages are a file that can be read and merged, and
//! letters and digits of plain words are on them. Any bytes are a file to be merged, or are none.

use lopdf::Document;
use octavo_fuzz::Fuzzer;
use octavo_print::{merge, notice};

const NOTICES: Fuzzer = Fuzzer {
    seeds: include_str!("notices.txt"),
    words: &[
        b"<p>",
        b"</p>",
        b"<p class=\"ql-align-right ql-indent-8\">",
        b"<div style='text-align: center'>",
        b"<b>",
        b"</b>",
        b"<em>",
        b"<h1>",
        b"</h1>",
        b"<ul><li>",
        b"<ol>",
        b"</li>",
        b"<table>",
        b"<tr>",
        b"<td>",
        b"<th align=right>",
        b"</tr></table>",
        b"<br>",
        b"<hr/>",
        b"<pre>",
        b"<blockquote>",
        b"<img src='cid:barcode_",
        b"'>",
        b"<img alt=\"",
        b"<script>",
        b"</script>",
        b"<title>",
        b"<!--",
        b"-->",
        b"&amp;",
        b"&#",
        b"&#x10FFFF;",
        b"&nbsp;",
        b";",
        b"<",
        b">",
        b"\"",
        b"=",
        b" ",
        b"\n",
        b"\t",
        b"\0",
        b"\xC2\xAD",
        b"\xCC\x81",
        b"\xE2\x82\xAC",
        b"\xD0\xA2",
        b"\xEF\xB7\xBA",
        b"\xF0\x9F\x93\x96",
        b"Donaudampfschifffahrtsgesellschaft",
    ],
    check: check_notice,
};

const FILES: Fuzzer = Fuzzer {
    seeds: include_str!("files.txt"),
    words: &[
        b"1 0 obj",
        b"endobj",
        b"<<",
        b">>",
        b"[",
        b"]",
        b"/Type/Page",
        b"/Type/Pages",
        b"/Kids[3 0 R 3 0 R]",
        b"/Parent 2 0 R",
        b"/Parent 3 0 R",
        b"/Resources<</Font<<>>>>",
        b"/Type/ObjStm/N 2/First 8",
        b"/Type/XRef/W[1 2 1]",
        b"/Length 4 0 R",
        b"/Filter/FlateDecode",
        b"stream\n",
        b"\nendstream",
        b"xref\n0 4\n",
        b"trailer<</Root 1 0 R/Size 9>>",
        b"startxref\n9\n%%EOF",
        b"/Encrypt 5 0 R",
        b"/Prev 9",
        b"0000000009 00000 n \n",
        b"99999999999",
        b"-1",
        b"(((",
        b")))",
        b"R",
        b" 0 R",
    ],
    check: check_file,
};

#[test]
fn damaged_notices_are_printed_or_refused() {
    NOTICES.run_briefly(400);
}

#[test]
fn damaged_files_are_merged_or_left_out() {
    FILES.run_briefly(1_000);
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_notices() {
    NOTICES.run_at_length();
}

#[test]
#[ignore = "runs for as long as it is told to"]
fn fuzz_files() {
    FILES.run_at_length();
}

pub(crate) fn check_notice(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let printed = match (notice("", &text, true), notice(&text, &text, false)) {
        (Ok(printed), Ok(plain)) => {
            assert!(plain.pdf.len() < 20_000 + 40 * text.len(), "{} bytes of PDF", plain.pdf.len());
            printed
        }
        (html, plain) => return format!("{:?} {:?}", html.err(), plain.err()),
    };
    assert!(printed.pdf.len() < 20_000 + 400 * text.len(), "{} bytes of PDF", printed.pdf.len());
    let document = Document::load_mem(&printed.pdf).expect("a file");
    let pages = document.get_pages().len();
    let merged = merge("", [&printed.pdf, &printed.pdf]);
    assert!(merged.unreadable.is_empty());
    assert_eq!(Document::load_mem(&merged.pdf).expect("a file").get_pages().len(), 2 * pages);
    let size = printed.pdf.len() / 200;
    format!("{pages} {size} {}", printed.missing_characters.len().min(5))
}

pub(crate) fn check_file(bytes: &[u8]) -> String {
    let good = notice("", "good", true).expect("a notice").pdf;
    let merged = merge("", [good.as_slice(), bytes, &good]);
    assert!(!merged.unreadable.contains(&0) && !merged.unreadable.contains(&2), "{:?}", merged.unreadable);
    let document = Document::load_mem(&merged.pdf).expect("a file");
    let pages = document.get_pages().len();
    assert!(pages >= 2 && (merged.unreadable.is_empty() == (pages > 2)), "{pages} pages");
    format!("{pages} {} {}", merged.unreadable.len(), merged.pdf.len())
}
