use super::*;

fn leader(kind: char, level: char) -> impl Fn(usize) -> char {
    move |at| if at == 6 { kind } else { level }
}

#[test]
fn every_material_shows_and_restores_its_008() {
    let text = "020805s2002    nyua   j b    001 1 eng d";
    for kind in "atmefpijcdgkorsz".chars() {
        for level in "absm".chars() {
            let view = show_008(Kind::Bibliographic, text, leader(kind, level));
            let restored = restore_008(Kind::Bibliographic, &view, "260101").unwrap();
            // What no item names is blank.
            let kept = restored.chars().zip(text.chars()).all(|(now, before)| now == before || now == ' ');
            assert!(
                kept && restored[..18] == text[..18] && restored[35..] == text[35..],
                "{kind}{level}: {restored}"
            );
            assert_eq!(show_008(Kind::Bibliographic, &restored, leader(kind, level)), view);
        }
    }
}

#[test]
fn a_book_has_its_items_at_their_positions() {
    let view = show_008(Kind::Bibliographic, "020805s2002    nyua   j b    001 1 eng d", leader('a', 'm'));
    let expected = [
        ("Entered", json!("020805")),
        ("DtSt", json!("s")),
        ("Date1", json!("2002")),
        ("Ctry", json!("nyu")),
        ("Ills", json!(["a", "\\", "\\", "\\"])),
        ("Audn", json!("j")),
        ("Form", json!("\\")),
        ("Cont", json!(["b", "\\", "\\", "\\"])),
        ("Lang", json!("eng")),
        ("Srce", json!("d")),
        ("Type", json!("a")),
        ("BLvl", json!("m")),
    ];
    for (name, value) in expected {
        assert_eq!(view[name], value, "{name}");
    }
}

#[test]
fn six_seven_and_the_others_are_restored_as_they_were() {
    for text in ["ab  cd    ef gh    ", "e          1      ", "tzzzzzzzzzzzzzzzzz"] {
        let text: String = text.chars().take(LENGTH_OF_006).collect();
        let restored = restore_006(&show_006(&text)).unwrap();
        assert_eq!(show_006(&restored), show_006(&text));
    }
    for text in ["cr mn abc 12345", "sd fsngnnmmned", "ta", "vd cgaizq", "x whatever"] {
        let restored = restore_007(&show_007(text)).unwrap();
        assert_eq!(show_007(&restored), show_007(text), "{text}");
    }
    for (kind, text) in [
        (Kind::Holdings, "1203170p    8   4001aaeng0000000"),
        (Kind::Authority, "000107n| azannaabn          |n aaa     c"),
    ] {
        let view = show_008(kind, text, |_| ' ');
        assert_eq!(restore_008(kind, &view, "260101").unwrap(), text);
    }
}

#[test]
fn an_item_has_its_length() {
    let mut view = show_008(Kind::Bibliographic, "", leader('a', 'm'));
    view["Date1"] = json!("123");
    let refused = restore_008(Kind::Bibliographic, &view, "260101").unwrap_err();
    assert_eq!(refused.message, "Invalid Date1 field length, must be 4 characters");
    view["Date1"] = json!("1234");
    let restored = restore_008(Kind::Bibliographic, &view, "260101").unwrap();
    assert!(restored.starts_with("260101"), "{restored}");
}
