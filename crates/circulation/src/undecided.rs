//! Why a decision has come to no plan.

use octavo_kernel::{Fault, Refusal};

#[derive(Debug)]
pub enum Undecided {
    /// The command is refused.
    Refused(Fault),
    /// The facts are a part of what there is, and the answer lies in the rest: of a long request queue, or of the loans that
    /// a payment ends. The decision has to be made again when that is read too.
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
