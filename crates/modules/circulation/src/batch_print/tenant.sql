-- Files to print, in hexadecimal, apart from their entries: a list of entries reads none of them.
create table print_content (
  id uuid primary key references print_entry (id) on delete cascade,
  content text not null,
  -- The notice of the ledger.
  notice_id uuid,
  -- 1 while a file of many notices is made of it, 2 once it is looked at alone; 0 again when that went well.
  tries bigint not null default 0
);
create index print_content_tried on print_content (tries) where tries > 0
