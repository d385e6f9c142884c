//! However a notice is made up, its pages take time and memory that its length bounds, or it is refused in words.
//!
//! One test, in a program of its own: what memory it has ever taken, the system tells for the whole program.

use octavo_print::notice;

/// What stands at the beginning, and what is repeated after it.
const KINDS: [(&str, &str, &str); 34] = [
    ("one word", "", "x"),
    ("words of one letter", "", "x "),
    ("lines of one letter", "<pre>", "x\n"),
    ("blanks", "<pre>", " "),
    ("ampersands", "", "&"),
    ("entities", "", "&amp;"),
    ("angles", "", "< "),
    ("empty titles", "", "<title></title>"),
    ("scripts that do not end", "", "<script>"),
    ("ends of scripts", "<script>", "</"),
    ("a comment that does not end", "", "<!-- "),
    ("quotes that do not end", "", "<p \""),
    ("attributes", "<img ", "a=b "),
    ("bold and not", "", "<b>x</b>y"),
    ("paragraphs", "", "<p>x"),
    ("rules", "", "<hr>"),
    ("line breaks", "", "<br>"),
    ("nested blocks", "", "<div align=right>"),
    ("nested lists", "", "<ul><li>x"),
    ("items", "<ol>", "<li>x"),
    ("rows", "<table>", "<tr><td>x"),
    ("cells", "<tr>", "<td>x"),
    ("a long cell beside another", "<table><tr><td>y</td><td>", "xx "),
    ("barcodes", "", "<img src='cid:barcode_1234567890'>"),
    ("one barcode", "<img src='cid:barcode_", "7"),
    ("accents on one letter", "e", "\u{301}"),
    ("one Cyrillic word", "", "щ"),
    ("Cyrillic words of one letter", "", "щ "),
    ("one Hebrew word", "", "ש"),
    ("Hebrew words, and others", "", "שלום ab 12 "),
    ("joined Arabic letters", "", "محفوظ "),
    ("directions in directions", "", "\u{202b}\u{2067}א("),
    ("accents on one Cyrillic letter", "щ", "\u{301}"),
    ("letters that no type has", "", "𓀀"),
];

const MEGABYTE: usize = 1 << 20;
/// What takes the square of its length takes minutes for so much.
const LENGTH: usize = MEGABYTE / 2;

fn text(head: &str, piece: &str, length: usize) -> String {
    head.to_owned() + &piece.repeat(length.saturating_sub(head.len()) / piece.len())
}

/// The most memory that this program has ever had, in megabytes; nothing where the system does not tell.
fn most_memory() -> usize {
    let told = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    number.unwrap_or_default() / 1024
}

fn outcome(text: &str) -> String {
    match notice("", text, true) {
        Ok(printed) => format!("{} kB of PDF", printed.pdf.len() / 1024),
        Err(too_much) => too_much.to_string(),
    }
}

#[test]
fn half_a_megabyte_of_anything_is_printed_or_refused_in_bounded_time_and_memory() {
    for (name, head, piece) in KINDS {
        let text = text(head, piece, LENGTH);
        let told = octavo_fuzz::assert_in_time(text.len(), || outcome(&text));
        assert!(most_memory() < 250, "{name}: {} MB, {told}", most_memory());
    }
    let one_byte_more = "x".repeat(4 * MEGABYTE + 1);
    assert_eq!(outcome(&one_byte_more), "its text is longer than 4 MB");
}

/// For the page of measurements: `cargo test --release --package octavo-print --test bounds -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a measurement")]
fn measured() {
    for (name, head, piece) in KINDS {
        for length in [1 << 10, 32 << 10, MEGABYTE, 4 * MEGABYTE, 16 * MEGABYTE] {
            let text = text(head, piece, length);
            // From here on, the system counts the most memory anew.
            let reset = std::fs::write("/proc/self/clear_refs", "5");
            let (before, begun) = (most_memory(), std::time::Instant::now());
            let told = outcome(&text);
            let (took, memory) = (begun.elapsed(), most_memory().saturating_sub(before));
            println!("{name} | {} kB | {took:.1?} | {memory} MB | {told} {}", length >> 10, reset.is_ok());
        }
    }
}
