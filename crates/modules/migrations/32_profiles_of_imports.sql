create table "marc_field_protection_settings" (
  id uuid primary key,
  doc json not null
);
create table "forms_configs" (
  id uuid primary key,
  doc json not null,
  "formName" text collate "C",
  filled bigint
);
create function "forms_configs_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."formName" := doc ->> 'formName';
  new.filled := 0;
  return new;
end $$;
create trigger "forms_configs_columns_new" before insert on "forms_configs"
  for each row when (new.filled is null) execute function "forms_configs_columns"();
create trigger "forms_configs_columns_changed" before update on "forms_configs"
  for each row when (new.filled is not distinct from old.filled) execute function "forms_configs_columns"();
create unique index "forms_configs_formName_unique" on "forms_configs" ("formName");
create table "job_profiles" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "job_profiles_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new.filled := 0;
  return new;
end $$;
create trigger "job_profiles_columns_new" before insert on "job_profiles"
  for each row when (new.filled is null) execute function "job_profiles_columns"();
create trigger "job_profiles_columns_changed" before update on "job_profiles"
  for each row when (new.filled is not distinct from old.filled) execute function "job_profiles_columns"();
create index "job_profiles_name_order" on "job_profiles" ("name");
create table "match_profiles" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "match_profiles_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new.filled := 0;
  return new;
end $$;
create trigger "match_profiles_columns_new" before insert on "match_profiles"
  for each row when (new.filled is null) execute function "match_profiles_columns"();
create trigger "match_profiles_columns_changed" before update on "match_profiles"
  for each row when (new.filled is not distinct from old.filled) execute function "match_profiles_columns"();
create index "match_profiles_name_order" on "match_profiles" ("name");
create table "action_profiles" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "action_profiles_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new.filled := 0;
  return new;
end $$;
create trigger "action_profiles_columns_new" before insert on "action_profiles"
  for each row when (new.filled is null) execute function "action_profiles_columns"();
create trigger "action_profiles_columns_changed" before update on "action_profiles"
  for each row when (new.filled is not distinct from old.filled) execute function "action_profiles_columns"();
create index "action_profiles_name_order" on "action_profiles" ("name");
create table "mapping_profiles" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "mapping_profiles_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new.filled := 0;
  return new;
end $$;
create trigger "mapping_profiles_columns_new" before insert on "mapping_profiles"
  for each row when (new.filled is null) execute function "mapping_profiles_columns"();
create trigger "mapping_profiles_columns_changed" before update on "mapping_profiles"
  for each row when (new.filled is not distinct from old.filled) execute function "mapping_profiles_columns"();
create index "mapping_profiles_name_order" on "mapping_profiles" ("name");
create table "profile_wrappers" (
  id uuid primary key,
  doc json not null,
  "profileId" uuid,
  "profileType" text collate "C",
  filled bigint
);
create function "profile_wrappers_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."profileId" := (doc ->> 'profileId')::uuid;
  new."profileType" := doc ->> 'profileType';
  new.filled := 0;
  return new;
end $$;
create trigger "profile_wrappers_columns_new" before insert on "profile_wrappers"
  for each row when (new.filled is null) execute function "profile_wrappers_columns"();
create trigger "profile_wrappers_columns_changed" before update on "profile_wrappers"
  for each row when (new.filled is not distinct from old.filled) execute function "profile_wrappers_columns"();
create index "profile_wrappers_profileId_order" on "profile_wrappers" ("profileId");
create table "profile_associations" (
  id uuid primary key,
  doc json not null,
  "masterProfileId" uuid,
  "detailProfileId" uuid,
  "masterWrapperId" uuid,
  "detailWrapperId" uuid,
  "jobProfileId" uuid,
  "masterProfileType" text collate "C",
  "detailProfileType" text collate "C",
  filled bigint
);
create function "profile_associations_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."masterProfileId" := (doc ->> 'masterProfileId')::uuid;
  new."detailProfileId" := (doc ->> 'detailProfileId')::uuid;
  new."masterWrapperId" := (doc ->> 'masterWrapperId')::uuid;
  new."detailWrapperId" := (doc ->> 'detailWrapperId')::uuid;
  new."jobProfileId" := (doc ->> 'jobProfileId')::uuid;
  new."masterProfileType" := doc ->> 'masterProfileType';
  new."detailProfileType" := doc ->> 'detailProfileType';
  new.filled := 0;
  return new;
