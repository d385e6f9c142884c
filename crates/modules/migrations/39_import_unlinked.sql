-- Links of instances to authorities that a job has ended, with the record of its file.
create table import_unlinked (
  job uuid not null references job_execution (id) on delete cascade,
  place bigint not null,
  instance uuid not null,
  authority uuid not null,
  rule bigint not null,
  primary key (job, place, instance, authority, rule)
)
