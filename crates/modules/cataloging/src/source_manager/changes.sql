-- A trial does not keep what it writes, but what it would do.
alter table job_execution add column is_trial boolean not null default false;

-- Stored records that a job has changed or deleted, as they were before: what undoing it takes. Of a trial, what it would make too, with the
-- record as it would be.
create table import_change (
  job uuid not null,
  place bigint not null,
  number bigint generated always as identity,
  entity text not null,
  id uuid not null,
  before json,
  after json,
  version bigint,
  primary key (job, place, number)
);

-- How far a job is undone: the records of the file are taken from the last to the first.
create table import_undo (
  job uuid primary key references job_execution (id) on delete cascade,
  by_user uuid,
  started timestamptz not null default now(),
  ended timestamptz,
  position bigint not null,
  undone bigint not null default 0,
  kept bigint not null default 0
);

-- Records that could not be undone, with the reason.
create table import_kept (
  job uuid not null references import_undo (job) on delete cascade,
  place bigint not null,
  reason text not null,
  primary key (job, place)
);

-- The versions that undoing has given to records which the job had changed several times.
create table import_restored (
  job uuid not null references import_undo (job) on delete cascade,
  id uuid not null,
  version bigint not null,
  primary key (job, id)
)
