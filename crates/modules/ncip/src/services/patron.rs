//! Patrons: found by the numbers under which agencies know them, and whether they may borrow.

use octavo_cql::quote_term;
use serde_json::Value;

use crate::library::Library;
use crate::problem::Failure;

/// The patron whose barcode, number in another system, or user name it is.
pub(super) async fn find(library: &Library<'_>, number: &str) -> Result<Value, Failure> {
    let number = quote_term(number);
    let cql = format!("(barcode=={number} or externalSystemId=={number} or username=={number})");
    library.first("/users", "users", &cql).await?.ok_or(Failure::UnknownUser)
}

/// Which blocks count: those that keep from borrowing, or those that keep from requests too.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Blocks {
    Borrowing,
    BorrowingAndRequests,
}

/// Whether a patron is inactive or blocked.
pub(super) async fn is_blocked(library: &Library<'_>, user: &Value, which: Blocks) -> Result<bool, String> {
    if user["active"] != true {
        return Ok(true);
    }
    let id = id(user);
    let has = |block: &Value, borrowing: &str, requests: &str| {
        block[borrowing] == true || (which == Blocks::BorrowingAndRequests && block[requests] == true)
    };
    let manual =
        library.find("/manualblocks", "manualblocks", &format!("userId=={}", quote_term(id))).await?;
    if manual.iter().any(|block| has(block, "borrowing", "requests")) {
        return Ok(true);
    }
    let automated = library.get(&format!("/automated-patron-blocks/{id}")).await?;
    let mut automated = automated["automatedPatronBlocks"].as_array().into_iter().flatten();
    Ok(automated.any(|block| has(block, "blockBorrowing", "blockRequests")))
}

pub(super) fn id(record: &Value) -> &str {
    record["id"].as_str().unwrap_or_default()
}
