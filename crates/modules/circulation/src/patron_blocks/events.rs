//! `POST /automated-patron-blocks/handlers/...`: the events from which FOLIO makes summaries. They are checked and otherwise ignored,
//! because loans and accounts contain the same facts.

use octavo_engine::{Request, Response};
use octavo_kernel::Outcome;

macro_rules! event {
    ($name:literal) => {
        include_str!(concat!("../../../folio/records/mod-patron-blocks/", $name, ".tsv"))
    };
}

pub(super) const FEE_FINE_BALANCE_CHANGED: &str = event!("fee-fine-balance-changed");
pub(super) const ITEM_CHECKED_OUT: &str = event!("item-checked-out");
pub(super) const ITEM_CHECKED_IN: &str = event!("item-checked-in");
pub(super) const ITEM_DECLARED_LOST: &str = event!("item-declared-lost");
pub(super) const ITEM_AGED_TO_LOST: &str = event!("item-aged-to-lost");
pub(super) const ITEM_CLAIMED_RETURNED: &str = event!("item-claimed-returned");
pub(super) const LOAN_DUE_DATE_CHANGED: &str = event!("loan-due-date-changed");
pub(super) const LOAN_CLOSED: &str = event!("loan-closed");

pub(super) async fn heard(request: Request, schema: &'static str) -> Outcome<Response> {
    request.checked(schema)?;
    Ok(Response::no_content())
}
