//! Record types by their tables.

use octavo_modules::MODULES;
use octavo_record::RecordType;

pub(super) fn record_type(table: &str) -> &'static RecordType {
    let mut all = MODULES.iter().flat_map(|module| module.tables());
    all.find(|record| record.table == table).unwrap_or_else(|| panic!("no table {table}"))
}
