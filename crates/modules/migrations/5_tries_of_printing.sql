alter table print_content add column tries bigint not null default 0;
create index print_content_tried on print_content (tries) where tries > 0;
