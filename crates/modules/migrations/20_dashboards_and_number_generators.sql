create table "servint_refdata_category" (
  id uuid primary key,
  doc json not null,
  "desc" text collate "C",
  filled bigint
);
create function "servint_refdata_category_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."desc" := doc ->> 'desc';
  new.filled := 0;
  return new;
end $$;
create trigger "servint_refdata_category_columns_new" before insert on "servint_refdata_category"
  for each row when (new.filled is null) execute function "servint_refdata_category_columns"();
create trigger "servint_refdata_category_columns_changed" before update on "servint_refdata_category"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_refdata_category_columns"();
create unique index "servint_refdata_category_desc_unique" on "servint_refdata_category" ("desc");
create table "servint_refdata_value" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  "value" text collate "C",
  filled bigint
);
create function "servint_refdata_value_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new."value" := doc ->> 'value';
  new.filled := 0;
  return new;
end $$;
create trigger "servint_refdata_value_columns_new" before insert on "servint_refdata_value"
  for each row when (new.filled is null) execute function "servint_refdata_value_columns"();
create trigger "servint_refdata_value_columns_changed" before update on "servint_refdata_value"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_refdata_value_columns"();
create unique index "servint_refdata_value_owner_value_unique" on "servint_refdata_value" ("owner", "value");
create table "servint_app_setting" (
  id uuid primary key,
  doc json not null
);
create table "servint_dashboard" (
  id uuid primary key,
  doc json not null
);
create table "servint_dashboard_access" (
  id uuid primary key,
  doc json not null,
  "dashboard" uuid,
  "user" uuid,
  "access" uuid,
  filled bigint
);
create function "servint_dashboard_access_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."dashboard" := (doc ->> 'dashboard')::uuid;
  new."user" := (doc ->> 'user')::uuid;
  new."access" := (doc ->> 'access')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "servint_dashboard_access_columns_new" before insert on "servint_dashboard_access"
  for each row when (new.filled is null) execute function "servint_dashboard_access_columns"();
create trigger "servint_dashboard_access_columns_changed" before update on "servint_dashboard_access"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_dashboard_access_columns"();
create unique index "servint_dashboard_access_dashboard_user_unique" on "servint_dashboard_access" ("dashboard", "user");
create index "servint_dashboard_access_user_order" on "servint_dashboard_access" ("user");
create index "servint_dashboard_access_access_ref" on "servint_dashboard_access" ("access");
create table "servint_dashboard_display_data" (
  id uuid primary key,
  doc json not null,
  "dashId" uuid,
  filled bigint
);
create function "servint_dashboard_display_data_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."dashId" := (doc ->> 'dashId')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "servint_dashboard_display_data_columns_new" before insert on "servint_dashboard_display_data"
  for each row when (new.filled is null) execute function "servint_dashboard_display_data_columns"();
create trigger "servint_dashboard_display_data_columns_changed" before update on "servint_dashboard_display_data"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_dashboard_display_data_columns"();
create unique index "servint_dashboard_display_data_dashId_unique" on "servint_dashboard_display_data" ("dashId");
create table "servint_widget_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "typeVersion" text collate "C",
  filled bigint
);
create function "servint_widget_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := doc ->> 'name';
  new."typeVersion" := doc ->> 'typeVersion';
  new.filled := 0;
  return new;
end $$;
create trigger "servint_widget_type_columns_new" before insert on "servint_widget_type"
  for each row when (new.filled is null) execute function "servint_widget_type_columns"();
create trigger "servint_widget_type_columns_changed" before update on "servint_widget_type"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_widget_type_columns"();
create unique index "servint_widget_type_name_typeVersion_unique" on "servint_widget_type" ("name", "typeVersion");
create table "servint_widget_definition" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "definitionVersion" text collate "C",
  filled bigint
);
create function "servint_widget_definition_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := doc ->> 'name';
  new."definitionVersion" := doc ->> 'definitionVersion';
  new.filled := 0;
  return new;
end $$;
create trigger "servint_widget_definition_columns_new" before insert on "servint_widget_definition"
  for each row when (new.filled is null) execute function "servint_widget_definition_columns"();
create trigger "servint_widget_definition_columns_changed" before update on "servint_widget_definition"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_widget_definition_columns"();
create unique index "servint_widget_definition_name_definitionVersion_unique" on "servint_widget_definition" ("name", "definitionVersion");
create table "servint_widget_instance" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  filled bigint
);
create function "servint_widget_instance_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "servint_widget_instance_columns_new" before insert on "servint_widget_instance"
  for each row when (new.filled is null) execute function "servint_widget_instance_columns"();
create trigger "servint_widget_instance_columns_changed" before update on "servint_widget_instance"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_widget_instance_columns"();
create index "servint_widget_instance_owner_ref" on "servint_widget_instance" ("owner");
create table "servint_number_generator" (
  id uuid primary key,
  doc json not null,
  "code" text collate "C",
  filled bigint
);
create function "servint_number_generator_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."code" := doc ->> 'code';
  new.filled := 0;
  return new;
end $$;
create trigger "servint_number_generator_columns_new" before insert on "servint_number_generator"
  for each row when (new.filled is null) execute function "servint_number_generator_columns"();
create trigger "servint_number_generator_columns_changed" before update on "servint_number_generator"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_number_generator_columns"();
create unique index "servint_number_generator_code_unique" on "servint_number_generator" ("code");
create table "servint_number_generator_sequence" (
  id uuid primary key,
  doc json not null,
  "owner" uuid,
  "code" text collate "C",
  "checkDigitAlgo" uuid,
  "maximumCheck" uuid,
  filled bigint
);
create function "servint_number_generator_sequence_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."owner" := (doc ->> 'owner')::uuid;
  new."code" := doc ->> 'code';
  new."checkDigitAlgo" := (doc ->> 'checkDigitAlgo')::uuid;
  new."maximumCheck" := (doc ->> 'maximumCheck')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "servint_number_generator_sequence_columns_new" before insert on "servint_number_generator_sequence"
  for each row when (new.filled is null) execute function "servint_number_generator_sequence_columns"();
create trigger "servint_number_generator_sequence_columns_changed" before update on "servint_number_generator_sequence"
  for each row when (new.filled is not distinct from old.filled) execute function "servint_number_generator_sequence_columns"();
create unique index "servint_number_generator_sequence_owner_code_unique" on "servint_number_generator_sequence" ("owner", "code");
create index "servint_number_generator_sequence_checkDigitAlgo_ref" on "servint_number_generator_sequence" ("checkDigitAlgo");
create index "servint_number_generator_sequence_maximumCheck_ref" on "servint_number_generator_sequence" ("maximumCheck");
alter table "servint_refdata_value" add constraint "servint_refdata_value_owner_fkey" foreign key ("owner") references "servint_refdata_category" (id);
alter table "servint_dashboard_access" add constraint "servint_dashboard_access_dashboard_fkey" foreign key ("dashboard") references "servint_dashboard" (id);
alter table "servint_dashboard_access" add constraint "servint_dashboard_access_access_fkey" foreign key ("access") references "servint_refdata_value" (id);
alter table "servint_widget_instance" add constraint "servint_widget_instance_owner_fkey" foreign key ("owner") references "servint_dashboard" (id);
alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_owner_fkey" foreign key ("owner") references "servint_number_generator" (id);
alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_checkDigitAlgo_fkey" foreign key ("checkDigitAlgo") references "servint_refdata_value" (id);
alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_maximumCheck_fkey" foreign key ("maximumCheck") references "servint_refdata_value" (id);
