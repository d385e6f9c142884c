//! The record types of mod-feesfines. The module `circulation` charges fees, `feesfines` pays and cancels them; both use these records.

mod automatic;
mod records;
mod validate;

pub use automatic::refuse_automatic;
pub use records::ALL;
pub use records::{
    ACCOUNT, ACTION, FEE_FINE, LOST_ITEM_FEE_POLICY, MANUAL_BLOCK, OVERDUE_FINE_POLICY, OWNER,
};
