use super::text::{assert_lines, marc};
use crate::marc::{
    Protection, drop_former_number, give_number, keep_former_number, order_by_tags, set_change_time,
    set_folio_id,
};

#[test]
fn a_record_gets_its_number_and_keeps_the_one_it_had() {
    for (why, before, after) in [
        (
            "001 and 003 go to 035",
            "001 ocn1\n003 OCoLC\n245 10 $aT",
            "001 in1\n035 __ $a(OCoLC)ocn1\n245 10 $aT",
        ),
        (
            "without 003 alone",
            "001 ocn1\n010 __ $ax\n245 10 $aT",
            "001 in1\n010 __ $ax\n035 __ $aocn1\n245 10 $aT",
        ),
        ("not twice", "001 ocn1\n003 OCoLC\n035 __ $a(OCoLC)ocn1", "001 in1\n035 __ $a(OCoLC)ocn1"),
        (
            "its own number is no former one",
            "001 in1\n003 X\n035 __ $ain1\n035 __ $az",
            "001 in1\n035 __ $az",
        ),
        ("a record without a number gets one", "245 10 $aT", "001 in1\n245 10 $aT"),
    ] {
        let mut record = marc(before);
        give_number(&mut record, "in1");
        assert_lines(&record, after, why);
    }
    let mut record = marc("001 ocn1\n003 OCoLC");
    keep_former_number(&mut record);
    assert_lines(&record, "001 ocn1\n035 __ $a(OCoLC)ocn1", "001 stays until it is replaced");
    let mut record = marc("035 __ $az\n035 __ $aa in1 b\n035 __ $ain1");
    drop_former_number(&mut record, "in1");
    assert_lines(&record, "035 __ $az\n035 __ $ain1", "the first that has it");
}

#[test]
fn ids_and_times_are_written() {
    let mut record = marc("245 10 $aT\n999 ff $iold$ss1\n999 __ $iother");
    set_folio_id(&mut record, 'i', "new");
    assert_lines(&record, "245 10 $aT\n999 __ $iother\n999 ff $ss1$inew", "in 999 ff");
    let mut record = marc("245 10 $aT");
    set_folio_id(&mut record, 's', "s1");
    assert_lines(&record, "245 10 $aT\n999 ff $ss1", "which is made");

    let now = "2024-05-17T10:11:12.345Z".parse().unwrap();
    let mut record = marc("001 x\n245 10 $aT");
    set_change_time(&mut record, now, &[]);
    assert_lines(&record, "001 x\n005 20240517101112.3\n245 10 $aT", "a new 005");
    let mut record = marc("005 old\n001 x");
    set_change_time(&mut record, now, &[]);
    assert_lines(&record, "005 20240517101112.3\n001 x", "in its place");
    let mut record = marc("005 old");
    let protection = Protection::read(&serde_json::json!({"field": "005", "data": "*"}));
    set_change_time(&mut record, now, &[protection]);
    assert_lines(&record, "005 old", "a protected 005");
}

#[test]
fn fields_keep_the_order_in_which_they_came() {
    let mut record = marc("001 in1\n005 t\n035 __ $a1\n245 10 $aT\n500 __ $aa\n300 __ $ab\n999 ff $ix");
    let tags = ["001", "500", "245", "300"].map(str::to_owned);
    order_by_tags(&mut record, &tags);
    assert_lines(
        &record,
        "001 in1\n005 t\n500 __ $aa\n245 10 $aT\n300 __ $ab\n035 __ $a1\n999 ff $ix",
        "and new ones come last",
    );
}
