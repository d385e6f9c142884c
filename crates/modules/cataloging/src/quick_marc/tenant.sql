-- What became of records that were created in the MARC editor. Kept for a week.
create table quick_marc_status (
  id uuid primary key,
  job uuid not null,
  described uuid,
  source uuid,
  error text,
  created timestamptz not null default now()
);

create index quick_marc_status_created on quick_marc_status (created)
