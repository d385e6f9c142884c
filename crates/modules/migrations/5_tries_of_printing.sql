alter table print_content add column if not exists tries bigint not null default 0;
--: alone
create index concurrently print_content_tried on print_content (tries) where tries > 0;
