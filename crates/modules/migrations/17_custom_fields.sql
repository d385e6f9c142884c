-- mod-users: what a library wants to know of its users beyond FOLIO's own members.
--: alone
create index concurrently users_custom_fields on users using gin (((doc -> 'customFields')::jsonb)) where (doc -> 'customFields') is not null;
--: together
create table "custom_fields" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "entityType" text collate "C",
  "order" numeric,
  filled bigint
);

create function "custom_fields_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new."entityType" := octavo.fold(doc ->> 'entityType');
  new."order" := octavo.number(doc ->> 'order');
  new.filled := 0;
  return new;
end $$;

create trigger "custom_fields_columns_new" before insert on "custom_fields"
  for each row when (new.filled is null) execute function "custom_fields_columns"();

create trigger "custom_fields_columns_changed" before update on "custom_fields"
  for each row when (new.filled is not distinct from old.filled) execute function "custom_fields_columns"()
