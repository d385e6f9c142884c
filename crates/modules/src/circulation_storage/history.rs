//! Loan history, `/loan-storage/loan-history`: every state that a loan was in.
//!
//! A trigger writes it, as in FOLIO: so it also holds what other writers than the desk did, record writes and jobs. The
//! clock is the database's, to the microsecond, so that two changes in one transaction keep their order.

use octavo_record::{Field, Index, RecordType};

/// Read only; no path changes it.
pub static LOAN_HISTORY: RecordType = RecordType {
    name: "loan history item",
    table: "audit_loan",
    path: "/loan-storage/loan-history",
    collection: "loansHistory",
    schema: include_str!("../../folio/records/mod-circulation-storage/loans-history-item.tsv"),
    fields: &[Field::uuid("loan.id").indexed(&[Index::Order])],
    metadata: false,
    ..RecordType::BASE
};

pub(super) const SCRIPT: &str = "\
create function audit_loan() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  loan json := case tg_op when 'DELETE' then old.doc else new.doc end;
  doc json := json_build_object(
    'id', entry,
    'operation', left(tg_op, 1),
    'createdDate', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"+00:00\"'),
    'loan', loan
  );
begin
  insert into audit_loan (id, doc, \"loan.id\", filled_for)
  values (entry, doc, case tg_op when 'DELETE' then old.id else new.id end, hashtextextended(doc::text, 0));
  return null;
end $$;
create trigger audit_loan after insert or update or delete on loan for each row execute function audit_loan()";
