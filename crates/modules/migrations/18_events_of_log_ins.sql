-- mod-login: the log of log-ins and passwords.

create table "event_logs" (
  id uuid primary key,
  doc json not null,
  "userId" text collate "C",
  "eventType" text collate "C",
  "timestamp" text collate "C",
  filled bigint
);

create function "event_logs_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."userId" := doc ->> 'userId';
  new."eventType" := doc ->> 'eventType';
  new."timestamp" := doc ->> 'timestamp';
  new.filled := 0;
  return new;
end $$;

create trigger "event_logs_columns_new" before insert on "event_logs"
  for each row when (new.filled is null) execute function "event_logs_columns"();

create trigger "event_logs_columns_changed" before update on "event_logs"
  for each row when (new.filled is not distinct from old.filled) execute function "event_logs_columns"();

create index "event_logs_userId_order" on "event_logs" ("userId");

create index "event_logs_timestamp_order" on "event_logs" ("timestamp")
