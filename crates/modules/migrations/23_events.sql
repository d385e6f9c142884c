create table event (
  transaction xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type text not null,
  by_user uuid,
  payload json not null
);
create index event_at on event using brin (at) with (autosummarize = on);
create table "webhook" (
  id uuid primary key,
  doc json not null
);
create table "refused_event" (
  id uuid primary key,
  doc json not null,
  "consumer" text collate "C",
  "type" text collate "C",
  "refusedDate" text collate "C",
  filled bigint
);
create function "refused_event_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."consumer" := doc ->> 'consumer';
  new."type" := doc ->> 'type';
  new."refusedDate" := doc ->> 'refusedDate';
  new.filled := 0;
  return new;
end $$;
create trigger "refused_event_columns_new" before insert on "refused_event"
  for each row when (new.filled is null) execute function "refused_event_columns"();
create trigger "refused_event_columns_changed" before update on "refused_event"
  for each row when (new.filled is not distinct from old.filled) execute function "refused_event_columns"();
create index "refused_event_refusedDate_order" on "refused_event" ("refusedDate");
create table webhook_secret (
  webhook uuid primary key references webhook (id) on delete cascade,
  secret text not null
);
create function webhook_follows() returns trigger language plpgsql as $$
begin
  perform octavo.follow_events(tg_table_schema, 'webhook:' || new.id);
  return null;
end $$;
create function webhook_ends() returns trigger language plpgsql as $$
begin
  perform octavo.forget_event_consumer(tg_table_schema, 'webhook:' || old.id);
  return null;
end $$;
create trigger webhook_follows after insert on webhook for each row execute function webhook_follows();
create trigger webhook_ends after delete on webhook for each row execute function webhook_ends();
