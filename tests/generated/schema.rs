//! A tenant's tables.

use octavo_engine::migrations::tenant_schema_sql;
use octavo_modules::MODULES;

const ADVICE: &str = "a declaration changed the tables of a tenant. Tenants that exist have to be brought there: add a numbered migration to its \
    module, as crates/engine/src/tenants/migrations.rs says; a test (tenants::migrations) compares what it leaves. \
    Then run `make generated`";

#[test]
fn the_schema_of_a_tenant_is_in_step() {
    let text = format!(
        "-- The tables of a tenant, generated from the record types; not read by anything. `make generated` writes it.\n\n{};\n",
        tenant_schema_sql(MODULES).replace(";\n", ";\n\n")
    );
    crate::assert_up_to_date("crates/modules/schema.sql", &text, ADVICE);
}
