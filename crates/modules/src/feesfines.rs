//! mod-feesfines 19.1.0, as far as it is records: owners, types, policies, manual blocks, accounts. Paying, waiving and
//! their kin are not built yet and answer 501.

mod records;

use octavo_engine::Module;

pub use records::{ACCOUNT, ACTION, LOST_ITEM_FEE_POLICY, MANUAL_BLOCK, OVERDUE_FINE_POLICY};

pub static MODULE: Module = Module { name: "mod-feesfines", records: records::ALL, ..Module::BASE };