end $$;
create trigger "profile_associations_columns_new" before insert on "profile_associations"
  for each row when (new.filled is null) execute function "profile_associations_columns"();
create trigger "profile_associations_columns_changed" before update on "profile_associations"
  for each row when (new.filled is not distinct from old.filled) execute function "profile_associations_columns"();
create index "profile_associations_masterProfileId_order" on "profile_associations" ("masterProfileId");
create index "profile_associations_detailProfileId_order" on "profile_associations" ("detailProfileId");
create index "profile_associations_masterWrapperId_order" on "profile_associations" ("masterWrapperId");
create index "profile_associations_detailWrapperId_order" on "profile_associations" ("detailWrapperId");
create index "profile_associations_jobProfileId_order" on "profile_associations" ("jobProfileId");
create table "profile_snapshots" (
  id uuid primary key,
  doc json not null
);
create table "file_extensions" (
  id uuid primary key,
  doc json not null,
  "extension" text collate "C",
  filled bigint
);
create function "file_extensions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."extension" := octavo.fold(doc ->> 'extension');
  new.filled := 0;
  return new;
end $$;
create trigger "file_extensions_columns_new" before insert on "file_extensions"
  for each row when (new.filled is null) execute function "file_extensions_columns"();
create trigger "file_extensions_columns_changed" before update on "file_extensions"
  for each row when (new.filled is not distinct from old.filled) execute function "file_extensions_columns"();
create unique index "file_extensions_extension_unique" on "file_extensions" ("extension");
create index "file_extensions_extension_order" on "file_extensions" ("extension");
create table "upload_definitions" (
  id uuid primary key,
  doc json not null,
  "metadata.createdByUserId" uuid,
  "metadata.updatedDate" text collate "C",
  filled bigint
);
create function "upload_definitions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."metadata.createdByUserId" := (doc #>> '{metadata,createdByUserId}')::uuid;
  new."metadata.updatedDate" := doc #>> '{metadata,updatedDate}';
  new.filled := 0;
  return new;
end $$;
create trigger "upload_definitions_columns_new" before insert on "upload_definitions"
  for each row when (new.filled is null) execute function "upload_definitions_columns"();
create trigger "upload_definitions_columns_changed" before update on "upload_definitions"
  for each row when (new.filled is not distinct from old.filled) execute function "upload_definitions_columns"();
create index "upload_definitions_metadata_createdByUserId_order" on "upload_definitions" ("metadata.createdByUserId");
create index "upload_definitions_metadata_updatedDate_order" on "upload_definitions" ("metadata.updatedDate");
-- All profiles that imports are made of, each with its kind.
create view import_profile as
  select 'JOB_PROFILE' as kind, id, doc from job_profiles
  union all select 'MATCH_PROFILE', id, doc from match_profiles
  union all select 'ACTION_PROFILE', id, doc from action_profiles
  union all select 'MAPPING_PROFILE', id, doc from mapping_profiles;
-- What is above or below a place goes with it.
alter table profile_associations
  add constraint profile_associations_master_fkey foreign key ("masterWrapperId")
    references profile_wrappers on delete cascade,
  add constraint profile_associations_detail_fkey foreign key ("detailWrapperId")
    references profile_wrappers on delete cascade;
-- A match or a mapping has a place of its own wherever it is used: the place goes when it is taken out.
create function place_taken_out() returns trigger language plpgsql as $$
begin
  delete from profile_wrappers w where w.id = old."detailWrapperId"
    and not exists (select from profile_associations a where a."detailWrapperId" = w.id);
  return null;
end $$;
create trigger place_taken_out after delete on profile_associations
  for each row when (old."detailProfileType" in ('MATCH_PROFILE', 'MAPPING_PROFILE'))
  execute function place_taken_out();
