create table browse_config (
  id text primary key,
  algorithm text not null,
  types uuid[] not null
)
