create table "authority_note_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "authority_note_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := doc ->> 'name';
  new.filled := 0;
  return new;
end $$;
create trigger "authority_note_type_columns_new" before insert on "authority_note_type"
  for each row when (new.filled is null) execute function "authority_note_type_columns"();
create trigger "authority_note_type_columns_changed" before update on "authority_note_type"
  for each row when (new.filled is not distinct from old.filled) execute function "authority_note_type_columns"();
create unique index "authority_note_type_name_unique" on "authority_note_type" ("name");
create table "authority_source_file" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "baseUrl" text collate "C",
  filled bigint
);
create function "authority_source_file_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := doc ->> 'name';
  new."baseUrl" := regexp_replace(doc ->> 'baseUrl', '^https?://', '');
  new.filled := 0;
  return new;
end $$;
create trigger "authority_source_file_columns_new" before insert on "authority_source_file"
  for each row when (new.filled is null) execute function "authority_source_file_columns"();
create trigger "authority_source_file_columns_changed" before update on "authority_source_file"
  for each row when (new.filled is not distinct from old.filled) execute function "authority_source_file_columns"();
create unique index "authority_source_file_name_unique" on "authority_source_file" ("name");
create unique index "authority_source_file_baseUrl_unique" on "authority_source_file" ("baseUrl");
create table "authority" (
  id uuid primary key,
  doc json not null,
  "naturalId" text collate "C",
  "sourceFileId" uuid,
  filled bigint
);
create function "authority_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."naturalId" := left(doc ->> 'naturalId', 600);
  new."sourceFileId" := (doc ->> 'sourceFileId')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "authority_columns_new" before insert on "authority"
  for each row when (new.filled is null) execute function "authority_columns"();
create trigger "authority_columns_changed" before update on "authority"
  for each row when (new.filled is not distinct from old.filled) execute function "authority_columns"();
create index "authority_naturalId_order" on "authority" ("naturalId");
create index "authority_sourceFileId_order" on "authority" ("sourceFileId");
create table "authority_archive" (
  id uuid primary key,
  doc json not null,
  "naturalId" text collate "C",
  "sourceFileId" uuid,
  filled bigint
);
create function "authority_archive_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."naturalId" := left(doc ->> 'naturalId', 600);
  new."sourceFileId" := (doc ->> 'sourceFileId')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "authority_archive_columns_new" before insert on "authority_archive"
  for each row when (new.filled is null) execute function "authority_archive_columns"();
create trigger "authority_archive_columns_changed" before update on "authority_archive"
  for each row when (new.filled is not distinct from old.filled) execute function "authority_archive_columns"();
create index "authority_archive_naturalId_order" on "authority_archive" ("naturalId");
create index "authority_archive_sourceFileId_order" on "authority_archive" ("sourceFileId");
alter table "authority" add constraint "authority_sourceFileId_fkey" foreign key ("sourceFileId") references "authority_source_file" (id);
alter table "authority_archive" add constraint "authority_archive_sourceFileId_fkey" foreign key ("sourceFileId") references "authority_source_file" (id);
-- A code belongs to one source file. The constraint has the name that the declaration of source files knows it by.
create table authority_source_file_code (
  code text constraint authority_source_file_codes_unique primary key,
  file uuid not null references authority_source_file on delete cascade
);
create index authority_source_file_code_file on authority_source_file_code (file);
create function codes_of_source_file() returns trigger language plpgsql as $$
begin
  delete from authority_source_file_code where file = new.id;
  insert into authority_source_file_code (code, file)
  select distinct code, new.id from json_array_elements_text(new.doc -> 'codes') code;
  return null;
end $$;
create trigger codes_of_source_file after insert or update on authority_source_file
  for each row execute function codes_of_source_file();
-- A deleted authority is kept, and listed where clients ask for deleted ones.
create function archive_authority() returns trigger language plpgsql as $$
begin
  insert into authority_archive (id, doc) values (old.id, old.doc)
  on conflict (id) do update set doc = excluded.doc;
  return null;
end $$;
create trigger authority_archived after delete on authority
  for each row execute function archive_authority();
