//! Items that cannot go out or come in because of what they are.

use octavo_kernel::Refusal;

use crate::facts::Item;

const NOT_FOR_CHECK_OUT: [&str; 4] =
    ["Declared lost", "Claimed returned", "Intellectual item", "Aged to lost"];

pub(crate) fn refuse_already_checked_out(item: &Item, barcode: &str) -> Option<Refusal> {
    item.is("Checked out").then(|| Refusal::new("Item is already checked out").about("itemBarcode", barcode))
}

pub(crate) fn refuse_check_out_of_status(item: &Item) -> Option<Refusal> {
    NOT_FOR_CHECK_OUT.iter().any(|status| item.is(status)).then(|| in_status(item, "checked out"))
}

pub(crate) fn refuse_check_in_of_status(item: &Item) -> Option<Refusal> {
    item.is("Intellectual item").then(|| in_status(item, "checked in"))
}

fn in_status(item: &Item, done: &str) -> Refusal {
    let message = format!("{} has the item status {} and cannot be {done}", item.described(), item.status());
    Refusal::new(message).about("itemBarcode", item.barcode().unwrap_or_default())
}
