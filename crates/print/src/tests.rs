use lopdf::Document;

use super::{Printed, TooMuch, merge};

fn notice(title: &str, text: &str, is_html: bool) -> Printed {
    super::notice(title, text, is_html).expect("a notice")
}

/// The text of each page.
fn pages(pdf: &[u8]) -> Vec<String> {
    let document = Document::load_mem(pdf).expect("a PDF file");
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    numbers.iter().map(|page| document.extract_text(&[*page]).expect("text").replace('\n', " ")).collect()
}

fn text_of_pdf(pdf: &[u8]) -> String {
    pages(pdf).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_notice_is_a_page_with_its_words() {
    let html = "<p>Dear <b>Ann Müller</b>,</p><table><tr><td>Hamlet</td><td>due</td></tr></table><ul><li>bring it</li></ul>";
    let printed = notice("Overdue", html, true);
    assert!(printed.pdf.starts_with(b"%PDF-1."));
    assert_eq!(text_of_pdf(&printed.pdf), "Dear Ann Müller , Hamlet due • bring it");
    assert!(printed.missing_characters.is_empty());
}

#[test]
fn what_the_type_lacks_is_told() {
    let printed = notice("", "hieroglyphs 𓀀 and <i>𓁐</i>", true);
    assert_eq!(printed.missing_characters, ['𓀀', '𓁐']);
    assert_eq!(text_of_pdf(&printed.pdf), "hieroglyphs ? and ?");
}

#[test]
fn names_in_other_scripts_are_on_paper_and_can_be_copied() {
    let html = "<p>Dvořák, <b>Łukasz</b> and <i>Толстой</i></p><table><tr><td>Καζαντζάκης</td><td>Nguyễn</td></tr></table>";
    let printed = notice("Толстой", html, true);
    assert!(printed.missing_characters.is_empty(), "{:?}", printed.missing_characters);
    assert_eq!(text_of_pdf(&printed.pdf), "Dvořák, Łukasz and Толстой Καζαντζάκης Nguyễn");
    assert!(printed.pdf.len() < 30_000, "{} bytes", printed.pdf.len());
    let merged = merge("", [&printed.pdf, &printed.pdf]);
    assert_eq!(text_of_pdf(&merged.pdf).matches("Толстой").count(), 2);
}

#[test]
fn what_is_read_from_the_right_stands_so() {
    let printed = notice("", "שמואל יוסף עגנון", false);
    assert!(printed.missing_characters.is_empty());
    // A reader of the file finds the letters as they are drawn.
    let drawn: String = text_of_pdf(&printed.pdf).chars().filter(|letter| *letter != ' ').collect();
    assert_eq!(drawn.chars().rev().collect::<String>(), "שמואליוסףעגנון");
    // Arabic's letters are joined: alone they would be other glyphs.
    assert!(notice("", "نجيب محفوظ", false).missing_characters.is_empty());
}

#[test]
fn plain_text_keeps_its_lines_and_its_angles() {
    assert_eq!(text_of_pdf(&notice("", "1 < 2\r\nand <b>", false).pdf), "1 < 2 and <b>");
}

#[test]
fn a_long_notice_has_pages_and_loses_no_word() {
    let text: Vec<String> = (0..3000).map(|at| format!("word{at}")).collect();
    let printed = notice("", &format!("<p>{}</p>", text.join(" ")), true);
    assert!(pages(&printed.pdf).len() > 3);
    assert_eq!(text_of_pdf(&printed.pdf), text.join(" "));
    let rows: String =
        (0..200).map(|at| format!("<tr><td>Book {at}</td><td>{}</td></tr>", "x".repeat(90))).collect();
    let printed = notice("", &format!("<table>{rows}</table>"), true);
    assert!(pages(&printed.pdf).len() > 3);
    assert!(text_of_pdf(&printed.pdf).contains("Book 199"));
}

#[test]
fn what_is_more_than_a_notice_is_refused() {
    for (text, too_much) in [
        ("x".repeat(5 << 20), TooMuch::Text),
        ("<hr>".repeat(70_000), TooMuch::Pages),
        ("<td>x".repeat(31), TooMuch::Columns),
        ("<b>x</b>y".repeat(100_001), TooMuch::Pieces),
    ] {
        assert_eq!(super::notice("", &text, true).err(), Some(too_much));
    }
    let title = notice(&"title ".repeat(100_000), "", true);
    assert!(title.pdf.len() < 10_000, "{} bytes", title.pdf.len());
}

#[test]
fn lists_in_lists_leave_room_for_words() {
    let html = format!("{}<li>one two three four", "<ul>".repeat(300));
    let printed = notice("", &html, true);
    assert_eq!(pages(&printed.pdf).len(), 1);
    assert_eq!(text_of_pdf(&printed.pdf), "• one two three four");
}

#[test]
fn a_word_longer_than_a_line_goes_on_in_the_next() {
    let text = "abcdefghij".repeat(100);
    let printed = notice("", &format!("{text} end"), false);
    assert_eq!(text_of_pdf(&printed.pdf).replace(' ', ""), format!("{text}end"));
    assert!(
        text_of_pdf(&printed.pdf).split(' ').all(|line| line.len() < 120),
        "{}",
        text_of_pdf(&printed.pdf)
    );
}

#[test]
fn an_empty_notice_is_an_empty_page() {
    for text in ["", " ", "<p></p>", "<table><tr></tr></table>"] {
        assert_eq!(pages(&notice("", text, true).pdf), [""], "{text}");
    }
}

#[test]
fn files_are_merged_in_order_and_what_is_no_file_is_told() {
    let one = notice("", "first", true).pdf;
    let two = notice("", &format!("<p>{}</p>", "second ".repeat(2000)), true).pdf;
    let of_two = pages(&two).len();
    let merged = merge("Notices", [one.as_slice(), b"rubbish", &two, &one]);
    assert_eq!(merged.unreadable, [1]);
    let all = pages(&merged.pdf);
    assert_eq!(all.len(), of_two + 2);
    assert_eq!((all[0].trim(), all[of_two + 1].trim()), ("first", "first"));
    assert!(all[1].contains("second"));
    let again = merge("", [merged.pdf.as_slice(), &one]);
    assert_eq!(pages(&again.pdf).len(), of_two + 3);
}

#[test]
fn a_file_that_has_a_page_twice_is_left_out() {
    let file = |kids: &str| {
        format!(
            "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[{kids}]/Count 1>>endobj\n\
             3 0 obj<</Type/Page/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R/Size 4>>"
        )
    };
    assert_eq!(merge("", [file("3 0 R"), file("3 0 R 3 0 R")]).unreadable, [1]);
}

#[test]
fn a_barcode_is_drawn_with_its_text() {
    let printed = notice("", "<img src='cid:barcode_36000291452'>", true);
    assert_eq!(text_of_pdf(&printed.pdf), "36000291452");
    let document = Document::load_mem(&printed.pdf).expect("a PDF file");
    let page = document.get_pages()[&1];
    let content = String::from_utf8(document.get_page_content(page)).expect("ASCII");
    assert!(content.matches(" re f").count() > 20, "{content}");
}
