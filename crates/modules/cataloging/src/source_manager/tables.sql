-- Import jobs: what staff see of them.
create sequence job_execution_hrid;
create table job_execution (
  id uuid primary key,
  hrid bigint not null default nextval('job_execution_hrid'),
  parent_id uuid not null,
  subordination text not null,
  source_path text,
  file_name text,
  status text not null,
  ui_status text not null,
  error_status text,
  first_name text,
  last_name text,
  user_id uuid not null,
  profile_id uuid,
  profile_name text,
  profile_data_type text,
  profile_hidden boolean not null default false,
  profile_snapshot json,
  started timestamptz not null default now(),
  completed timestamptz,
  part_number bigint not null default 1,
  total_parts bigint not null default 1,
  total_in_file bigint not null default 0,
  progress_current bigint not null default 0,
  progress_total bigint not null default 100,
  -- Records that came to an error.
  failed bigint not null default 0,
  is_deleted boolean not null default false
);
create index job_execution_parent on job_execution (parent_id);
create index job_execution_completed on job_execution (completed);

-- Where a job's records come from, and how many of them are done.
create table import_source (
  job uuid primary key references job_execution (id) on delete cascade,
  -- The file; null where clients send chunks.
  path text,
  -- How the file is written; null until somebody has looked.
  format text,
  encoding text,
  -- In bytes of the file, or records of the chunk that is worked on: all before it are done.
  position bigint not null default 0,
  records bigint not null default 0,
  -- The client has sent its last chunk.
  ended boolean not null default false,
  -- Whether it is known how many records there are.
  counted boolean not null default true,
  -- Nothing is kept but the journal: what would become of the records.
  dry_run boolean not null default false
);

-- Chunks that clients have sent. The body goes when its records are done; the id stays, so that a chunk that comes again is known.
create table import_chunk (
  id uuid primary key,
  job uuid not null references job_execution (id) on delete cascade,
  number bigint generated always as identity,
  body json
);
create index import_chunk_waiting on import_chunk (job, number) where body is not null;
create index import_chunk_job on import_chunk (job);

-- Each record as it came, and what became of it in short. `entities` and `errors` have a bit for each kind of entity.
create table incoming_record (
  id uuid primary key,
  job uuid not null,
  place bigint not null,
  kind text,
  format text not null,
  raw text not null,
  title text,
  entities bigint not null,
  errors bigint not null,
  source_status text,
  instance_status text,
  holdings_status text,
  item_status text,
  order_status text,
  invoice_status text,
  error text
);
create index incoming_record_job on incoming_record (job, place);

-- What a job did, or tried to do, to each entity.
create table journal_record (
  job uuid not null,
  place bigint not null,
  number bigint generated always as identity,
  id uuid not null,
  source uuid not null,
  entity text,
  action text not null,
  error text,
  entity_id uuid,
  entity_hrid text,
  title text,
  instance uuid,
  holdings uuid,
  order_id uuid,
  location uuid,
  at timestamptz not null default now(),
  primary key (job, place, number)
);

-- The sums of a job's summary, kept with each chunk.
create table import_count (
  job uuid not null references job_execution (id) on delete cascade,
  entity text not null,
  created bigint not null,
  updated bigint not null,
  discarded bigint not null,
  errors bigint not null,
  primary key (job, entity)
)
