-- mod-configuration: what was done to each entry.

create table "audit_config_data" (
  id uuid primary key,
  doc json not null,
  "createdDate" text collate "C",
  filled bigint
);
create function "audit_config_data_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."createdDate" := doc ->> 'createdDate';
  new.filled := 0;
  return new;
end $$;
create trigger "audit_config_data_columns_new" before insert on "audit_config_data"
  for each row when (new.filled is null) execute function "audit_config_data_columns"();
create trigger "audit_config_data_columns_changed" before update on "audit_config_data"
  for each row when (new.filled is not distinct from old.filled) execute function "audit_config_data_columns"();
create index "audit_config_data_createdDate_order" on "audit_config_data" ("createdDate");
create function audit_config_data() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  at text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"');
  changed json := case tg_op when 'DELETE' then old.doc else new.doc end;
begin
  if changed ->> 'userId' is not null then
    return null;
  end if;
  insert into audit_config_data (id, doc, "createdDate", filled)
  values (
    entry,
    json_build_object('id', entry, 'operation', left(tg_op, 1), 'createdDate', at, 'config_data', changed),
    at,
    1
  );
  return null;
end $$;
create trigger audit_config_data after insert or update or delete on config_data
  for each row execute function audit_config_data()
