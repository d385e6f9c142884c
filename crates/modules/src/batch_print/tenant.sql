-- Files to print, in hexadecimal, apart from their entries: a list of entries reads none of them.
create table print_content (
  id uuid primary key references print_entry (id) on delete cascade,
  content text not null,
  -- The letter of the ledger.
  notice_id uuid
)
