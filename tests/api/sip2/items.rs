//! Item information (17/18) and item status update (19/20).

use super::{Branch, NOW, barcode, field_values, mask_times};

#[tokio::test]
async fn an_item_is_described() {
    let branch = Branch::open().await;
    let (patron, item) = (branch.desk.patron().await, branch.desk.item().await);
    let mut machine = branch.logged_in_machine().await;
    let asked = format!("17{NOW}AOo|AB{}|", barcode(&item));
    let shelved = mask_times(&machine.send(&asked).await);
    let what = barcode(&item);
    assert_eq!(
        shelved,
        format!("18030001<time>CF0|AB{what}|AJBeloved|CK001|AQFiction|APFiction|AFAvailable|")
    );
    branch.desk.check_out(&item, &patron).await.expect(201);
    let lent = mask_times(&machine.send(&asked).await);
    assert_eq!(
        lent,
        format!("18040001<time>CF0|AH<time>|AB{what}|AJBeloved|CK001|AQFiction|APFiction|AFChecked out|")
    );
    assert!(!lent.contains(barcode(&patron)), "who has it is not told");
}

#[tokio::test]
async fn an_item_that_does_not_exist_is_said_not_to() {
    let branch = Branch::open().await;
    let mut machine = branch.logged_in_machine().await;
    for what in ["none", "", "\"*"] {
        let answer = mask_times(&machine.send(&format!("17{NOW}AOo|AB{what}|")).await);
        assert_eq!(answer, format!("18010001<time>AB{what}|AJ|AFItem does not exist|"));
    }
}

#[tokio::test]
async fn properties_of_items_are_not_kept_and_the_answer_says_so() {
    let branch = Branch::open().await;
    let item = branch.desk.item().await;
    let mut machine = branch.logged_in_machine().await;
    let answer = mask_times(&machine.send(&format!("19{NOW}AOo|AB{}|CHsize=big|", barcode(&item))).await);
    assert_eq!(answer, format!("200<time>AB{}|AFItem properties are not kept|", barcode(&item)));
    assert!(field_values(&answer, "CH", 7).is_empty());
}
