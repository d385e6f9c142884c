//! The record types of mod-feesfines, below the operations on them: `circulation` charges fees, and `feesfines` has it decide
//! about those that are paid or cancelled.

mod automatic;
mod records;
mod validate;

pub use automatic::refuse_automatic;
pub use records::ALL;
pub use records::{
    ACCOUNT, ACTION, FEE_FINE, LOST_ITEM_FEE_POLICY, MANUAL_BLOCK, OVERDUE_FINE_POLICY, OWNER,
};
