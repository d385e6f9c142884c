create table "oa_refdata_category" (
  id uuid primary key,
  doc json not null,
  "desc" text collate "C",
  filled bigint
);
create function "oa_refdata_category_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."desc" := doc ->> 'desc';
  new.filled := 0;
  return new;
end $$;
create trigger "oa_refdata_category_columns_new" before insert on "oa_refdata_category"
  for each row when (new.filled is null) execute function "oa_refdata_category_columns"();
create trigger "oa_refdata_category_columns_changed" before update on "oa_refdata_category"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_refdata_category_columns"();
create unique index "oa_refdata_category_desc_unique" on "oa_refdata_category" ("desc");
create table "oa_refdata_value" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  "value" text collate "C",
  filled bigint
);
create function "oa_refdata_value_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new."value" := doc ->> 'value';
  new.filled := 0;
  return new;
end $$;
create trigger "oa_refdata_value_columns_new" before insert on "oa_refdata_value"
  for each row when (new.filled is null) execute function "oa_refdata_value_columns"();
create trigger "oa_refdata_value_columns_changed" before update on "oa_refdata_value"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_refdata_value_columns"();
create unique index "oa_refdata_value_owner_value_unique" on "oa_refdata_value" ("owner", "value");
create table "oa_app_setting" (
  id uuid primary key,
  doc json not null
);
create table "oa_checklist_item_definition" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "oa_checklist_item_definition_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := doc ->> 'name';
  new.filled := 0;
  return new;
end $$;
create trigger "oa_checklist_item_definition_columns_new" before insert on "oa_checklist_item_definition"
  for each row when (new.filled is null) execute function "oa_checklist_item_definition_columns"();
create trigger "oa_checklist_item_definition_columns_changed" before update on "oa_checklist_item_definition"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_checklist_item_definition_columns"();
create unique index "oa_checklist_item_definition_name_unique" on "oa_checklist_item_definition" ("name");
create table "oa_work" (
  id uuid primary key,
  doc json not null
);
create table "oa_title_instance" (
  id uuid primary key,
  doc json not null,
  "work" uuid,
  filled bigint
);
create function "oa_title_instance_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."work" := (doc ->> 'work')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "oa_title_instance_columns_new" before insert on "oa_title_instance"
  for each row when (new.filled is null) execute function "oa_title_instance_columns"();
create trigger "oa_title_instance_columns_changed" before update on "oa_title_instance"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_title_instance_columns"();
create index "oa_title_instance_work_ref" on "oa_title_instance" ("work");
create table "oa_party" (
  id uuid primary key,
  doc json not null,
  "orcidId" text collate "C",
  "mainEmail" text collate "C",
  filled bigint
);
create function "oa_party_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."orcidId" := doc ->> 'orcidId';
  new."mainEmail" := doc ->> 'mainEmail';
  new.filled := 0;
  return new;
end $$;
create trigger "oa_party_columns_new" before insert on "oa_party"
  for each row when (new.filled is null) execute function "oa_party_columns"();
create trigger "oa_party_columns_changed" before update on "oa_party"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_party_columns"();
create unique index "oa_party_orcidId_unique" on "oa_party" ("orcidId");
create unique index "oa_party_mainEmail_unique" on "oa_party" ("mainEmail");
create table "oa_publication_request" (
  id uuid primary key,
  doc json not null,
  "requestNumber" text collate "C",
  "work" uuid,
  filled bigint
);
create function "oa_publication_request_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."requestNumber" := doc ->> 'requestNumber';
  new."work" := (doc ->> 'work')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "oa_publication_request_columns_new" before insert on "oa_publication_request"
  for each row when (new.filled is null) execute function "oa_publication_request_columns"();
create trigger "oa_publication_request_columns_changed" before update on "oa_publication_request"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_publication_request_columns"();
create index "oa_publication_request_requestNumber_order" on "oa_publication_request" ("requestNumber");
create index "oa_publication_request_work_ref" on "oa_publication_request" ("work");
create table "oa_correspondence" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  filled bigint
);
create function "oa_correspondence_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "oa_correspondence_columns_new" before insert on "oa_correspondence"
  for each row when (new.filled is null) execute function "oa_correspondence_columns"();
create trigger "oa_correspondence_columns_changed" before update on "oa_correspondence"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_correspondence_columns"();
create index "oa_correspondence_owner_ref" on "oa_correspondence" ("owner");
create table "oa_charge" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  filled bigint
);
create function "oa_charge_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "oa_charge_columns_new" before insert on "oa_charge"
  for each row when (new.filled is null) execute function "oa_charge_columns"();
create trigger "oa_charge_columns_changed" before update on "oa_charge"
  for each row when (new.filled is not distinct from old.filled) execute function "oa_charge_columns"();
create index "oa_charge_owner_ref" on "oa_charge" ("owner");
alter table "oa_refdata_value" add constraint "oa_refdata_value_owner_fkey" foreign key ("owner") references "oa_refdata_category" (id);
alter table "oa_title_instance" add constraint "oa_title_instance_work_fkey" foreign key ("work") references "oa_work" (id);
alter table "oa_publication_request" add constraint "oa_publication_request_work_fkey" foreign key ("work") references "oa_work" (id);
alter table "oa_correspondence" add constraint "oa_correspondence_owner_fkey" foreign key ("owner") references "oa_publication_request" (id);
alter table "oa_charge" add constraint "oa_charge_owner_fkey" foreign key ("owner") references "oa_publication_request" (id);
create sequence oa_request_number;
