-- The jobs of all tenants that have records to import, and which process works on them.
create table octavo.import_jobs (
  tenant text not null references octavo.tenants (id) on delete cascade,
  job uuid not null,
  -- When it was worked on last: tenants, and the jobs of a tenant, take turns.
  turn timestamptz not null default '-infinity',
  due timestamptz not null default now(),
  claimed_by uuid,
  claimed_until timestamptz,
  -- How often in succession nothing could be done, not by the fault of a record, and why.
  failures bigint not null default 0,
  error text,
  primary key (tenant, job)
)
