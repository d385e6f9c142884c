//! Check-out: an item goes to a patron.
//!
//! All reasons to refuse are reported together, in FOLIO's order.

mod lend;
mod validate;

use octavo_kernel::Fault;

use crate::Undecided;
use crate::command::CheckOut;
use crate::facts::Facts;
use crate::moment::{parse_moment, utc};
use crate::plan::Plan;

pub(crate) use lend::fill_request;

#[cfg(test)]
mod tests;

pub fn check_out(facts: &Facts, command: &CheckOut) -> Result<Plan, Undecided> {
    let loan_date = match command.loan_date.as_deref().filter(|text| !text.trim().is_empty()) {
        None => utc(facts.now()),
        Some(text) => parse_moment(text)
            .ok_or_else(|| Fault::bad_request(format!("Text '{text}' could not be parsed as a date")))?,
    };
    let ready = validate::validate(facts, command, loan_date.timestamp())?;
    lend::lend(facts, command, &ready, &loan_date)
}
