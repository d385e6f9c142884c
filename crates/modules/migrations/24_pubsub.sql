alter table event add column if not exists published uuid;
--: alone
create index concurrently event_published on event (published) where published is not null;
--: together
create table pubsub_event_type (
  name text primary key,
  descriptor json not null
);
create table pubsub_module (
  id uuid primary key,
  event_type text not null,
  module text not null,
  role text not null,
  callback text,
  since bigint not null,
  unique (module, role, event_type)
);
