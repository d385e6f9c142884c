create table search_job (
  id uuid primary key,
  query text not null,
  entity_type text not null,
  status text not null,
  created timestamptz not null
);
create index search_job_created on search_job (created)
