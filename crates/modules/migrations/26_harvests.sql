create table "oai_set" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "setSpec" text collate "C",
  "updatedDate" text collate "C",
  filled bigint
);

create function "oai_set_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new."setSpec" := octavo.fold(doc ->> 'setSpec');
  new."updatedDate" := doc ->> 'updatedDate';
  new.filled := 0;
  return new;
end $$;

create trigger "oai_set_columns_new" before insert on "oai_set"
  for each row when (new.filled is null) execute function "oai_set_columns"();

create trigger "oai_set_columns_changed" before update on "oai_set"
  for each row when (new.filled is not distinct from old.filled) execute function "oai_set_columns"();

create unique index "oai_set_name_unique" on "oai_set" ("name");

create unique index "oai_set_setSpec_unique" on "oai_set" ("setSpec");

create index "oai_set_updatedDate_order" on "oai_set" ("updatedDate");
