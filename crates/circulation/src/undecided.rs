//! Why a decision has made no plan.

use octavo_kernel::{Fault, Refusal};

#[derive(Debug)]
pub enum Undecided {
    Refused(Fault),
    /// The decision needs facts that were not read: the rest of a long request queue, or the loans that a payment ends. It has to be made
    /// again with them.
    ReadMore,
}

impl From<Fault> for Undecided {
    fn from(fault: Fault) -> Undecided {
        Undecided::Refused(fault)
    }
}

impl From<Refusal> for Undecided {
    fn from(refusal: Refusal) -> Undecided {
        Undecided::Refused(refusal.into())
    }
}
