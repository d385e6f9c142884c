create table search_feature (
  feature text primary key,
  enabled boolean not null
)
