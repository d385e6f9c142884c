//! Items that cannot be lent or returned because of their status.

use octavo_kernel::Refusal;

use crate::facts::Item;
use crate::status::ItemStatus::{self, *};

const NOT_FOR_CHECK_OUT: [ItemStatus; 4] = [DeclaredLost, ClaimedReturned, IntellectualItem, AgedToLost];

const NOT_FOR_A_NEW_DUE_DATE: [ItemStatus; 3] = [DeclaredLost, ClaimedReturned, AgedToLost];

/// `about` is how the client named the item.
pub(crate) fn refuse_already_checked_out(item: &Item, about: (&str, &str)) -> Option<Refusal> {
    item.is(CheckedOut).then(|| Refusal::new("Item is already checked out").about(about.0, about.1))
}

pub(crate) fn refuse_loan_of_status(item: &Item) -> Option<Refusal> {
    let refusal = || {
        let status = item.status();
        let message = format!("{} has the item status {status}, loan cannot be created", item.description());
        Refusal::new(message).about("itemId", item.id())
    };
    item.is_one_of(&[Missing, DeclaredLost]).then(refusal)
}

pub(crate) fn refuse_check_out_of_status(item: &Item) -> Option<Refusal> {
    item.is_one_of(&NOT_FOR_CHECK_OUT).then(|| in_status(item, "checked out"))
}

pub(crate) fn refuse_check_in_of_status(item: &Item) -> Option<Refusal> {
    item.is(IntellectualItem).then(|| in_status(item, "checked in"))
}

/// Refuses a new due date for an item that is lost or claimed returned.
pub(crate) fn refuse_due_date_change_of_status(item: &Item) -> Option<Refusal> {
    let refusal = || Refusal::new(format!("item is {}", item.status())).about("itemId", item.id());
    item.is_one_of(&NOT_FOR_A_NEW_DUE_DATE).then(refusal)
}

fn in_status(item: &Item, done: &str) -> Refusal {
    let message =
        format!("{} has the item status {} and cannot be {done}", item.description(), item.status());
    Refusal::new(message).about("itemBarcode", item.barcode())
}
