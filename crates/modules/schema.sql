-- The tables of a tenant, generated from the record types; not read by anything. `make generated` writes it.

create table snapshot_count (slot bigint primary key, version bigint not null);

insert into snapshot_count select slot, 0 from generate_series(0, 15) slot;

create view snapshot_version as select sum(version)::bigint as version from snapshot_count;

create rule raise as on update to snapshot_version do instead
  update snapshot_count set version = version + 1 where slot = 0;

create table migration (
  number bigint primary key,
  name text not null,
  applied timestamptz not null default now()
);

create table outbox (
  kind text not null,
  subject uuid not null,
  due timestamptz not null default now(),
  attempts bigint not null default 0,
  claimed boolean not null default false,
  error text,
  abandoned bigint not null default 0,
  primary key (kind, subject)
);

create index outbox_due on outbox (kind, due);

create index outbox_failing on outbox (kind) where error is not null;

create table event (
  transaction xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity primary key,
  at timestamptz not null default now(),
  type text not null,
  by_user uuid,
  payload json not null,
  published uuid
);

create index event_at on event using brin (at) with (autosummarize = on);

create index event_published on event (published) where published is not null;

insert into migration (number, name) values (2, 'words of titles');

insert into migration (number, name) values (3, 'words of users');

insert into migration (number, name) values (4, 'errors of what waits in the outbox');

insert into migration (number, name) values (5, 'how often letters were tried to be printed');

insert into migration (number, name) values (6, 'age of decisions');

insert into migration (number, name) values (7, 'sessions that have ended, and places of log-ins');

insert into migration (number, name) values (8, 'counts of the snapshot');

insert into migration (number, name) values (9, 'changes for the search');

insert into migration (number, name) values (10, 'jobs of ids');

insert into migration (number, name) values (11, 'languages of searches');

insert into migration (number, name) values (12, 'authorities');

insert into migration (number, name) values (13, 'features of searches');

insert into migration (number, name) values (14, 'changes of authorities for the search');

insert into migration (number, name) values (15, 'lists of classification numbers');

insert into migration (number, name) values (16, 'merges of users');

insert into migration (number, name) values (17, 'custom fields');

insert into migration (number, name) values (18, 'events of log-ins');

insert into migration (number, name) values (19, 'changes of configuration entries');

insert into migration (number, name) values (20, 'dashboards and number generators');

insert into migration (number, name) values (21, 'open access');

insert into migration (number, name) values (22, 'single sign-on');

insert into migration (number, name) values (23, 'events');

insert into migration (number, name) values (24, 'publishers and subscribers');

insert into migration (number, name) values (25, 'queues of remote storages');

insert into migration (number, name) values (26, 'harvests');

insert into migration (number, name) values (27, 'transactions with partner libraries');

insert into migration (number, name) values (28, 'circulation log');

insert into migration (number, name) values (29, 'mapping rules of MARC records');

insert into migration (number, name) values (30, 'log of security');

insert into migration (number, name) values (31, 'searches of source records');

insert into migration (number, name) values (32, 'profiles of imports and uploaded files');

insert into migration (number, name) values (33, 'import jobs');

insert into migration (number, name) values (34, 'links to authorities, and the MARC editor');

insert into migration (number, name) values (35, 'profiles of copy cataloging');

insert into migration (number, name) values (36, 'what import jobs have changed');

insert into migration (number, name) values (37, 'pending lists of indexes');

insert into migration (number, name) values (38, 'statistics of circulation');

insert into migration (number, name) values (39, 'links that import jobs have ended');

insert into migration (number, name) values (40, 'what is left out of imported records');

insert into migration (number, name) values (41, 'webhooks that change');

insert into migration (number, name) values (42, 'harvests without loans');

insert into migration (number, name) values (43, 'jobs of uploaded files');

insert into migration (number, name) values (44, 'call numbers of requests, and deleted loans');

create table "groups" (
  id uuid primary key,
  doc json not null,
  "group" text collate "C",
  filled bigint
);

create function "groups_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."group" := octavo.fold(doc ->> 'group');

  new.filled := 0;

  return new;

end $$;

create trigger "groups_columns_new" before insert on "groups"
  for each row when (new.filled is null) execute function "groups_columns"();

create trigger "groups_columns_changed" before update on "groups"
  for each row when (new.filled is not distinct from old.filled) execute function "groups_columns"();

create unique index "groups_group_unique" on "groups" ("group");

create table "addresstype" (
  id uuid primary key,
  doc json not null,
  "addressType" text collate "C",
  filled bigint
);

create function "addresstype_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."addressType" := octavo.fold(doc ->> 'addressType');

  new.filled := 0;

  return new;

end $$;

create trigger "addresstype_columns_new" before insert on "addresstype"
  for each row when (new.filled is null) execute function "addresstype_columns"();

create trigger "addresstype_columns_changed" before update on "addresstype"
  for each row when (new.filled is not distinct from old.filled) execute function "addresstype_columns"();

create unique index "addresstype_addressType_unique" on "addresstype" ("addressType");

create table "departments" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "departments_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "departments_columns_new" before insert on "departments"
  for each row when (new.filled is null) execute function "departments_columns"();

create trigger "departments_columns_changed" before update on "departments"
  for each row when (new.filled is not distinct from old.filled) execute function "departments_columns"();

create unique index "departments_name_unique" on "departments" ("name");

create unique index "departments_code_unique" on "departments" ("code");

create table "users" (
  id uuid primary key,
  doc json not null,
  "username" text collate "C",
  "barcode" text collate "C",
  "externalSystemId" text collate "C",
  "personal.firstName" text collate "C",
  "personal.lastName" text collate "C",
  "personal.preferredFirstName" text collate "C",
  "personal.email" text collate "C",
  "type" text collate "C",
  "active" text collate "C",
  "patronGroup" uuid,
  "expirationDate" text collate "C",
  filled bigint
);

create function "users_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."username" := octavo.fold(doc ->> 'username');

  new."barcode" := octavo.fold(doc ->> 'barcode');

  new."externalSystemId" := octavo.fold(doc ->> 'externalSystemId');

  new."personal.firstName" := octavo.fold(doc #>> '{personal,firstName}');

  new."personal.lastName" := octavo.fold(doc #>> '{personal,lastName}');

  new."personal.preferredFirstName" := octavo.fold(doc #>> '{personal,preferredFirstName}');

  new."personal.email" := octavo.fold(doc #>> '{personal,email}');

  new."type" := octavo.fold(doc ->> 'type');

  new."active" := octavo.fold(doc ->> 'active');

  new."patronGroup" := (doc ->> 'patronGroup')::uuid;

  new."expirationDate" := doc ->> 'expirationDate';

  new.filled := 0;

  return new;

end $$;

create trigger "users_columns_new" before insert on "users"
  for each row when (new.filled is null) execute function "users_columns"();

create trigger "users_columns_changed" before update on "users"
  for each row when (new.filled is not distinct from old.filled) execute function "users_columns"();

create unique index "users_username_unique" on "users" ("username");

create unique index "users_barcode_unique" on "users" ("barcode");

create unique index "users_externalSystemId_unique" on "users" ("externalSystemId");

create index "users_username_words" on "users" using gin (octavo.words("username")) with (gin_pending_list_limit = 256);

create index "users_barcode_words" on "users" using gin (octavo.words("barcode")) with (gin_pending_list_limit = 256);

create index "users_externalSystemId_words" on "users" using gin (octavo.words("externalSystemId")) with (gin_pending_list_limit = 256);

create index "users_personal_firstName_order" on "users" ("personal.firstName");

create index "users_personal_firstName_words" on "users" using gin (octavo.words("personal.firstName")) with (gin_pending_list_limit = 256);

create index "users_personal_lastName_order" on "users" ("personal.lastName");

create index "users_personal_lastName_words" on "users" using gin (octavo.words("personal.lastName")) with (gin_pending_list_limit = 256);

create index "users_personal_preferredFirstName_words" on "users" using gin (octavo.words("personal.preferredFirstName")) with (gin_pending_list_limit = 256);

create index "users_personal_email_order" on "users" ("personal.email");

create index "users_personal_email_words" on "users" using gin (octavo.words("personal.email")) with (gin_pending_list_limit = 256);

create index "users_patronGroup_order" on "users" ("patronGroup");

create table "proxyfor" (
  id uuid primary key,
  doc json not null,
  "userId" text collate "C",
  "proxyUserId" text collate "C",
  filled bigint
);

create function "proxyfor_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := octavo.fold(doc ->> 'userId');

  new."proxyUserId" := octavo.fold(doc ->> 'proxyUserId');

  new.filled := 0;

  return new;

end $$;

create trigger "proxyfor_columns_new" before insert on "proxyfor"
  for each row when (new.filled is null) execute function "proxyfor_columns"();

create trigger "proxyfor_columns_changed" before update on "proxyfor"
  for each row when (new.filled is not distinct from old.filled) execute function "proxyfor_columns"();

create unique index "proxyfor_userId_proxyUserId_unique" on "proxyfor" ("userId", "proxyUserId");

create index "proxyfor_userId_order" on "proxyfor" ("userId");

create index "proxyfor_proxyUserId_order" on "proxyfor" ("proxyUserId");

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
  for each row when (new.filled is not distinct from old.filled) execute function "custom_fields_columns"();

create table "users_configuration" (
  id uuid primary key,
  doc json not null
);

create table "profile_picture" (
  id uuid primary key,
  doc json not null
);

create table "patronpin" (
  id uuid primary key,
  doc json not null
);

create table "user_tenant" (
  id uuid primary key,
  doc json not null,
  "userId" text collate "C",
  "username" text collate "C",
  "tenantId" text collate "C",
  "email" text collate "C",
  filled bigint
);

create function "user_tenant_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := doc ->> 'userId';

  new."username" := lower(doc ->> 'username');

  new."tenantId" := doc ->> 'tenantId';

  new."email" := lower(doc ->> 'email');

  new.filled := 0;

  return new;

end $$;

create trigger "user_tenant_columns_new" before insert on "user_tenant"
  for each row when (new.filled is null) execute function "user_tenant_columns"();

create trigger "user_tenant_columns_changed" before update on "user_tenant"
  for each row when (new.filled is not distinct from old.filled) execute function "user_tenant_columns"();

create index "user_tenant_userId_order" on "user_tenant" ("userId");

create index "user_tenant_username_order" on "user_tenant" ("username");

create index "user_tenant_email_order" on "user_tenant" ("email");

create table "user_merge" (
  id uuid primary key,
  doc json not null,
  "keptUserId" uuid,
  "duplicateUserId" uuid,
  filled bigint
);

create function "user_merge_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."keptUserId" := (doc ->> 'keptUserId')::uuid;

  new."duplicateUserId" := (doc ->> 'duplicateUserId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "user_merge_columns_new" before insert on "user_merge"
  for each row when (new.filled is null) execute function "user_merge_columns"();

create trigger "user_merge_columns_changed" before update on "user_merge"
  for each row when (new.filled is not distinct from old.filled) execute function "user_merge_columns"();

create index "user_merge_keptUserId_order" on "user_merge" ("keptUserId");

create index "user_merge_duplicateUserId_order" on "user_merge" ("duplicateUserId");

create table "auth_credentials" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  filled bigint
);

create function "auth_credentials_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "auth_credentials_columns_new" before insert on "auth_credentials"
  for each row when (new.filled is null) execute function "auth_credentials_columns"();

create trigger "auth_credentials_columns_changed" before update on "auth_credentials"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_credentials_columns"();

create unique index "auth_credentials_userId_unique" on "auth_credentials" ("userId");

create table "auth_credentials_history" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "date" text collate "C",
  filled bigint
);

create function "auth_credentials_history_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."date" := doc ->> 'date';

  new.filled := 0;

  return new;

end $$;

create trigger "auth_credentials_history_columns_new" before insert on "auth_credentials_history"
  for each row when (new.filled is null) execute function "auth_credentials_history_columns"();

create trigger "auth_credentials_history_columns_changed" before update on "auth_credentials_history"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_credentials_history_columns"();

create index "auth_credentials_history_userId_order" on "auth_credentials_history" ("userId");

create table "auth_attempts" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "lastAttempt" text collate "C",
  "attemptCount" numeric,
  filled bigint
);

create function "auth_attempts_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."lastAttempt" := doc ->> 'lastAttempt';

  new."attemptCount" := octavo.number(doc ->> 'attemptCount');

  new.filled := 0;

  return new;

end $$;

create trigger "auth_attempts_columns_new" before insert on "auth_attempts"
  for each row when (new.filled is null) execute function "auth_attempts_columns"();

create trigger "auth_attempts_columns_changed" before update on "auth_attempts"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_attempts_columns"();

create unique index "auth_attempts_userId_unique" on "auth_attempts" ("userId");

create table "auth_password_action" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "expirationTime" text collate "C",
  filled bigint
);

create function "auth_password_action_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."expirationTime" := doc ->> 'expirationTime';

  new.filled := 0;

  return new;

end $$;

create trigger "auth_password_action_columns_new" before insert on "auth_password_action"
  for each row when (new.filled is null) execute function "auth_password_action_columns"();

create trigger "auth_password_action_columns_changed" before update on "auth_password_action"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_password_action_columns"();

create unique index "auth_password_action_userId_unique" on "auth_password_action" ("userId");

create table "refresh_tokens" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "expires" text collate "C",
  "used" text collate "C",
  filled bigint
);

create function "refresh_tokens_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."expires" := doc ->> 'expires';

  new."used" := doc ->> 'used';

  new.filled := 0;

  return new;

end $$;

create trigger "refresh_tokens_columns_new" before insert on "refresh_tokens"
  for each row when (new.filled is null) execute function "refresh_tokens_columns"();

create trigger "refresh_tokens_columns_changed" before update on "refresh_tokens"
  for each row when (new.filled is not distinct from old.filled) execute function "refresh_tokens_columns"();

create index "refresh_tokens_userId_order" on "refresh_tokens" ("userId");

create table "auth_ended_sessions" (
  id uuid primary key,
  doc json not null
);

create table "auth_places" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "lastAttempt" text collate "C",
  filled bigint
);

create function "auth_places_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."lastAttempt" := doc ->> 'lastAttempt';

  new.filled := 0;

  return new;

end $$;

create trigger "auth_places_columns_new" before insert on "auth_places"
  for each row when (new.filled is null) execute function "auth_places_columns"();

create trigger "auth_places_columns_changed" before update on "auth_places"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_places_columns"();

create index "auth_places_userId_order" on "auth_places" ("userId");

create index "auth_places_lastAttempt_order" on "auth_places" ("lastAttempt");

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

create index "event_logs_timestamp_order" on "event_logs" ("timestamp");

create table "sso_settings" (
  id uuid primary key,
  doc json not null
);

create table "sso_used" (
  id uuid primary key,
  doc json not null,
  "expires" text collate "C",
  filled bigint
);

create function "sso_used_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."expires" := doc ->> 'expires';

  new.filled := 0;

  return new;

end $$;

create trigger "sso_used_columns_new" before insert on "sso_used"
  for each row when (new.filled is null) execute function "sso_used_columns"();

create trigger "sso_used_columns_changed" before update on "sso_used"
  for each row when (new.filled is not distinct from old.filled) execute function "sso_used_columns"();

create index "sso_used_expires_order" on "sso_used" ("expires");

create table "permissions" (
  id uuid primary key,
  doc json not null,
  "permissionName" text collate "C",
  "displayName" text collate "C",
  "mutable" text collate "C",
  "visible" text collate "C",
  "dummy" text collate "C",
  "deprecated" text collate "C",
  "moduleName" text collate "C",
  filled bigint
);

create function "permissions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."permissionName" := doc ->> 'permissionName';

  new."displayName" := octavo.fold(doc ->> 'displayName');

  new."mutable" := doc ->> 'mutable';

  new."visible" := doc ->> 'visible';

  new."dummy" := doc ->> 'dummy';

  new."deprecated" := doc ->> 'deprecated';

  new."moduleName" := doc ->> 'moduleName';

  new.filled := 0;

  return new;

end $$;

create trigger "permissions_columns_new" before insert on "permissions"
  for each row when (new.filled is null) execute function "permissions_columns"();

create trigger "permissions_columns_changed" before update on "permissions"
  for each row when (new.filled is not distinct from old.filled) execute function "permissions_columns"();

create unique index "permissions_permissionName_unique" on "permissions" ("permissionName");

create index "permissions_displayName_order" on "permissions" ("displayName");

create index "permissions_moduleName_order" on "permissions" ("moduleName");

create table "permissions_users" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  filled bigint
);

create function "permissions_users_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "permissions_users_columns_new" before insert on "permissions_users"
  for each row when (new.filled is null) execute function "permissions_users_columns"();

create trigger "permissions_users_columns_changed" before update on "permissions_users"
  for each row when (new.filled is not distinct from old.filled) execute function "permissions_users_columns"();

create unique index "permissions_users_userId_unique" on "permissions_users" ("userId");

create table "config_data" (
  id uuid primary key,
  doc json not null,
  "module" text collate "C",
  "configName" text collate "C",
  "code" text collate "C",
  "userId" text collate "C",
  filled bigint
);

create function "config_data_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."module" := octavo.fold(doc ->> 'module');

  new."configName" := octavo.fold(doc ->> 'configName');

  new."code" := octavo.fold(coalesce(doc ->> 'code', ''));

  new."userId" := octavo.fold(coalesce(doc ->> 'userId', ''));

  new.filled := 0;

  return new;

end $$;

create trigger "config_data_columns_new" before insert on "config_data"
  for each row when (new.filled is null) execute function "config_data_columns"();

create trigger "config_data_columns_changed" before update on "config_data"
  for each row when (new.filled is not distinct from old.filled) execute function "config_data_columns"();

create unique index "config_data_module_configName_code_userId_unique" on "config_data" ("module", "configName", "code", "userId") where doc ->> 'enabled' = 'true';

create index "config_data_module_order" on "config_data" ("module");

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

create table "settings" (
  id uuid primary key,
  doc json not null,
  "scope" text collate "C",
  "key" text collate "C",
  "userId" text collate "C",
  "owner" text collate "C",
  filled bigint
);

create function "settings_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."scope" := doc ->> 'scope';

  new."key" := doc ->> 'key';

  new."userId" := doc ->> 'userId';

  new."owner" := coalesce(doc ->> 'userId', '');

  new.filled := 0;

  return new;

end $$;

create trigger "settings_columns_new" before insert on "settings"
  for each row when (new.filled is null) execute function "settings_columns"();

create trigger "settings_columns_changed" before update on "settings"
  for each row when (new.filled is not distinct from old.filled) execute function "settings_columns"();

create unique index "settings_scope_key_owner_unique" on "settings" ("scope", "key", "owner");

create table "tags" (
  id uuid primary key,
  doc json not null,
  "label" text collate "C",
  filled bigint
);

create function "tags_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."label" := doc ->> 'label';

  new.filled := 0;

  return new;

end $$;

create trigger "tags_columns_new" before insert on "tags"
  for each row when (new.filled is null) execute function "tags_columns"();

create trigger "tags_columns_changed" before update on "tags"
  for each row when (new.filled is not distinct from old.filled) execute function "tags_columns"();

create unique index "tags_label_unique" on "tags" ("label");

create table "material_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "material_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "material_type_columns_new" before insert on "material_type"
  for each row when (new.filled is null) execute function "material_type_columns"();

create trigger "material_type_columns_changed" before update on "material_type"
  for each row when (new.filled is not distinct from old.filled) execute function "material_type_columns"();

create unique index "material_type_name_unique" on "material_type" ("name");

create table "loan_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "loan_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "loan_type_columns_new" before insert on "loan_type"
  for each row when (new.filled is null) execute function "loan_type_columns"();

create trigger "loan_type_columns_changed" before update on "loan_type"
  for each row when (new.filled is not distinct from old.filled) execute function "loan_type_columns"();

create unique index "loan_type_name_unique" on "loan_type" ("name");

create table "locinstitution" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "locinstitution_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "locinstitution_columns_new" before insert on "locinstitution"
  for each row when (new.filled is null) execute function "locinstitution_columns"();

create trigger "locinstitution_columns_changed" before update on "locinstitution"
  for each row when (new.filled is not distinct from old.filled) execute function "locinstitution_columns"();

create unique index "locinstitution_name_unique" on "locinstitution" ("name");

create table "loccampus" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  "institutionId" uuid,
  filled bigint
);

create function "loccampus_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new."institutionId" := (doc ->> 'institutionId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "loccampus_columns_new" before insert on "loccampus"
  for each row when (new.filled is null) execute function "loccampus_columns"();

create trigger "loccampus_columns_changed" before update on "loccampus"
  for each row when (new.filled is not distinct from old.filled) execute function "loccampus_columns"();

create unique index "loccampus_name_unique" on "loccampus" ("name");

create index "loccampus_institutionId_ref" on "loccampus" ("institutionId");

create table "loclibrary" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  "campusId" uuid,
  filled bigint
);

create function "loclibrary_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new."campusId" := (doc ->> 'campusId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "loclibrary_columns_new" before insert on "loclibrary"
  for each row when (new.filled is null) execute function "loclibrary_columns"();

create trigger "loclibrary_columns_changed" before update on "loclibrary"
  for each row when (new.filled is not distinct from old.filled) execute function "loclibrary_columns"();

create unique index "loclibrary_name_unique" on "loclibrary" ("name");

create index "loclibrary_campusId_ref" on "loclibrary" ("campusId");

create table "location" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  "primaryServicePoint" uuid,
  "institutionId" uuid,
  "campusId" uuid,
  "libraryId" uuid,
  filled bigint
);

create function "location_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new."primaryServicePoint" := (doc ->> 'primaryServicePoint')::uuid;

  new."institutionId" := (doc ->> 'institutionId')::uuid;

  new."campusId" := (doc ->> 'campusId')::uuid;

  new."libraryId" := (doc ->> 'libraryId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "location_columns_new" before insert on "location"
  for each row when (new.filled is null) execute function "location_columns"();

create trigger "location_columns_changed" before update on "location"
  for each row when (new.filled is not distinct from old.filled) execute function "location_columns"();

create unique index "location_name_unique" on "location" ("name");

create unique index "location_code_unique" on "location" ("code");

create index "location_institutionId_ref" on "location" ("institutionId");

create index "location_campusId_ref" on "location" ("campusId");

create index "location_libraryId_ref" on "location" ("libraryId");

create table "service_point" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  "pickupLocation" text collate "C",
  filled bigint
);

create function "service_point_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new."pickupLocation" := octavo.fold(doc ->> 'pickupLocation');

  new.filled := 0;

  return new;

end $$;

create trigger "service_point_columns_new" before insert on "service_point"
  for each row when (new.filled is null) execute function "service_point_columns"();

create trigger "service_point_columns_changed" before update on "service_point"
  for each row when (new.filled is not distinct from old.filled) execute function "service_point_columns"();

create unique index "service_point_name_unique" on "service_point" ("name");

create unique index "service_point_code_unique" on "service_point" ("code");

create table "service_point_user" (
  id uuid primary key,
  doc json not null,
  "userId" text collate "C",
  "defaultServicePointId" uuid,
  "servicePointsIds" text collate "C",
  filled bigint
);

create function "service_point_user_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := octavo.fold(doc ->> 'userId');

  new."defaultServicePointId" := (doc ->> 'defaultServicePointId')::uuid;

  new."servicePointsIds" := octavo.fold(doc ->> 'servicePointsIds');

  new.filled := 0;

  return new;

end $$;

create trigger "service_point_user_columns_new" before insert on "service_point_user"
  for each row when (new.filled is null) execute function "service_point_user_columns"();

create trigger "service_point_user_columns_changed" before update on "service_point_user"
  for each row when (new.filled is not distinct from old.filled) execute function "service_point_user_columns"();

create unique index "service_point_user_userId_unique" on "service_point_user" ("userId");

create index "service_point_user_defaultServicePointId_order" on "service_point_user" ("defaultServicePointId");

create table "identifier_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "identifier_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "identifier_type_columns_new" before insert on "identifier_type"
  for each row when (new.filled is null) execute function "identifier_type_columns"();

create trigger "identifier_type_columns_changed" before update on "identifier_type"
  for each row when (new.filled is not distinct from old.filled) execute function "identifier_type_columns"();

create unique index "identifier_type_name_unique" on "identifier_type" ("name");

create table "instance_relationship_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "instance_relationship_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "instance_relationship_type_columns_new" before insert on "instance_relationship_type"
  for each row when (new.filled is null) execute function "instance_relationship_type_columns"();

create trigger "instance_relationship_type_columns_changed" before update on "instance_relationship_type"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_relationship_type_columns"();

create unique index "instance_relationship_type_name_unique" on "instance_relationship_type" ("name");

create table "contributor_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "contributor_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "contributor_type_columns_new" before insert on "contributor_type"
  for each row when (new.filled is null) execute function "contributor_type_columns"();

create trigger "contributor_type_columns_changed" before update on "contributor_type"
  for each row when (new.filled is not distinct from old.filled) execute function "contributor_type_columns"();

create unique index "contributor_type_name_unique" on "contributor_type" ("name");

create unique index "contributor_type_code_unique" on "contributor_type" ("code");

create table "contributor_name_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "contributor_name_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "contributor_name_type_columns_new" before insert on "contributor_name_type"
  for each row when (new.filled is null) execute function "contributor_name_type_columns"();

create trigger "contributor_name_type_columns_changed" before update on "contributor_name_type"
  for each row when (new.filled is not distinct from old.filled) execute function "contributor_name_type_columns"();

create unique index "contributor_name_type_name_unique" on "contributor_name_type" ("name");

create table "instance_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "instance_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "instance_type_columns_new" before insert on "instance_type"
  for each row when (new.filled is null) execute function "instance_type_columns"();

create trigger "instance_type_columns_changed" before update on "instance_type"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_type_columns"();

create unique index "instance_type_name_unique" on "instance_type" ("name");

create unique index "instance_type_code_unique" on "instance_type" ("code");

create table "instance_format" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "instance_format_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "instance_format_columns_new" before insert on "instance_format"
  for each row when (new.filled is null) execute function "instance_format_columns"();

create trigger "instance_format_columns_changed" before update on "instance_format"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_format_columns"();

create unique index "instance_format_name_unique" on "instance_format" ("name");

create unique index "instance_format_code_unique" on "instance_format" ("code");

create table "nature_of_content_term" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "nature_of_content_term_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "nature_of_content_term_columns_new" before insert on "nature_of_content_term"
  for each row when (new.filled is null) execute function "nature_of_content_term_columns"();

create trigger "nature_of_content_term_columns_changed" before update on "nature_of_content_term"
  for each row when (new.filled is not distinct from old.filled) execute function "nature_of_content_term_columns"();

create unique index "nature_of_content_term_name_unique" on "nature_of_content_term" ("name");

create table "classification_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "classification_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "classification_type_columns_new" before insert on "classification_type"
  for each row when (new.filled is null) execute function "classification_type_columns"();

create trigger "classification_type_columns_changed" before update on "classification_type"
  for each row when (new.filled is not distinct from old.filled) execute function "classification_type_columns"();

create unique index "classification_type_name_unique" on "classification_type" ("name");

create table "electronic_access_relationship" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "electronic_access_relationship_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "electronic_access_relationship_columns_new" before insert on "electronic_access_relationship"
  for each row when (new.filled is null) execute function "electronic_access_relationship_columns"();

create trigger "electronic_access_relationship_columns_changed" before update on "electronic_access_relationship"
  for each row when (new.filled is not distinct from old.filled) execute function "electronic_access_relationship_columns"();

create unique index "electronic_access_relationship_name_unique" on "electronic_access_relationship" ("name");

create table "statistical_code_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "statistical_code_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "statistical_code_type_columns_new" before insert on "statistical_code_type"
  for each row when (new.filled is null) execute function "statistical_code_type_columns"();

create trigger "statistical_code_type_columns_changed" before update on "statistical_code_type"
  for each row when (new.filled is not distinct from old.filled) execute function "statistical_code_type_columns"();

create unique index "statistical_code_type_code_unique" on "statistical_code_type" ("code");

create table "statistical_code" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  "statisticalCodeTypeId" uuid,
  filled bigint
);

create function "statistical_code_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new."statisticalCodeTypeId" := (doc ->> 'statisticalCodeTypeId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "statistical_code_columns_new" before insert on "statistical_code"
  for each row when (new.filled is null) execute function "statistical_code_columns"();

create trigger "statistical_code_columns_changed" before update on "statistical_code"
  for each row when (new.filled is not distinct from old.filled) execute function "statistical_code_columns"();

create unique index "statistical_code_code_statisticalCodeTypeId_unique" on "statistical_code" ("code", "statisticalCodeTypeId");

create unique index "statistical_code_name_unique" on "statistical_code" ("name");

create index "statistical_code_statisticalCodeTypeId_ref" on "statistical_code" ("statisticalCodeTypeId");

create table "instance_status" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "code" text collate "C",
  filled bigint
);

create function "instance_status_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."code" := octavo.fold(doc ->> 'code');

  new.filled := 0;

  return new;

end $$;

create trigger "instance_status_columns_new" before insert on "instance_status"
  for each row when (new.filled is null) execute function "instance_status_columns"();

create trigger "instance_status_columns_changed" before update on "instance_status"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_status_columns"();

create unique index "instance_status_name_unique" on "instance_status" ("name");

create unique index "instance_status_code_unique" on "instance_status" ("code");

create table "mode_of_issuance" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "mode_of_issuance_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "mode_of_issuance_columns_new" before insert on "mode_of_issuance"
  for each row when (new.filled is null) execute function "mode_of_issuance_columns"();

create trigger "mode_of_issuance_columns_changed" before update on "mode_of_issuance"
  for each row when (new.filled is not distinct from old.filled) execute function "mode_of_issuance_columns"();

create unique index "mode_of_issuance_name_unique" on "mode_of_issuance" ("name");

create table "alternative_title_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "alternative_title_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "alternative_title_type_columns_new" before insert on "alternative_title_type"
  for each row when (new.filled is null) execute function "alternative_title_type_columns"();

create trigger "alternative_title_type_columns_changed" before update on "alternative_title_type"
  for each row when (new.filled is not distinct from old.filled) execute function "alternative_title_type_columns"();

create unique index "alternative_title_type_name_unique" on "alternative_title_type" ("name");

create table "ill_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "ill_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "ill_policy_columns_new" before insert on "ill_policy"
  for each row when (new.filled is null) execute function "ill_policy_columns"();

create trigger "ill_policy_columns_changed" before update on "ill_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "ill_policy_columns"();

create unique index "ill_policy_name_unique" on "ill_policy" ("name");

create table "call_number_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "call_number_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "call_number_type_columns_new" before insert on "call_number_type"
  for each row when (new.filled is null) execute function "call_number_type_columns"();

create trigger "call_number_type_columns_changed" before update on "call_number_type"
  for each row when (new.filled is not distinct from old.filled) execute function "call_number_type_columns"();

create unique index "call_number_type_name_unique" on "call_number_type" ("name");

create table "holdings_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "holdings_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "holdings_type_columns_new" before insert on "holdings_type"
  for each row when (new.filled is null) execute function "holdings_type_columns"();

create trigger "holdings_type_columns_changed" before update on "holdings_type"
  for each row when (new.filled is not distinct from old.filled) execute function "holdings_type_columns"();

create unique index "holdings_type_name_unique" on "holdings_type" ("name");

create table "instance_note_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "instance_note_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "instance_note_type_columns_new" before insert on "instance_note_type"
  for each row when (new.filled is null) execute function "instance_note_type_columns"();

create trigger "instance_note_type_columns_changed" before update on "instance_note_type"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_note_type_columns"();

create unique index "instance_note_type_name_unique" on "instance_note_type" ("name");

create table "holdings_note_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "holdings_note_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "holdings_note_type_columns_new" before insert on "holdings_note_type"
  for each row when (new.filled is null) execute function "holdings_note_type_columns"();

create trigger "holdings_note_type_columns_changed" before update on "holdings_note_type"
  for each row when (new.filled is not distinct from old.filled) execute function "holdings_note_type_columns"();

create unique index "holdings_note_type_name_unique" on "holdings_note_type" ("name");

create table "item_note_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "item_note_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "item_note_type_columns_new" before insert on "item_note_type"
  for each row when (new.filled is null) execute function "item_note_type_columns"();

create trigger "item_note_type_columns_changed" before update on "item_note_type"
  for each row when (new.filled is not distinct from old.filled) execute function "item_note_type_columns"();

create unique index "item_note_type_name_unique" on "item_note_type" ("name");

create table "item_damaged_status" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "item_damaged_status_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "item_damaged_status_columns_new" before insert on "item_damaged_status"
  for each row when (new.filled is null) execute function "item_damaged_status_columns"();

create trigger "item_damaged_status_columns_changed" before update on "item_damaged_status"
  for each row when (new.filled is not distinct from old.filled) execute function "item_damaged_status_columns"();

create unique index "item_damaged_status_name_unique" on "item_damaged_status" ("name");

create table "holdings_records_source" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "holdings_records_source_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "holdings_records_source_columns_new" before insert on "holdings_records_source"
  for each row when (new.filled is null) execute function "holdings_records_source_columns"();

create trigger "holdings_records_source_columns_changed" before update on "holdings_records_source"
  for each row when (new.filled is not distinct from old.filled) execute function "holdings_records_source_columns"();

create unique index "holdings_records_source_name_unique" on "holdings_records_source" ("name");

create table "instance" (
  id uuid primary key,
  doc json not null,
  "hrid" text collate "C",
  "matchKey" text collate "C",
  "source" text collate "C",
  "title" text collate "C",
  "indexTitle" text collate "C",
  "staffSuppress" text collate "C",
  "discoverySuppress" text collate "C",
  "instanceTypeId" uuid,
  "modeOfIssuanceId" uuid,
  "statusId" uuid,
  "metadata.updatedDate" text collate "C",
  "keyword" text collate "C",
  filled bigint
);

create function "instance_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."hrid" := octavo.fold(doc ->> 'hrid');

  new."matchKey" := octavo.fold(doc ->> 'matchKey');

  new."source" := octavo.fold(doc ->> 'source');

  new."title" := octavo.fold(left(doc ->> 'title', 600));

  new."indexTitle" := octavo.fold(left(doc ->> 'indexTitle', 600));

  new."staffSuppress" := octavo.fold(doc ->> 'staffSuppress');

  new."discoverySuppress" := octavo.fold(doc ->> 'discoverySuppress');

  new."instanceTypeId" := (doc ->> 'instanceTypeId')::uuid;

  new."modeOfIssuanceId" := (doc ->> 'modeOfIssuanceId')::uuid;

  new."statusId" := (doc ->> 'statusId')::uuid;

  new."metadata.updatedDate" := doc #>> '{metadata,updatedDate}';

  new."keyword" := octavo.fold(left(coalesce(doc ->> 'title', '') || ' ' || octavo.texts(doc -> 'alternativeTitles', 'alternativeTitle') || ' ' || octavo.texts(doc -> 'series', 'value') || ' ' || octavo.texts(doc -> 'contributors', 'name') || ' ' || octavo.texts(doc -> 'subjects', 'value') || ' ' || octavo.texts(doc -> 'identifiers', 'value') || octavo.identifiers(doc -> 'identifiers'), 100000));

  new.filled := 0;

  return new;

end $$;

create trigger "instance_columns_new" before insert on "instance"
  for each row when (new.filled is null) execute function "instance_columns"();

create trigger "instance_columns_changed" before update on "instance"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_columns"();

create unique index "instance_hrid_unique" on "instance" ("hrid");

create unique index "instance_matchKey_unique" on "instance" ("matchKey");

create index "instance_source_order" on "instance" ("source");

create index "instance_title_order" on "instance" ("title");

create index "instance_title_words" on "instance" using gin (octavo.words("title")) with (gin_pending_list_limit = 256);

create index "instance_title_anywhere" on "instance" using gin ("title" octavo.gin_trgm_ops) with (gin_pending_list_limit = 256);

create index "instance_indexTitle_order" on "instance" ("indexTitle");

create index "instance_metadata_updatedDate_order" on "instance" ("metadata.updatedDate");

create index "instance_keyword_words" on "instance" using gin (octavo.words("keyword")) with (gin_pending_list_limit = 256);

create index "instance_instanceTypeId_ref" on "instance" ("instanceTypeId");

create index "instance_modeOfIssuanceId_ref" on "instance" ("modeOfIssuanceId");

create table "instance_relationship" (
  id uuid primary key,
  doc json not null,
  "superInstanceId" uuid,
  "subInstanceId" uuid,
  "instanceRelationshipTypeId" uuid,
  filled bigint
);

create function "instance_relationship_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."superInstanceId" := (doc ->> 'superInstanceId')::uuid;

  new."subInstanceId" := (doc ->> 'subInstanceId')::uuid;

  new."instanceRelationshipTypeId" := (doc ->> 'instanceRelationshipTypeId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "instance_relationship_columns_new" before insert on "instance_relationship"
  for each row when (new.filled is null) execute function "instance_relationship_columns"();

create trigger "instance_relationship_columns_changed" before update on "instance_relationship"
  for each row when (new.filled is not distinct from old.filled) execute function "instance_relationship_columns"();

create index "instance_relationship_superInstanceId_ref" on "instance_relationship" ("superInstanceId");

create index "instance_relationship_subInstanceId_ref" on "instance_relationship" ("subInstanceId");

create index "instance_relationship_instanceRelationshipTypeId_ref" on "instance_relationship" ("instanceRelationshipTypeId");

create table "preceding_succeeding_title" (
  id uuid primary key,
  doc json not null,
  "precedingInstanceId" uuid,
  "succeedingInstanceId" uuid,
  filled bigint
);

create function "preceding_succeeding_title_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."precedingInstanceId" := (doc ->> 'precedingInstanceId')::uuid;

  new."succeedingInstanceId" := (doc ->> 'succeedingInstanceId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "preceding_succeeding_title_columns_new" before insert on "preceding_succeeding_title"
  for each row when (new.filled is null) execute function "preceding_succeeding_title_columns"();

create trigger "preceding_succeeding_title_columns_changed" before update on "preceding_succeeding_title"
  for each row when (new.filled is not distinct from old.filled) execute function "preceding_succeeding_title_columns"();

create index "preceding_succeeding_title_precedingInstanceId_ref" on "preceding_succeeding_title" ("precedingInstanceId");

create index "preceding_succeeding_title_succeedingInstanceId_ref" on "preceding_succeeding_title" ("succeedingInstanceId");

create table "holdings_record" (
  id uuid primary key,
  doc json not null,
  "hrid" text collate "C",
  "instanceId" uuid,
  "permanentLocationId" uuid,
  "temporaryLocationId" uuid,
  "effectiveLocationId" uuid,
  "holdingsTypeId" uuid,
  "callNumberTypeId" uuid,
  "illPolicyId" uuid,
  "sourceId" uuid,
  "callNumber" text collate "C",
  "callNumberAndSuffix" text collate "C",
  "fullCallNumber" text collate "C",
  "discoverySuppress" text collate "C",
  filled bigint
);

create function "holdings_record_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."hrid" := octavo.fold(doc ->> 'hrid');

  new."instanceId" := (doc ->> 'instanceId')::uuid;

  new."permanentLocationId" := (doc ->> 'permanentLocationId')::uuid;

  new."temporaryLocationId" := (doc ->> 'temporaryLocationId')::uuid;

  new."effectiveLocationId" := (doc ->> 'effectiveLocationId')::uuid;

  new."holdingsTypeId" := (doc ->> 'holdingsTypeId')::uuid;

  new."callNumberTypeId" := (doc ->> 'callNumberTypeId')::uuid;

  new."illPolicyId" := (doc ->> 'illPolicyId')::uuid;

  new."sourceId" := (doc ->> 'sourceId')::uuid;

  new."callNumber" := lower(left(doc ->> 'callNumber', 600));

  new."callNumberAndSuffix" := lower(rtrim(coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', '')));

  new."fullCallNumber" := lower(rtrim(coalesce(doc ->> 'callNumberPrefix' || ' ', '') || coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', '')));

  new."discoverySuppress" := octavo.fold(doc ->> 'discoverySuppress');

  new.filled := 0;

  return new;

end $$;

create trigger "holdings_record_columns_new" before insert on "holdings_record"
  for each row when (new.filled is null) execute function "holdings_record_columns"();

create trigger "holdings_record_columns_changed" before update on "holdings_record"
  for each row when (new.filled is not distinct from old.filled) execute function "holdings_record_columns"();

create unique index "holdings_record_hrid_unique" on "holdings_record" ("hrid");

create index "holdings_record_instanceId_order" on "holdings_record" ("instanceId");

create index "holdings_record_callNumber_order" on "holdings_record" ("callNumber");

create index "holdings_record_permanentLocationId_ref" on "holdings_record" ("permanentLocationId");

create index "holdings_record_temporaryLocationId_ref" on "holdings_record" ("temporaryLocationId");

create index "holdings_record_effectiveLocationId_ref" on "holdings_record" ("effectiveLocationId");

create index "holdings_record_holdingsTypeId_ref" on "holdings_record" ("holdingsTypeId");

create index "holdings_record_callNumberTypeId_ref" on "holdings_record" ("callNumberTypeId");

create index "holdings_record_illPolicyId_ref" on "holdings_record" ("illPolicyId");

create index "holdings_record_sourceId_ref" on "holdings_record" ("sourceId");

create table "item" (
  id uuid primary key,
  doc json not null,
  "barcode" text collate "C",
  "hrid" text collate "C",
  "holdingsRecordId" uuid,
  "effectiveLocationId" uuid,
  "permanentLocationId" uuid,
  "temporaryLocationId" uuid,
  "materialTypeId" uuid,
  "permanentLoanTypeId" uuid,
  "temporaryLoanTypeId" uuid,
  "accessionNumber" text collate "C",
  "purchaseOrderLineIdentifier" text collate "C",
  "effectiveCallNumberComponents.callNumber" text collate "C",
  filled bigint
);

create function "item_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."barcode" := lower(doc ->> 'barcode');

  new."hrid" := lower(doc ->> 'hrid');

  new."holdingsRecordId" := (doc ->> 'holdingsRecordId')::uuid;

  new."effectiveLocationId" := (doc ->> 'effectiveLocationId')::uuid;

  new."permanentLocationId" := (doc ->> 'permanentLocationId')::uuid;

  new."temporaryLocationId" := (doc ->> 'temporaryLocationId')::uuid;

  new."materialTypeId" := (doc ->> 'materialTypeId')::uuid;

  new."permanentLoanTypeId" := (doc ->> 'permanentLoanTypeId')::uuid;

  new."temporaryLoanTypeId" := (doc ->> 'temporaryLoanTypeId')::uuid;

  new."accessionNumber" := lower(doc ->> 'accessionNumber');

  new."purchaseOrderLineIdentifier" := lower(doc ->> 'purchaseOrderLineIdentifier');

  new."effectiveCallNumberComponents.callNumber" := lower(left(doc #>> '{effectiveCallNumberComponents,callNumber}', 600));

  new.filled := 0;

  return new;

end $$;

create trigger "item_columns_new" before insert on "item"
  for each row when (new.filled is null) execute function "item_columns"();

create trigger "item_columns_changed" before update on "item"
  for each row when (new.filled is not distinct from old.filled) execute function "item_columns"();

create unique index "item_barcode_unique" on "item" ("barcode");

create unique index "item_hrid_unique" on "item" ("hrid");

create index "item_holdingsRecordId_order" on "item" ("holdingsRecordId");

create index "item_accessionNumber_order" on "item" ("accessionNumber");

create index "item_purchaseOrderLineIdentifier_order" on "item" ("purchaseOrderLineIdentifier");

create index "item_effectiveCallNumberComponents_callNumber_order" on "item" ("effectiveCallNumberComponents.callNumber");

create index "item_effectiveLocationId_ref" on "item" ("effectiveLocationId");

create index "item_permanentLocationId_ref" on "item" ("permanentLocationId");

create index "item_temporaryLocationId_ref" on "item" ("temporaryLocationId");

create index "item_materialTypeId_ref" on "item" ("materialTypeId");

create index "item_permanentLoanTypeId_ref" on "item" ("permanentLoanTypeId");

create index "item_temporaryLoanTypeId_ref" on "item" ("temporaryLoanTypeId");

create table "bound_with_part" (
  id uuid primary key,
  doc json not null,
  "itemId" uuid,
  "holdingsRecordId" uuid,
  filled bigint
);

create function "bound_with_part_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."itemId" := (doc ->> 'itemId')::uuid;

  new."holdingsRecordId" := (doc ->> 'holdingsRecordId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "bound_with_part_columns_new" before insert on "bound_with_part"
  for each row when (new.filled is null) execute function "bound_with_part_columns"();

create trigger "bound_with_part_columns_changed" before update on "bound_with_part"
  for each row when (new.filled is not distinct from old.filled) execute function "bound_with_part_columns"();

create unique index "bound_with_part_itemId_holdingsRecordId_unique" on "bound_with_part" ("itemId", "holdingsRecordId");

create index "bound_with_part_holdingsRecordId_ref" on "bound_with_part" ("holdingsRecordId");

create table "reindex_job" (
  id uuid primary key,
  doc json not null
);

create table "iteration_job" (
  id uuid primary key,
  doc json not null
);

create table "async_migration_job" (
  id uuid primary key,
  doc json not null
);

create table "hrid_settings" (
  id uuid primary key,
  doc json not null,
  "only" text collate "C",
  filled bigint
);

create function "hrid_settings_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."only" := 'hrid'::text;

  new.filled := 0;

  return new;

end $$;

create trigger "hrid_settings_columns_new" before insert on "hrid_settings"
  for each row when (new.filled is null) execute function "hrid_settings_columns"();

create trigger "hrid_settings_columns_changed" before update on "hrid_settings"
  for each row when (new.filled is not distinct from old.filled) execute function "hrid_settings_columns"();

create unique index "hrid_settings_only_unique" on "hrid_settings" ("only");

create table "instance_source_marc" (
  id uuid primary key,
  doc json not null
);

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

create table "authority_reindex_job" (
  id uuid primary key,
  doc json not null
);

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

create table "snapshots_lb" (
  id uuid primary key,
  doc json not null
);

create table "records_lb" (
  id uuid primary key,
  doc json not null,
  "snapshotId" uuid,
  "matchedId" uuid,
  "generation" numeric,
  "state" text collate "C",
  "externalIdsHolder.instanceId" uuid,
  "externalIdsHolder.holdingsId" uuid,
  "externalIdsHolder.authorityId" uuid,
  "recordType" text collate "C",
  "leaderRecordStatus" text collate "C",
  "additionalInfo.suppressDiscovery" text collate "C",
  "order" numeric,
  "metadata.updatedDate" text collate "C",
  "externalHrid" text collate "C",
  "marcLeader" text collate "C",
  "marcTerms" integer[],
  filled bigint
);

create function "records_lb_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."snapshotId" := (doc ->> 'snapshotId')::uuid;

  new."matchedId" := (doc ->> 'matchedId')::uuid;

  new."generation" := octavo.number(doc ->> 'generation');

  new."state" := doc ->> 'state';

  new."externalIdsHolder.instanceId" := (doc #>> '{externalIdsHolder,instanceId}')::uuid;

  new."externalIdsHolder.holdingsId" := (doc #>> '{externalIdsHolder,holdingsId}')::uuid;

  new."externalIdsHolder.authorityId" := (doc #>> '{externalIdsHolder,authorityId}')::uuid;

  new."recordType" := doc ->> 'recordType';

  new."leaderRecordStatus" := doc ->> 'leaderRecordStatus';

  new."additionalInfo.suppressDiscovery" := doc #>> '{additionalInfo,suppressDiscovery}';

  new."order" := octavo.number(doc ->> 'order');

  new."metadata.updatedDate" := doc #>> '{metadata,updatedDate}';

  new."externalHrid" := case doc ->> 'recordType'
    when 'MARC_BIB' then doc #>> '{externalIdsHolder,instanceHrid}'
    when 'MARC_HOLDING' then doc #>> '{externalIdsHolder,holdingsHrid}'
    when 'MARC_AUTHORITY' then doc #>> '{externalIdsHolder,authorityHrid}' end;

  new."marcLeader" := lower(replace(doc #>> '{parsedRecord,content,leader}', ' ', '#'));

  new."marcTerms" := (case when doc ->> 'state' in ('ACTUAL', 'DELETED')
    then marc_terms(doc #> '{parsedRecord,content,fields}') else '{}' end)::integer[];

  new.filled := 0;

  return new;

end $$;

create trigger "records_lb_columns_new" before insert on "records_lb"
  for each row when (new.filled is null) execute function "records_lb_columns"();

create trigger "records_lb_columns_changed" before update on "records_lb"
  for each row when (new.filled is not distinct from old.filled) execute function "records_lb_columns"();

create unique index "records_lb_matchedId_generation_unique" on "records_lb" ("matchedId", "generation");

create index "records_lb_snapshotId_order" on "records_lb" ("snapshotId");

create index "records_lb_externalIdsHolder_instanceId_order" on "records_lb" ("externalIdsHolder.instanceId");

create index "records_lb_externalIdsHolder_holdingsId_order" on "records_lb" ("externalIdsHolder.holdingsId");

create index "records_lb_externalIdsHolder_authorityId_order" on "records_lb" ("externalIdsHolder.authorityId");

create index "records_lb_externalHrid_order" on "records_lb" ("externalHrid");

create table "async_migration_jobs" (
  id uuid primary key,
  doc json not null
);

create table "calendars" (
  id uuid primary key,
  doc json not null,
  "startDate" text collate "C",
  "endDate" text collate "C",
  filled bigint
);

create function "calendars_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."startDate" := doc ->> 'startDate';

  new."endDate" := doc ->> 'endDate';

  new.filled := 0;

  return new;

end $$;

create trigger "calendars_columns_new" before insert on "calendars"
  for each row when (new.filled is null) execute function "calendars_columns"();

create trigger "calendars_columns_changed" before update on "calendars"
  for each row when (new.filled is not distinct from old.filled) execute function "calendars_columns"();

create table "template" (
  id uuid primary key,
  doc json not null
);

create table "event_configurations" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "event_configurations_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "event_configurations_columns_new" before insert on "event_configurations"
  for each row when (new.filled is null) execute function "event_configurations_columns"();

create trigger "event_configurations_columns_changed" before update on "event_configurations"
  for each row when (new.filled is not distinct from old.filled) execute function "event_configurations_columns"();

create unique index "event_configurations_name_unique" on "event_configurations" ("name");

create table "fixed_due_date_schedule" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "fixed_due_date_schedule_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "fixed_due_date_schedule_columns_new" before insert on "fixed_due_date_schedule"
  for each row when (new.filled is null) execute function "fixed_due_date_schedule_columns"();

create trigger "fixed_due_date_schedule_columns_changed" before update on "fixed_due_date_schedule"
  for each row when (new.filled is not distinct from old.filled) execute function "fixed_due_date_schedule_columns"();

create unique index "fixed_due_date_schedule_name_unique" on "fixed_due_date_schedule" ("name");

create table "loan_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  "loansPolicy.fixedDueDateScheduleId" uuid,
  "renewalsPolicy.alternateFixedDueDateScheduleId" uuid,
  filled bigint
);

create function "loan_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new."loansPolicy.fixedDueDateScheduleId" := (doc #>> '{loansPolicy,fixedDueDateScheduleId}')::uuid;

  new."renewalsPolicy.alternateFixedDueDateScheduleId" := (doc #>> '{renewalsPolicy,alternateFixedDueDateScheduleId}')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "loan_policy_columns_new" before insert on "loan_policy"
  for each row when (new.filled is null) execute function "loan_policy_columns"();

create trigger "loan_policy_columns_changed" before update on "loan_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "loan_policy_columns"();

create index "loan_policy_loansPolicy_fixedDueDateScheduleId_ref" on "loan_policy" ("loansPolicy.fixedDueDateScheduleId");

create index "loan_policy_renewalsPolicy_alternateFixedDueDateScheduleId_ref" on "loan_policy" ("renewalsPolicy.alternateFixedDueDateScheduleId");

create table "request_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "request_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "request_policy_columns_new" before insert on "request_policy"
  for each row when (new.filled is null) execute function "request_policy_columns"();

create trigger "request_policy_columns_changed" before update on "request_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "request_policy_columns"();

create unique index "request_policy_name_unique" on "request_policy" ("name");

create table "patron_notice_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "patron_notice_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "patron_notice_policy_columns_new" before insert on "patron_notice_policy"
  for each row when (new.filled is null) execute function "patron_notice_policy_columns"();

create trigger "patron_notice_policy_columns_changed" before update on "patron_notice_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "patron_notice_policy_columns"();

create unique index "patron_notice_policy_name_unique" on "patron_notice_policy" ("name");

create table "staff_slips" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "staff_slips_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "staff_slips_columns_new" before insert on "staff_slips"
  for each row when (new.filled is null) execute function "staff_slips_columns"();

create trigger "staff_slips_columns_changed" before update on "staff_slips"
  for each row when (new.filled is not distinct from old.filled) execute function "staff_slips_columns"();

create unique index "staff_slips_name_unique" on "staff_slips" ("name");

create table "cancellation_reason" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "cancellation_reason_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "cancellation_reason_columns_new" before insert on "cancellation_reason"
  for each row when (new.filled is null) execute function "cancellation_reason_columns"();

create trigger "cancellation_reason_columns_changed" before update on "cancellation_reason"
  for each row when (new.filled is not distinct from old.filled) execute function "cancellation_reason_columns"();

create unique index "cancellation_reason_name_unique" on "cancellation_reason" ("name");

create table "loan" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "itemId" uuid,
  "proxyUserId" uuid,
  "status.name" text collate "C",
  "action" text collate "C",
  "itemStatus" text collate "C",
  "loanDate" text collate "C",
  "dueDate" text collate "C",
  "returnDate" text collate "C",
  filled bigint
);

create function "loan_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."itemId" := (doc ->> 'itemId')::uuid;

  new."proxyUserId" := (doc ->> 'proxyUserId')::uuid;

  new."status.name" := lower(doc #>> '{status,name}');

  new."action" := lower(doc ->> 'action');

  new."itemStatus" := lower(doc ->> 'itemStatus');

  new."loanDate" := doc ->> 'loanDate';

  new."dueDate" := doc ->> 'dueDate';

  new."returnDate" := doc ->> 'returnDate';

  new.filled := 0;

  return new;

end $$;

create trigger "loan_columns_new" before insert on "loan"
  for each row when (new.filled is null) execute function "loan_columns"();

create trigger "loan_columns_changed" before update on "loan"
  for each row when (new.filled is not distinct from old.filled) execute function "loan_columns"();

create unique index "loan_itemId_unique" on "loan" ("itemId") where "status.name" = 'open';

create index "loan_userId_order" on "loan" ("userId", "status.name", "dueDate", "itemStatus");

create index "loan_itemId_order" on "loan" ("itemId");

create index "loan_dueDate_order" on "loan" ("dueDate");

create table "audit_loan" (
  id uuid primary key,
  doc json not null,
  "loan.id" uuid,
  filled bigint
);

create function "audit_loan_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."loan.id" := (doc #>> '{loan,id}')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "audit_loan_columns_new" before insert on "audit_loan"
  for each row when (new.filled is null) execute function "audit_loan_columns"();

create trigger "audit_loan_columns_changed" before update on "audit_loan"
  for each row when (new.filled is not distinct from old.filled) execute function "audit_loan_columns"();

create index "audit_loan_loan_id_order" on "audit_loan" ("loan.id");

create table "request" (
  id uuid primary key,
  doc json not null,
  "itemId" uuid,
  "instanceId" uuid,
  "requesterId" uuid,
  "pickupServicePointId" uuid,
  "cancellationReasonId" uuid,
  "status" text collate "C",
  "requestType" text collate "C",
  "requestLevel" text collate "C",
  "requestDate" text collate "C",
  "requestExpirationDate" text collate "C",
  "holdShelfExpirationDate" text collate "C",
  "fullCallNumberIndex" text collate "C",
  filled bigint
);

create function "request_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."itemId" := (doc ->> 'itemId')::uuid;

  new."instanceId" := (doc ->> 'instanceId')::uuid;

  new."requesterId" := (doc ->> 'requesterId')::uuid;

  new."pickupServicePointId" := (doc ->> 'pickupServicePointId')::uuid;

  new."cancellationReasonId" := (doc ->> 'cancellationReasonId')::uuid;

  new."status" := lower(doc ->> 'status');

  new."requestType" := lower(doc ->> 'requestType');

  new."requestLevel" := lower(doc ->> 'requestLevel');

  new."requestDate" := doc ->> 'requestDate';

  new."requestExpirationDate" := doc ->> 'requestExpirationDate';

  new."holdShelfExpirationDate" := doc ->> 'holdShelfExpirationDate';

  new."fullCallNumberIndex" := lower(rtrim(coalesce(doc #>> '{searchIndex,callNumberComponents,prefix}' || ' ', '') || coalesce(doc #>> '{searchIndex,callNumberComponents,callNumber}' || ' ', '') || coalesce(doc #>> '{searchIndex,callNumberComponents,suffix}', '')));

  new.filled := 0;

  return new;

end $$;

create trigger "request_columns_new" before insert on "request"
  for each row when (new.filled is null) execute function "request_columns"();

create trigger "request_columns_changed" before update on "request"
  for each row when (new.filled is not distinct from old.filled) execute function "request_columns"();

create index "request_itemId_order" on "request" ("itemId");

create index "request_instanceId_order" on "request" ("instanceId");

create index "request_requesterId_order" on "request" ("requesterId");

create index "request_pickupServicePointId_order" on "request" ("pickupServicePointId");

create index "request_status_order" on "request" ("status", "requestType");

create index "request_cancellationReasonId_ref" on "request" ("cancellationReasonId");

create table "user_request_preference" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  filled bigint
);

create function "user_request_preference_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "user_request_preference_columns_new" before insert on "user_request_preference"
  for each row when (new.filled is null) execute function "user_request_preference_columns"();

create trigger "user_request_preference_columns_changed" before update on "user_request_preference"
  for each row when (new.filled is not distinct from old.filled) execute function "user_request_preference_columns"();

create unique index "user_request_preference_userId_unique" on "user_request_preference" ("userId");

create table "check_in" (
  id uuid primary key,
  doc json not null
);

create table "patron_action_session" (
  id uuid primary key,
  doc json not null,
  "patronId" uuid,
  filled bigint
);

create function "patron_action_session_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."patronId" := (doc ->> 'patronId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "patron_action_session_columns_new" before insert on "patron_action_session"
  for each row when (new.filled is null) execute function "patron_action_session_columns"();

create trigger "patron_action_session_columns_changed" before update on "patron_action_session"
  for each row when (new.filled is not distinct from old.filled) execute function "patron_action_session_columns"();

create index "patron_action_session_patronId_order" on "patron_action_session" ("patronId");

create table "tlr_feature_toggle_job" (
  id uuid primary key,
  doc json not null,
  "status" text collate "C",
  filled bigint
);

create function "tlr_feature_toggle_job_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."status" := lower(doc ->> 'status');

  new.filled := 0;

  return new;

end $$;

create trigger "tlr_feature_toggle_job_columns_new" before insert on "tlr_feature_toggle_job"
  for each row when (new.filled is null) execute function "tlr_feature_toggle_job_columns"();

create trigger "tlr_feature_toggle_job_columns_changed" before update on "tlr_feature_toggle_job"
  for each row when (new.filled is not distinct from old.filled) execute function "tlr_feature_toggle_job_columns"();

create table "actual_cost_record" (
  id uuid primary key,
  doc json not null,
  "loan.id" uuid,
  "status" text collate "C",
  "lossType" text collate "C",
  "lossDate" text collate "C",
  "expirationDate" text collate "C",
  filled bigint
);

create function "actual_cost_record_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."loan.id" := (doc #>> '{loan,id}')::uuid;

  new."status" := lower(doc ->> 'status');

  new."lossType" := lower(doc ->> 'lossType');

  new."lossDate" := doc ->> 'lossDate';

  new."expirationDate" := doc ->> 'expirationDate';

  new.filled := 0;

  return new;

end $$;

create trigger "actual_cost_record_columns_new" before insert on "actual_cost_record"
  for each row when (new.filled is null) execute function "actual_cost_record_columns"();

create trigger "actual_cost_record_columns_changed" before update on "actual_cost_record"
  for each row when (new.filled is not distinct from old.filled) execute function "actual_cost_record_columns"();

create index "actual_cost_record_loan_id_order" on "actual_cost_record" ("loan.id");

create index "actual_cost_record_status_order" on "actual_cost_record" ("status");

create table "scheduled_notice" (
  id uuid primary key,
  doc json not null,
  "nextRunTime" text collate "C",
  "loanId" uuid,
  "requestId" uuid,
  "recipientUserId" uuid,
  "triggeringEvent" text collate "C",
  "noticeConfig.sendInRealTime" text collate "C",
  filled bigint
);

create function "scheduled_notice_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."nextRunTime" := doc ->> 'nextRunTime';

  new."loanId" := (doc ->> 'loanId')::uuid;

  new."requestId" := (doc ->> 'requestId')::uuid;

  new."recipientUserId" := (doc ->> 'recipientUserId')::uuid;

  new."triggeringEvent" := doc ->> 'triggeringEvent';

  new."noticeConfig.sendInRealTime" := doc #>> '{noticeConfig,sendInRealTime}';

  new.filled := 0;

  return new;

end $$;

create trigger "scheduled_notice_columns_new" before insert on "scheduled_notice"
  for each row when (new.filled is null) execute function "scheduled_notice_columns"();

create trigger "scheduled_notice_columns_changed" before update on "scheduled_notice"
  for each row when (new.filled is not distinct from old.filled) execute function "scheduled_notice_columns"();

create index "scheduled_notice_nextRunTime_order" on "scheduled_notice" ("nextRunTime");

create index "scheduled_notice_loanId_order" on "scheduled_notice" ("loanId");

create index "scheduled_notice_requestId_order" on "scheduled_notice" ("requestId");

create index "scheduled_notice_recipientUserId_order" on "scheduled_notice" ("recipientUserId");

create table "circulation_rules" (
  id uuid primary key,
  doc json not null
);

create table "check_out_lock" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  filled bigint
);

create function "check_out_lock_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "check_out_lock_columns_new" before insert on "check_out_lock"
  for each row when (new.filled is null) execute function "check_out_lock_columns"();

create trigger "check_out_lock_columns_changed" before update on "check_out_lock"
  for each row when (new.filled is not distinct from old.filled) execute function "check_out_lock_columns"();

create unique index "check_out_lock_userId_unique" on "check_out_lock" ("userId");

create table "owners" (
  id uuid primary key,
  doc json not null
);

create table "feefines" (
  id uuid primary key,
  doc json not null,
  "feeFineType" text collate "C",
  "ownerId" uuid,
  filled bigint
);

create function "feefines_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."feeFineType" := octavo.fold(doc ->> 'feeFineType');

  new."ownerId" := (doc ->> 'ownerId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "feefines_columns_new" before insert on "feefines"
  for each row when (new.filled is null) execute function "feefines_columns"();

create trigger "feefines_columns_changed" before update on "feefines"
  for each row when (new.filled is not distinct from old.filled) execute function "feefines_columns"();

create unique index "feefines_feeFineType_ownerId_unique" on "feefines" ("feeFineType", "ownerId");

create index "feefines_ownerId_ref" on "feefines" ("ownerId");

create table "overdue_fine_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "overdue_fine_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "overdue_fine_policy_columns_new" before insert on "overdue_fine_policy"
  for each row when (new.filled is null) execute function "overdue_fine_policy_columns"();

create trigger "overdue_fine_policy_columns_changed" before update on "overdue_fine_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "overdue_fine_policy_columns"();

create unique index "overdue_fine_policy_name_unique" on "overdue_fine_policy" ("name");

create table "lost_item_fee_policy" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "lost_item_fee_policy_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "lost_item_fee_policy_columns_new" before insert on "lost_item_fee_policy"
  for each row when (new.filled is null) execute function "lost_item_fee_policy_columns"();

create trigger "lost_item_fee_policy_columns_changed" before update on "lost_item_fee_policy"
  for each row when (new.filled is not distinct from old.filled) execute function "lost_item_fee_policy_columns"();

create unique index "lost_item_fee_policy_name_unique" on "lost_item_fee_policy" ("name");

create table "manualblocks" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  filled bigint
);

create function "manualblocks_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "manualblocks_columns_new" before insert on "manualblocks"
  for each row when (new.filled is null) execute function "manualblocks_columns"();

create trigger "manualblocks_columns_changed" before update on "manualblocks"
  for each row when (new.filled is not distinct from old.filled) execute function "manualblocks_columns"();

create index "manualblocks_userId_order" on "manualblocks" ("userId");

create table "manual_block_templates" (
  id uuid primary key,
  doc json not null
);

create table "accounts" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "loanId" uuid,
  "itemId" uuid,
  "ownerId" uuid,
  "status.name" text collate "C",
  filled bigint
);

create function "accounts_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."userId" := (doc ->> 'userId')::uuid;

  new."loanId" := (doc ->> 'loanId')::uuid;

  new."itemId" := (doc ->> 'itemId')::uuid;

  new."ownerId" := (doc ->> 'ownerId')::uuid;

  new."status.name" := lower(doc #>> '{status,name}');

  new.filled := 0;

  return new;

end $$;

create trigger "accounts_columns_new" before insert on "accounts"
  for each row when (new.filled is null) execute function "accounts_columns"();

create trigger "accounts_columns_changed" before update on "accounts"
  for each row when (new.filled is not distinct from old.filled) execute function "accounts_columns"();

create index "accounts_userId_order" on "accounts" ("userId", "status.name");

create index "accounts_loanId_order" on "accounts" ("loanId");

create index "accounts_itemId_order" on "accounts" ("itemId");

create table "feefineactions" (
  id uuid primary key,
  doc json not null,
  "accountId" uuid,
  "userId" uuid,
  "typeAction" text collate "C",
  "dateAction" text collate "C",
  "createdAt" text collate "C",
  "source" text collate "C",
  filled bigint
);

create function "feefineactions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."accountId" := (doc ->> 'accountId')::uuid;

  new."userId" := (doc ->> 'userId')::uuid;

  new."typeAction" := octavo.fold(doc ->> 'typeAction');

  new."dateAction" := doc ->> 'dateAction';

  new."createdAt" := doc ->> 'createdAt';

  new."source" := doc ->> 'source';

  new.filled := 0;

  return new;

end $$;

create trigger "feefineactions_columns_new" before insert on "feefineactions"
  for each row when (new.filled is null) execute function "feefineactions_columns"();

create trigger "feefineactions_columns_changed" before update on "feefineactions"
  for each row when (new.filled is not distinct from old.filled) execute function "feefineactions_columns"();

create index "feefineactions_accountId_order" on "feefineactions" ("accountId");

create index "feefineactions_userId_order" on "feefineactions" ("userId");

create index "feefineactions_dateAction_order" on "feefineactions" ("dateAction");

create index "feefineactions_createdAt_order" on "feefineactions" ("createdAt", "source");

create table "payments" (
  id uuid primary key,
  doc json not null
);

create table "waives" (
  id uuid primary key,
  doc json not null
);

create table "refunds" (
  id uuid primary key,
  doc json not null
);

create table "transfers" (
  id uuid primary key,
  doc json not null
);

create table "comments" (
  id uuid primary key,
  doc json not null
);

create table "transfer_criteria" (
  id uuid primary key,
  doc json not null
);

create table "patron_block_conditions" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "patron_block_conditions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "patron_block_conditions_columns_new" before insert on "patron_block_conditions"
  for each row when (new.filled is null) execute function "patron_block_conditions_columns"();

create trigger "patron_block_conditions_columns_changed" before update on "patron_block_conditions"
  for each row when (new.filled is not distinct from old.filled) execute function "patron_block_conditions_columns"();

create table "patron_block_limits" (
  id uuid primary key,
  doc json not null,
  "patronGroupId" uuid,
  "conditionId" uuid,
  filled bigint
);

create function "patron_block_limits_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."patronGroupId" := (doc ->> 'patronGroupId')::uuid;

  new."conditionId" := (doc ->> 'conditionId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "patron_block_limits_columns_new" before insert on "patron_block_limits"
  for each row when (new.filled is null) execute function "patron_block_limits_columns"();

create trigger "patron_block_limits_columns_changed" before update on "patron_block_limits"
  for each row when (new.filled is not distinct from old.filled) execute function "patron_block_limits_columns"();

create index "patron_block_limits_conditionId_ref" on "patron_block_limits" ("conditionId");

create table "synchronization_jobs" (
  id uuid primary key,
  doc json not null
);

create table "decision" (
  id uuid primary key,
  doc json not null,
  "loanId" uuid,
  filled bigint
);

create function "decision_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."loanId" := (doc ->> 'loanId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "decision_columns_new" before insert on "decision"
  for each row when (new.filled is null) execute function "decision_columns"();

create trigger "decision_columns_changed" before update on "decision"
  for each row when (new.filled is not distinct from old.filled) execute function "decision_columns"();

create index "decision_loanId_order" on "decision" ("loanId");

create table "notice" (
  id uuid primary key,
  doc json not null,
  "status" text collate "C",
  "event" text collate "C",
  "recipientId" uuid,
  "loanId" uuid,
  "requestId" uuid,
  "templateId" uuid,
  "policyId" uuid,
  "decidedDate" text collate "C",
  filled bigint
);

create function "notice_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."status" := doc ->> 'status';

  new."event" := doc ->> 'event';

  new."recipientId" := (doc ->> 'recipientId')::uuid;

  new."loanId" := (doc ->> 'loanId')::uuid;

  new."requestId" := (doc ->> 'requestId')::uuid;

  new."templateId" := (doc ->> 'templateId')::uuid;

  new."policyId" := (doc ->> 'policyId')::uuid;

  new."decidedDate" := doc ->> 'decidedDate';

  new.filled := 0;

  return new;

end $$;

create trigger "notice_columns_new" before insert on "notice"
  for each row when (new.filled is null) execute function "notice_columns"();

create trigger "notice_columns_changed" before update on "notice"
  for each row when (new.filled is not distinct from old.filled) execute function "notice_columns"();

create index "notice_recipientId_order" on "notice" ("recipientId");

create index "notice_loanId_order" on "notice" ("loanId");

create index "notice_requestId_order" on "notice" ("requestId");

create index "notice_decidedDate_order" on "notice" ("decidedDate");

create table "print_entry" (
  id uuid primary key,
  doc json not null,
  "type" text collate "C",
  "created" text collate "C",
  "sortingField" text collate "C",
  filled bigint
);

create function "print_entry_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."type" := doc ->> 'type';

  new."created" := doc ->> 'created';

  new."sortingField" := doc ->> 'sortingField';

  new.filled := 0;

  return new;

end $$;

create trigger "print_entry_columns_new" before insert on "print_entry"
  for each row when (new.filled is null) execute function "print_entry_columns"();

create trigger "print_entry_columns_changed" before update on "print_entry"
  for each row when (new.filled is not distinct from old.filled) execute function "print_entry_columns"();

create table "smtp_configuration" (
  id uuid primary key,
  doc json not null,
  "one_row" text collate "C",
  filled bigint
);

create function "smtp_configuration_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."one_row" := case when doc is not null then 'true' end;

  new.filled := 0;

  return new;

end $$;

create trigger "smtp_configuration_columns_new" before insert on "smtp_configuration"
  for each row when (new.filled is null) execute function "smtp_configuration_columns"();

create trigger "smtp_configuration_columns_changed" before update on "smtp_configuration"
  for each row when (new.filled is not distinct from old.filled) execute function "smtp_configuration_columns"();

create unique index "smtp_configuration_one_row_unique" on "smtp_configuration" ("one_row");

create table "email_statistics" (
  id uuid primary key,
  doc json not null,
  "notificationId" text collate "C",
  "status" text collate "C",
  "shouldRetry" text collate "C",
  "metadata.createdDate" text collate "C",
  filled bigint
);

create function "email_statistics_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."notificationId" := doc ->> 'notificationId';

  new."status" := doc ->> 'status';

  new."shouldRetry" := doc ->> 'shouldRetry';

  new."metadata.createdDate" := doc #>> '{metadata,createdDate}';

  new.filled := 0;

  return new;

end $$;

create trigger "email_statistics_columns_new" before insert on "email_statistics"
  for each row when (new.filled is null) execute function "email_statistics_columns"();

create trigger "email_statistics_columns_changed" before update on "email_statistics"
  for each row when (new.filled is not distinct from old.filled) execute function "email_statistics_columns"();

create index "email_statistics_notificationId_order" on "email_statistics" ("notificationId");

create index "email_statistics_metadata_createdDate_order" on "email_statistics" ("metadata.createdDate");

create table "notify_data" (
  id uuid primary key,
  doc json not null,
  "recipientId" text collate "C",
  "seen" text collate "C",
  filled bigint
);

create function "notify_data_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."recipientId" := doc ->> 'recipientId';

  new."seen" := doc ->> 'seen';

  new.filled := 0;

  return new;

end $$;

create trigger "notify_data_columns_new" before insert on "notify_data"
  for each row when (new.filled is null) execute function "notify_data_columns"();

create trigger "notify_data_columns_changed" before update on "notify_data"
  for each row when (new.filled is not distinct from old.filled) execute function "notify_data_columns"();

create index "notify_data_recipientId_order" on "notify_data" ("recipientId");

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

create table "note_type" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "note_type_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := doc ->> 'name';

  new.filled := 0;

  return new;

end $$;

create trigger "note_type_columns_new" before insert on "note_type"
  for each row when (new.filled is null) execute function "note_type_columns"();

create trigger "note_type_columns_changed" before update on "note_type"
  for each row when (new.filled is not distinct from old.filled) execute function "note_type_columns"();

create unique index "note_type_name_unique" on "note_type" ("name");

create table "note" (
  id uuid primary key,
  doc json not null,
  "title" text collate "C",
  "domain" text collate "C",
  "typeId" uuid,
  "indexedContent" text collate "C",
  filled bigint
);

create function "note_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."title" := octavo.fold(left(doc ->> 'title', 600));

  new."domain" := octavo.fold(doc ->> 'domain');

  new."typeId" := (doc ->> 'typeId')::uuid;

  new."indexedContent" := octavo.fold(coalesce(doc ->> 'title', '') || ' ' || regexp_replace(regexp_replace(coalesce(doc ->> 'content', ''), '<[^>]+>', '', 'g'), '\n+', ' ', 'g'));

  new.filled := 0;

  return new;

end $$;

create trigger "note_columns_new" before insert on "note"
  for each row when (new.filled is null) execute function "note_columns"();

create trigger "note_columns_changed" before update on "note"
  for each row when (new.filled is not distinct from old.filled) execute function "note_columns"();

create index "note_title_order" on "note" ("title");

create index "note_domain_order" on "note" ("domain");

create index "note_typeId_order" on "note" ("typeId");

create index "note_indexedContent_anywhere" on "note" using gin ("indexedContent" octavo.gin_trgm_ops) with (gin_pending_list_limit = 256);

create table "audit_data" (
  id uuid primary key,
  doc json not null,
  "target_id" text collate "C",
  filled bigint
);

create function "audit_data_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."target_id" := octavo.fold(doc ->> 'target_id');

  new.filled := 0;

  return new;

end $$;

create trigger "audit_data_columns_new" before insert on "audit_data"
  for each row when (new.filled is null) execute function "audit_data_columns"();

create trigger "audit_data_columns_changed" before update on "audit_data"
  for each row when (new.filled is not distinct from old.filled) execute function "audit_data_columns"();

create table "security_event" (
  id uuid primary key,
  doc json not null,
  "date" text collate "C",
  "userId" uuid,
  "byUserId" uuid,
  "event" text collate "C",
  "address" text collate "C",
  "description" text collate "C",
  filled bigint
);

create function "security_event_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."date" := doc ->> 'date';

  new."userId" := (doc ->> 'userId')::uuid;

  new."byUserId" := (doc ->> 'byUserId')::uuid;

  new."event" := doc ->> 'event';

  new."address" := doc ->> 'address';

  new."description" := octavo.fold(doc ->> 'description');

  new.filled := 0;

  return new;

end $$;

create trigger "security_event_columns_new" before insert on "security_event"
  for each row when (new.filled is null) execute function "security_event_columns"();

create trigger "security_event_columns_changed" before update on "security_event"
  for each row when (new.filled is not distinct from old.filled) execute function "security_event_columns"();

create index "security_event_date_order" on "security_event" ("date");

create index "security_event_userId_order" on "security_event" ("userId");

create index "security_event_byUserId_order" on "security_event" ("byUserId");

create table "validation_rules" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "validation_rules_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := doc ->> 'name';

  new.filled := 0;

  return new;

end $$;

create trigger "validation_rules_columns_new" before insert on "validation_rules"
  for each row when (new.filled is null) execute function "validation_rules_columns"();

create trigger "validation_rules_columns_changed" before update on "validation_rules"
  for each row when (new.filled is not distinct from old.filled) execute function "validation_rules_columns"();

create unique index "validation_rules_name_unique" on "validation_rules" ("name");

create table "circulation_item" (
  id uuid primary key,
  doc json not null,
  "barcode" text collate "C",
  filled bigint
);

create function "circulation_item_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."barcode" := doc ->> 'barcode';

  new.filled := 0;

  return new;

end $$;

create trigger "circulation_item_columns_new" before insert on "circulation_item"
  for each row when (new.filled is null) execute function "circulation_item_columns"();

create trigger "circulation_item_columns_changed" before update on "circulation_item"
  for each row when (new.filled is not distinct from old.filled) execute function "circulation_item_columns"();

create unique index "circulation_item_barcode_unique" on "circulation_item" ("barcode");

create table "dcb_transaction" (
  id uuid primary key,
  doc json not null,
  "transactionId" text collate "C",
  "role" text collate "C",
  "status" text collate "C",
  "requestId" uuid,
  "item.id" uuid,
  "patron.id" uuid,
  filled bigint
);

create function "dcb_transaction_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."transactionId" := doc ->> 'transactionId';

  new."role" := doc ->> 'role';

  new."status" := doc ->> 'status';

  new."requestId" := (doc ->> 'requestId')::uuid;

  new."item.id" := (doc #>> '{item,id}')::uuid;

  new."patron.id" := (doc #>> '{patron,id}')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "dcb_transaction_columns_new" before insert on "dcb_transaction"
  for each row when (new.filled is null) execute function "dcb_transaction_columns"();

create trigger "dcb_transaction_columns_changed" before update on "dcb_transaction"
  for each row when (new.filled is not distinct from old.filled) execute function "dcb_transaction_columns"();

create unique index "dcb_transaction_transactionId_unique" on "dcb_transaction" ("transactionId");

create index "dcb_transaction_requestId_order" on "dcb_transaction" ("requestId");

create index "dcb_transaction_item_id_order" on "dcb_transaction" ("item.id");

create index "dcb_transaction_patron_id_order" on "dcb_transaction" ("patron.id");

create table "dcb_transaction_change" (
  id uuid primary key,
  doc json not null,
  "date" text collate "C",
  "patron.id" uuid,
  "item.id" uuid,
  filled bigint
);

create function "dcb_transaction_change_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."date" := doc ->> 'date';

  new."patron.id" := (doc #>> '{patron,id}')::uuid;

  new."item.id" := (doc #>> '{item,id}')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "dcb_transaction_change_columns_new" before insert on "dcb_transaction_change"
  for each row when (new.filled is null) execute function "dcb_transaction_change_columns"();

create trigger "dcb_transaction_change_columns_changed" before update on "dcb_transaction_change"
  for each row when (new.filled is not distinct from old.filled) execute function "dcb_transaction_change_columns"();

create index "dcb_transaction_change_date_order" on "dcb_transaction_change" ("date");

create index "dcb_transaction_change_patron_id_order" on "dcb_transaction_change" ("patron.id");

create index "dcb_transaction_change_item_id_order" on "dcb_transaction_change" ("item.id");

create table "remote_storage_configurations" (
  id uuid primary key,
  doc json not null
);

create table "location_mappings" (
  id uuid primary key,
  doc json not null,
  "configurationId" uuid,
  filled bigint
);

create function "location_mappings_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."configurationId" := (doc ->> 'configurationId')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "location_mappings_columns_new" before insert on "location_mappings"
  for each row when (new.filled is null) execute function "location_mappings_columns"();

create trigger "location_mappings_columns_changed" before update on "location_mappings"
  for each row when (new.filled is not distinct from old.filled) execute function "location_mappings_columns"();

create index "location_mappings_configurationId_order" on "location_mappings" ("configurationId");

create table "accession_queue" (
  id uuid primary key,
  doc json not null,
  "itemBarcode" text collate "C",
  "remoteStorageId" uuid,
  "createdDateTime" text collate "C",
  "accessionedDateTime" text collate "C",
  filled bigint
);

create function "accession_queue_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."itemBarcode" := doc ->> 'itemBarcode';

  new."remoteStorageId" := (doc ->> 'remoteStorageId')::uuid;

  new."createdDateTime" := doc ->> 'createdDateTime';

  new."accessionedDateTime" := doc ->> 'accessionedDateTime';

  new.filled := 0;

  return new;

end $$;

create trigger "accession_queue_columns_new" before insert on "accession_queue"
  for each row when (new.filled is null) execute function "accession_queue_columns"();

create trigger "accession_queue_columns_changed" before update on "accession_queue"
  for each row when (new.filled is not distinct from old.filled) execute function "accession_queue_columns"();

create index "accession_queue_itemBarcode_order" on "accession_queue" ("itemBarcode");

create index "accession_queue_createdDateTime_order" on "accession_queue" ("createdDateTime");

create table "retrieval_queue" (
  id uuid primary key,
  doc json not null,
  "itemBarcode" text collate "C",
  "holdId" text collate "C",
  "requesterId" uuid,
  "remoteStorageId" uuid,
  "createdDateTime" text collate "C",
  "retrievedDateTime" text collate "C",
  filled bigint
);

create function "retrieval_queue_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."itemBarcode" := doc ->> 'itemBarcode';

  new."holdId" := doc ->> 'holdId';

  new."requesterId" := (doc ->> 'requesterId')::uuid;

  new."remoteStorageId" := (doc ->> 'remoteStorageId')::uuid;

  new."createdDateTime" := doc ->> 'createdDateTime';

  new."retrievedDateTime" := doc ->> 'retrievedDateTime';

  new.filled := 0;

  return new;

end $$;

create trigger "retrieval_queue_columns_new" before insert on "retrieval_queue"
  for each row when (new.filled is null) execute function "retrieval_queue_columns"();

create trigger "retrieval_queue_columns_changed" before update on "retrieval_queue"
  for each row when (new.filled is not distinct from old.filled) execute function "retrieval_queue_columns"();

create index "retrieval_queue_itemBarcode_order" on "retrieval_queue" ("itemBarcode");

create index "retrieval_queue_holdId_order" on "retrieval_queue" ("holdId");

create index "retrieval_queue_requesterId_order" on "retrieval_queue" ("requesterId");

create index "retrieval_queue_createdDateTime_order" on "retrieval_queue" ("createdDateTime");

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
  filled bigint
);

create function "upload_definitions_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."metadata.createdByUserId" := (doc #>> '{metadata,createdByUserId}')::uuid;

  new.filled := 0;

  return new;

end $$;

create trigger "upload_definitions_columns_new" before insert on "upload_definitions"
  for each row when (new.filled is null) execute function "upload_definitions_columns"();

create trigger "upload_definitions_columns_changed" before update on "upload_definitions"
  for each row when (new.filled is not distinct from old.filled) execute function "upload_definitions_columns"();

create index "upload_definitions_metadata_createdByUserId_order" on "upload_definitions" ("metadata.createdByUserId");

create table "copycat_profile" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);

create function "copycat_profile_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;

begin
  new."name" := octavo.fold(doc ->> 'name');

  new.filled := 0;

  return new;

end $$;

create trigger "copycat_profile_columns_new" before insert on "copycat_profile"
  for each row when (new.filled is null) execute function "copycat_profile_columns"();

create trigger "copycat_profile_columns_changed" before update on "copycat_profile"
  for each row when (new.filled is not distinct from old.filled) execute function "copycat_profile_columns"();

alter table "users" add constraint "users_patronGroup_fkey" foreign key ("patronGroup") references "groups" (id);

alter table "loccampus" add constraint "loccampus_institutionId_fkey" foreign key ("institutionId") references "locinstitution" (id);

alter table "loclibrary" add constraint "loclibrary_campusId_fkey" foreign key ("campusId") references "loccampus" (id);

alter table "location" add constraint "location_institutionId_fkey" foreign key ("institutionId") references "locinstitution" (id);

alter table "location" add constraint "location_campusId_fkey" foreign key ("campusId") references "loccampus" (id);

alter table "location" add constraint "location_libraryId_fkey" foreign key ("libraryId") references "loclibrary" (id);

alter table "service_point_user" add constraint "service_point_user_defaultServicePointId_fkey" foreign key ("defaultServicePointId") references "service_point" (id);

alter table "statistical_code" add constraint "statistical_code_statisticalCodeTypeId_fkey" foreign key ("statisticalCodeTypeId") references "statistical_code_type" (id);

alter table "instance" add constraint "instance_instanceTypeId_fkey" foreign key ("instanceTypeId") references "instance_type" (id);

alter table "instance" add constraint "instance_modeOfIssuanceId_fkey" foreign key ("modeOfIssuanceId") references "mode_of_issuance" (id);

alter table "instance_relationship" add constraint "instance_relationship_superInstanceId_fkey" foreign key ("superInstanceId") references "instance" (id);

alter table "instance_relationship" add constraint "instance_relationship_subInstanceId_fkey" foreign key ("subInstanceId") references "instance" (id);

alter table "instance_relationship" add constraint "instance_relationship_instanceRelationshipTypeId_fkey" foreign key ("instanceRelationshipTypeId") references "instance_relationship_type" (id);

alter table "preceding_succeeding_title" add constraint "preceding_succeeding_title_precedingInstanceId_fkey" foreign key ("precedingInstanceId") references "instance" (id);

alter table "preceding_succeeding_title" add constraint "preceding_succeeding_title_succeedingInstanceId_fkey" foreign key ("succeedingInstanceId") references "instance" (id);

alter table "holdings_record" add constraint "holdings_record_instanceId_fkey" foreign key ("instanceId") references "instance" (id);

alter table "holdings_record" add constraint "holdings_record_permanentLocationId_fkey" foreign key ("permanentLocationId") references "location" (id);

alter table "holdings_record" add constraint "holdings_record_temporaryLocationId_fkey" foreign key ("temporaryLocationId") references "location" (id);

alter table "holdings_record" add constraint "holdings_record_effectiveLocationId_fkey" foreign key ("effectiveLocationId") references "location" (id);

alter table "holdings_record" add constraint "holdings_record_holdingsTypeId_fkey" foreign key ("holdingsTypeId") references "holdings_type" (id);

alter table "holdings_record" add constraint "holdings_record_callNumberTypeId_fkey" foreign key ("callNumberTypeId") references "call_number_type" (id);

alter table "holdings_record" add constraint "holdings_record_illPolicyId_fkey" foreign key ("illPolicyId") references "ill_policy" (id);

alter table "holdings_record" add constraint "holdings_record_sourceId_fkey" foreign key ("sourceId") references "holdings_records_source" (id);

alter table "item" add constraint "item_holdingsRecordId_fkey" foreign key ("holdingsRecordId") references "holdings_record" (id);

alter table "item" add constraint "item_effectiveLocationId_fkey" foreign key ("effectiveLocationId") references "location" (id);

alter table "item" add constraint "item_permanentLocationId_fkey" foreign key ("permanentLocationId") references "location" (id);

alter table "item" add constraint "item_temporaryLocationId_fkey" foreign key ("temporaryLocationId") references "location" (id);

alter table "item" add constraint "item_materialTypeId_fkey" foreign key ("materialTypeId") references "material_type" (id);

alter table "item" add constraint "item_permanentLoanTypeId_fkey" foreign key ("permanentLoanTypeId") references "loan_type" (id);

alter table "item" add constraint "item_temporaryLoanTypeId_fkey" foreign key ("temporaryLoanTypeId") references "loan_type" (id);

alter table "bound_with_part" add constraint "bound_with_part_itemId_fkey" foreign key ("itemId") references "item" (id);

alter table "bound_with_part" add constraint "bound_with_part_holdingsRecordId_fkey" foreign key ("holdingsRecordId") references "holdings_record" (id);

alter table "authority" add constraint "authority_sourceFileId_fkey" foreign key ("sourceFileId") references "authority_source_file" (id);

alter table "authority_archive" add constraint "authority_archive_sourceFileId_fkey" foreign key ("sourceFileId") references "authority_source_file" (id);

alter table "records_lb" add constraint "records_lb_snapshotId_fkey" foreign key ("snapshotId") references "snapshots_lb" (id);

alter table "loan_policy" add constraint "loan_policy_loansPolicy_fixedDueDateScheduleId_fkey" foreign key ("loansPolicy.fixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "loan_policy" add constraint "loan_policy_renewalsPolicy_alternateFixedDueDateScheduleId_fkey" foreign key ("renewalsPolicy.alternateFixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "request" add constraint "request_cancellationReasonId_fkey" foreign key ("cancellationReasonId") references "cancellation_reason" (id);

alter table "feefines" add constraint "feefines_ownerId_fkey" foreign key ("ownerId") references "owners" (id);

alter table "patron_block_limits" add constraint "patron_block_limits_conditionId_fkey" foreign key ("conditionId") references "patron_block_conditions" (id);

alter table "servint_refdata_value" add constraint "servint_refdata_value_owner_fkey" foreign key ("owner") references "servint_refdata_category" (id);

alter table "servint_dashboard_access" add constraint "servint_dashboard_access_dashboard_fkey" foreign key ("dashboard") references "servint_dashboard" (id);

alter table "servint_dashboard_access" add constraint "servint_dashboard_access_access_fkey" foreign key ("access") references "servint_refdata_value" (id);

alter table "servint_widget_instance" add constraint "servint_widget_instance_owner_fkey" foreign key ("owner") references "servint_dashboard" (id);

alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_owner_fkey" foreign key ("owner") references "servint_number_generator" (id);

alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_checkDigitAlgo_fkey" foreign key ("checkDigitAlgo") references "servint_refdata_value" (id);

alter table "servint_number_generator_sequence" add constraint "servint_number_generator_sequence_maximumCheck_fkey" foreign key ("maximumCheck") references "servint_refdata_value" (id);

alter table "oa_refdata_value" add constraint "oa_refdata_value_owner_fkey" foreign key ("owner") references "oa_refdata_category" (id);

alter table "oa_title_instance" add constraint "oa_title_instance_work_fkey" foreign key ("work") references "oa_work" (id);

alter table "oa_publication_request" add constraint "oa_publication_request_work_fkey" foreign key ("work") references "oa_work" (id);

alter table "oa_correspondence" add constraint "oa_correspondence_owner_fkey" foreign key ("owner") references "oa_publication_request" (id);

alter table "oa_charge" add constraint "oa_charge_owner_fkey" foreign key ("owner") references "oa_publication_request" (id);

create index users_custom_fields on users using gin (((doc -> 'customFields')::jsonb)) where (doc -> 'customFields') is not null;

create index users_departments on users using gin (((doc -> 'departments')::jsonb));

create index users_to_expire on users ("expirationDate") where active = 'true';;

-- What a tenant's schema has of mod-login beside the tables of its records.

-- Ends all sessions of a user, but for one.
create function end_sessions(who uuid, but text) returns void language sql volatile as $$
  insert into auth_ended_sessions as e (id, doc)
  values (who, json_build_object('id', who, 'generation', 1, 'kept', but))
  on conflict (id) do update
  set doc = json_build_object('id', who, 'generation', (e.doc ->> 'generation')::int8 + 1, 'kept', but)
$$;


-- None of the tokens of a user who is made inactive counts again if the user comes back. Of one who is removed nothing is left.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  perform end_sessions(old.id, null);

  delete from refresh_tokens where "userId" = old.id;

  return null;

end $$;


create trigger users_made_inactive after update on users
  for each row when (new.active = 'false' and old.active is distinct from 'false')
  execute function end_sessions_of_user();

create index permissions_sub on permissions using gin (((doc -> 'subPermissions')::jsonb)) with (fastupdate = off);

create index permissions_users_held on permissions_users using gin (((doc -> 'permissions')::jsonb)) with (fastupdate = off);

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
  for each row execute function audit_config_data();

-- What a tenant's schema has of mod-inventory-storage beside the tables of its records.

-- Room in each page for the new versions of items that change in place.
alter table item set (fillfactor = 85);


-- Human-readable ids.
create sequence hrid_instances_seq maxvalue 99999999999;

create sequence hrid_holdings_seq maxvalue 99999999999;

create sequence hrid_items_seq maxvalue 99999999999;


create function next_hrid(kind text) returns text language sql volatile as $$
  select coalesce(s.doc -> kind ->> 'prefix', '') ||
    case s.doc ->> 'commonRetainLeadingZeroes' when 'false' then drawn.number
    else lpad(drawn.number, greatest(11, length(drawn.number)), '0') end
  from (select nextval(('hrid_' || kind || '_seq')::regclass)::text as number) drawn
  left join hrid_settings s on true
$$;


create function hrid_counter(kind text) returns bigint language plpgsql stable as $$
declare
  counter bigint;

begin
  execute format('select last_value - case when is_called then 0 else 1 end from %I', 'hrid_' || kind || '_seq')
  into counter;

  return counter;

end $$;


create function restart_hrids(kind text, start bigint) returns void language plpgsql as $$
begin
  execute format('alter sequence %I restart with %s', 'hrid_' || kind || '_seq', start);

end $$;


-- What is gone, for harvesters that follow changes: the instance, and for holdings and items what they belonged to.
create table deleted_record (
  kind text not null,
  id uuid not null,
  parent uuid,
  source text,
  at text collate "C" not null
);


create index deleted_record_kind_at_idx on deleted_record (kind, at);

create index deleted_record_id_idx on deleted_record (id);


create function remember_deleted() returns trigger language plpgsql as $$
begin
  insert into deleted_record (kind, id, parent, source, at)
  select tg_table_name, g.id, (g.doc ->> tg_argv[0])::uuid, g.doc ->> 'source',
    to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')
  from gone g;

  return null;

end $$;


create trigger instance_deleted after delete on instance
  referencing old table as gone for each statement execute function remember_deleted('');

create trigger holdings_record_deleted after delete on holdings_record
  referencing old table as gone for each statement execute function remember_deleted('instanceId');

create trigger item_deleted after delete on item
  referencing old table as gone for each statement execute function remember_deleted('holdingsRecordId');


-- The MARC record of an instance has its id.
alter table instance_source_marc
  add constraint instance_source_marc_id_fkey foreign key (id) references instance (id) on delete cascade;

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


-- A deleted authority is kept, and listed where clients ask for deleted ones. Its last change is that it was deleted.
create function archive_authority() returns trigger language plpgsql as $$
begin
  insert into authority_archive (id, doc)
  values (old.id, old.doc::jsonb || jsonb_build_object('metadata', coalesce((old.doc -> 'metadata')::jsonb, '{}')
    || jsonb_build_object('updatedDate', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))))
  on conflict (id) do update set doc = excluded.doc;

  return null;

end $$;


create trigger authority_archived after delete on authority
  for each row execute function archive_authority();


-- Linking rules whose automatic linking a library has switched. The rules themselves are part of the program.
create table linking_rule (id bigint primary key, auto_linking boolean not null);


-- A field of an instance's MARC record whose heading is an authority's. The authority may be gone: its links then stay until its instances
-- have been gone through, and are shown no longer.
create table instance_authority_link (
  id bigint generated always as identity primary key,
  authority uuid not null,
  instance uuid not null,
  rule bigint not null,
  status text not null default 'ACTUAL',
  error text,
  updated timestamptz not null default now(),
  unique (instance, authority, rule)
);


create index instance_authority_link_authority on instance_authority_link (authority, instance);

create index instance_authority_link_updated on instance_authority_link (updated);


-- Changes of headings that linked instances follow, and how far they have: instances up to done_to have been gone through, in the order of
-- their ids.
create table heading_change (
  id uuid primary key default gen_random_uuid(),
  place bigint generated always as identity,
  authority uuid not null,
  action text not null,
  unlinks boolean not null,
  renumbers boolean not null,
  natural_id_old text,
  natural_id_new text,
  heading_old text,
  heading_new text,
  heading_type_old text,
  heading_type_new text,
  source_file_old text,
  source_file_new text,
  started timestamptz not null default clock_timestamp(),
  started_by uuid,
  completed timestamptz,
  done_to uuid,
  lb_total bigint not null,
  lb_updated bigint not null default 0,
  lb_failed bigint not null default 0
);


create index heading_change_started on heading_change (started);

create index heading_change_open on heading_change (authority, place) where completed is null;


create function authority_heading_changed() returns trigger language plpgsql as $$
declare
  before jsonb := old.doc::jsonb;

  after jsonb := '{}';

  gone text[];

  come text[];

  changed text[];

  linked bigint;

  tags jsonb := '{"personalName": "100", "personalNameTitle": "100", "corporateName": "110", "corporateNameTitle": "110",
    "meetingName": "111", "meetingNameTitle": "111", "uniformTitle": "130", "topicalTerm": "150", "geographicName": "151",
    "genreTerm": "155"}';

  new_change uuid;

begin
  if tg_op = 'UPDATE' then
    after := new.doc::jsonb;

  end if;

  select array_agg(h.name), array_agg(h.name) filter (where before ->> h.name is not null),
    array_agg(h.name) filter (where after ->> h.name is not null)
  into changed, gone, come
  from jsonb_object_keys(tags) h (name)
  where before ->> h.name is distinct from after ->> h.name;

  if changed is null and before ->> 'naturalId' is not distinct from after ->> 'naturalId' then
    return null;

  end if;

  select count(distinct l.instance) into linked from instance_authority_link l where l.authority = old.id;

  insert into heading_change (authority, action, unlinks, renumbers, natural_id_old, natural_id_new,
    heading_old, heading_new, heading_type_old, heading_type_new, source_file_old, source_file_new,
    started_by, completed, lb_total)
  select old.id,
    case when tg_op = 'DELETE' then 'DELETE' when changed is null then 'UPDATE_NATURAL_ID' else 'UPDATE_HEADING' end,
    tg_op = 'DELETE' or coalesce(cardinality(changed) > 1, false),
    before ->> 'naturalId' is distinct from after ->> 'naturalId',
    before ->> 'naturalId', after ->> 'naturalId',
    before ->> gone[1], after ->> come[1],
    tags ->> gone[1],
    tags ->> come[1],
    before ->> 'sourceFileId', after ->> 'sourceFileId',
    (after #>> '{metadata,updatedByUserId}')::uuid,
    case when linked = 0 then clock_timestamp() end,
    linked
  returning id into new_change;

  if linked > 0 then
    insert into outbox (kind, subject) values ('authority-heading', new_change);

  end if;

  return null;

end $$;


create trigger authority_heading_changed after update on authority
  for each row when (old.doc::text is distinct from new.doc::text) execute function authority_heading_changed();

create trigger authority_heading_gone after delete on authority
  for each row execute function authority_heading_changed();


-- The next number of a source file's own records.
create table authority_hrid (file uuid primary key references authority_source_file on delete cascade, next bigint not null);


create function start_authority_hrids() returns trigger language plpgsql as $$
begin
  if new.doc ->> 'source' <> 'local' then
    return null;

  end if;

  if tg_op = 'INSERT' or new.doc #>> '{hridManagement,startNumber}' is distinct from old.doc #>> '{hridManagement,startNumber}' then
    insert into authority_hrid (file, next)
    values (new.id, coalesce((new.doc #>> '{hridManagement,startNumber}')::bigint, 1))
    on conflict (file) do update set next = excluded.next;

  end if;

  return null;

end $$;


create trigger start_authority_hrids after insert or update on authority_source_file
  for each row execute function start_authority_hrids();

-- The parts of a record of MARC-in-JSON: a row for each subfield, or for a field without subfields. A blank indicator is `#`.
create function marc_rows(fields jsonb)
returns table (tag text, ind1 text, ind2 text, code text, value text)
language sql immutable rows 60 as $$
  select f.tag,
    coalesce(nullif(btrim(f.body ->> 'ind1'), ''), '#'),
    coalesce(nullif(btrim(f.body ->> 'ind2'), ''), '#'),
    coalesce(nullif(btrim(s.code), ''), '0'),
    coalesce(s.value, case when jsonb_typeof(f.body) <> 'object' then f.body #>> '{}' end)
  from jsonb_array_elements(case when jsonb_typeof(fields) = 'array' then fields end) e (field)
  cross join lateral jsonb_each(case when jsonb_typeof(e.field) = 'object' then e.field end) f (tag, body)
  left join lateral (
    select p.key as code, p.value
    from jsonb_array_elements(
      case when jsonb_typeof(f.body -> 'subfields') = 'array' then f.body -> 'subfields' end) u (subfield)
    cross join lateral jsonb_each_text(case when jsonb_typeof(u.subfield) = 'object' then u.subfield end) p) s on true
$$;


-- One of 2^22 numbers for a text.
create function marc_number(text) returns integer language sql immutable strict as $$
  select ('x' || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 6))::bit(24)::integer >> 2
$$;


-- What a record is found by: numbers for its tags, and for its values and their beginnings under their tags.
create function marc_terms(fields jsonb) returns integer[] language sql immutable as $$
  select coalesce(array_agg(distinct marc_number(t.term)), '{}')
  from (
    select m.tag, translate(m.value, ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '') as letters
    from marc_rows(fields) m
    offset 0) r
  cross join lateral (values
    (r.tag),
    (case when length(r.letters) > 0 then r.tag || '=' || left(r.letters, 24) end),
    (case when length(r.letters) >= 4 then r.tag || '^' || left(r.letters, 4) end),
    (case when length(r.letters) >= 10 then r.tag || '^' || left(r.letters, 10) end)) t (term)
  where t.term is not null
$$;


-- The lists of numbers are read by way of the index alone, so they stand apart, and the rows stay narrow.
alter table records_lb set (toast_tuple_target = 512)
;

create index records_lb_marc_terms on records_lb using gin ("marcTerms") with (gin_pending_list_limit = 256)
  where state in ('ACTUAL', 'DELETED');

-- Of a patron's loans limits read the index alone, as far as vacuum has seen that everybody sees them.
alter table loan set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);


-- What an item limit counts of a patron's open loans, like with like: material type, loan type, whether claimed to be returned,
-- how many. Most items have no limit: a function, because a query costs to begin even where it is not needed.
create function open_loans_by_types(patron uuid) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_array(c.material, c.lending, c.claimed, c.loans))
    from (
      select
        i."materialTypeId" as material,
        coalesce(i."temporaryLoanTypeId", i."permanentLoanTypeId") as lending,
        coalesce(l."itemStatus" = 'claimed returned', false) as claimed,
        count(*) as loans
      from loan l
      join item i on i.id = l."itemId"
      where l."userId" = patron
        and l."status.name" >= 'open'
        and l."status.name" <= 'open'
      group by 1, 2, 3
    ) c
  );

end $$;


-- An entry of loan history.
create function history_entry(id uuid, operation text, loan json) returns json language sql volatile as
$$ select json_build_object(
  'id', id,
  'operation', operation,
  'createdDate', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
  'loan', loan
) $$;


-- What statements that know nothing of history do to loans.
create function audit_loan() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();

  loan loan := case tg_op when 'DELETE' then old else new end;

begin
  if tg_op = 'DELETE' then
    loan.doc := jsonb_set(loan.doc::jsonb, '{action}', '"deleted"', false);

  end if;

  insert into audit_loan (id, doc, "loan.id", filled)
  values (entry, history_entry(entry, left(tg_op, 1), loan.doc), loan.id, 1);

  return null;

end $$;

create trigger audit_loan_new after insert on loan
  for each row when (new.filled = 0) execute function audit_loan();

create trigger audit_loan_changed after update on loan
  for each row when (new.filled = 0 and new.doc::text is distinct from old.doc::text) execute function audit_loan();

create trigger audit_loan_deleted after delete on loan
  for each row execute function audit_loan();


-- Who stands where in which queue, and what decisions look at of those who stand around. A request's place is here and not in
-- its document: a thousand who move up are a thousand small rows, without documents, columns and indexes of requests.
create table queue_place (
  id uuid primary key,
  "itemId" uuid,
  "instanceId" uuid,
  "requesterId" uuid,
  position integer not null,
  status text collate "C",
  "requestType" text collate "C",
  "requestLevel" text collate "C",
  -- Looked at when a statement has moved everybody.
  constraint "request_itemId_position_unique" unique ("itemId", position) deferrable
);

create index "queue_place_instanceId_order" on queue_place ("instanceId", position);


-- The queue of a title or, where that is null, of an item: of requests that are alike to the item the first few, with their
-- requesters, how many there are in all, and whether there are more of this kind, which the item could be for. Mostly nobody
-- waits: a function, because the query costs more to begin than to find that out.
create function queue_of(item uuid, title uuid, few bigint)
returns table (request text, requester text, "position" bigint, length bigint, more boolean)
language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  if title is null then
    if not exists (select from queue_place p where p."itemId" = item) then return; end if;

  elsif not exists (select from queue_place p where p."instanceId" = title) then return;

  end if;

  return query
  select
    (select placed(r.doc, q.position)::text from request r where r.id = q.id),
    (select u.doc::text from users u where u.id = q."requesterId"),
    q.position::bigint,
    q.length,
    q.nth = few and q.more and q.fits
  from (
    select
      p.id,
      p."requesterId",
      p.position,
      count(*) over () as length,
      row_number() over alike as nth,
      lead(true, 1, false) over alike as more,
      p."itemId" is not distinct from item
        or p."requestLevel" = 'Title' and (p."itemId" is null or p."requestType" = 'Recall') as fits
    from (
      select * from queue_place o where title is null and o."itemId" = item
      union all
      select * from queue_place o where o."instanceId" = title
    ) p
    window alike as (
      partition by p.status, p."requestType", p."requestLevel", p."itemId" = item
      order by p.position
    )
  ) q
  where q.nth <= few;

end $$;


-- The document with its place.
create function placed(doc json, place integer) returns json language sql immutable as
$$ select case when place is null then doc else (left(doc::text, -1) || ', "position": ' || place || '}')::json end $$;


-- Whoever writes a request with a position puts it there. An open one that is written without keeps its place, a closed one
-- loses it.
create function request_place() returns trigger language plpgsql as $$
declare
  doc jsonb := new.doc::jsonb;

  number numeric := octavo.number(doc ->> 'position');

  place integer := case when number between -2147483648 and 2147483647 then number end;

begin
  if place is null and doc ->> 'status' like 'Open%' then
    select q.position into place from queue_place q where q.id = new.id;

  end if;

  if place is not null then
    insert into queue_place as q (id, "itemId", "instanceId", "requesterId", position, status, "requestType", "requestLevel")
    values (
      new.id, (doc ->> 'itemId')::uuid, (doc ->> 'instanceId')::uuid, (doc ->> 'requesterId')::uuid, place,
      doc ->> 'status', doc ->> 'requestType', doc ->> 'requestLevel'
    )
    on conflict (id) do update set
      "itemId" = excluded."itemId",
      "instanceId" = excluded."instanceId",
      "requesterId" = excluded."requesterId",
      position = excluded.position,
      status = excluded.status,
      "requestType" = excluded."requestType",
      "requestLevel" = excluded."requestLevel"
    where q is distinct from excluded;

    new.doc := doc - 'position';

  elsif tg_op = 'UPDATE' then
    delete from queue_place q where q.id = new.id;

  end if;

  return new;

end $$;

create trigger request_place before insert or update on request for each row execute function request_place();


create function request_leaves() returns trigger language plpgsql as $$ begin
  delete from queue_place q where q.id = old.id;

  return null;

end $$;

create trigger request_leaves after delete on request for each row execute function request_leaves();


-- What requests keep of an item's call number, by which clients search and sort them.
create function request_call_number(item json) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'callNumberComponents', jsonb_build_object(
      'callNumber', item #> '{effectiveCallNumberComponents,callNumber}',
      'prefix', item #> '{effectiveCallNumberComponents,prefix}',
      'suffix', item #> '{effectiveCallNumberComponents,suffix}'
    ),
    'shelvingOrder', item -> 'effectiveShelvingOrder'
  ))
$$;


-- An item's requests follow its call number, whichever statement has changed it.
create function item_call_number_changed() returns trigger language plpgsql as $$
declare
  call_number jsonb := request_call_number(new.doc);

begin
  if call_number is distinct from request_call_number(old.doc) then
    update request r
    set doc = r.doc::jsonb || jsonb_build_object(
      'searchIndex',
      coalesce((r.doc -> 'searchIndex')::jsonb, '{}') - '{callNumberComponents,shelvingOrder}'::text[] || call_number
    )
    where r."itemId" = new.id;

  end if;

  return null;

end $$;


-- Circulation's statements leave `filled` below 0. They change no call number.
create trigger requests_follow_call_number after update on item
  for each row when (new.filled >= 0) execute function item_call_number_changed();

-- Decisions are stored as they are made, so a few bytes for each stretch of the table are enough to find old ones.
create index decision_at on decision using brin (((doc ->> 'at') collate "C")) with (autosummarize = on);

-- Counts of circulation by month, which outlive the borrowers of the loans. A month is text such as 2026-11.
create table circulation_count (
  month text collate "C" not null,
  patron_group text,
  location text,
  material_type text,
  loans bigint not null,
  renewals bigint not null,
  returns bigint not null
);

create index circulation_count_month on circulation_count (month);

create table active_borrowers (
  month text collate "C" not null,
  patron_group text,
  borrowers bigint not null
);

create index active_borrowers_month on active_borrowers (month);


-- Borrowers of loans that were anonymised before their month was counted: a digest with the month's key, which is deleted with the digests
-- when the month is counted.
create table borrower_digest (
  month text collate "C" not null,
  digest bytea not null,
  patron_group text,
  primary key (month, digest)
);

create table borrower_key (
  month text collate "C" primary key,
  key bytea not null
);


-- The last month that was counted: one row.
create table circulation_counted (
  month text collate "C" not null
);;

-- Files to print, in hexadecimal, apart from their entries: a list of entries reads none of them.
create table print_content (
  id uuid primary key references print_entry (id) on delete cascade,
  content text not null,
  -- The notice of the ledger.
  notice_id uuid,
  -- 1 while a file of many notices is made of it, 2 once it is looked at alone; 0 again when that went well.
  tries bigint not null default 0
);

create index print_content_tried on print_content (tries) where tries > 0;

-- What harvesters follow: of each instance, also of a deleted one, when it or anything that is shown of it changed last.
create table oai_record (
  -- The id of the instance.
  id uuid primary key,
  -- Microseconds since 1970.
  at bigint not null,
  -- The instance's source in lower case; null for an instance that is not there and has a MARC record only.
  source text,
  hidden boolean not null default false,
  gone boolean not null default false,
  -- Of its MARC record: ACTUAL or DELETED; null if there is none.
  marc text,
  marc_hidden boolean not null default false
);


create index oai_record_at on oai_record (at, id);


create function oai_now() returns bigint language sql volatile as $$
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint
$$;


create function oai_instance_written() returns trigger language plpgsql as $$
begin
  insert into oai_record (id, at, source, hidden)
  select f.id, oai_now(), coalesce(f."source", ''), coalesce(f."discoverySuppress", '') = 'true'
  from fresh f
  order by f.id
  on conflict (id) do update set at = excluded.at, source = excluded.source, hidden = excluded.hidden, gone = false;

  return null;

end $$;


create trigger oai_written after insert on instance
  referencing new table as fresh for each statement execute function oai_instance_written();

create trigger oai_changed after update on instance
  referencing new table as fresh for each statement execute function oai_instance_written();


create function oai_instance_deleted() returns trigger language plpgsql as $$
begin
  insert into oai_record (id, at, source, gone)
  select o.id, oai_now(), coalesce(o."source", ''), true
  from old_rows o
  order by o.id
  on conflict (id) do update set at = excluded.at, gone = true;

  return null;

end $$;


create trigger oai_deleted after delete on instance
  referencing old table as old_rows for each statement execute function oai_instance_deleted();


-- Notes that what is shown of instances has changed. The rows are locked in one order, so that two transactions do not wait for each other.
create function oai_touch(instances uuid[]) returns void language sql as $$
  update oai_record r set at = oai_now()
  from (
    select t.id
    from oai_record t
    where t.id = any(instances)
    and not t.gone
    order by t.id
    for update) t
  where r.id = t.id
$$;


create function oai_holdings_written() returns trigger language plpgsql as $$
begin
  perform oai_touch(array(select distinct f."instanceId" from fresh f));

  return null;

end $$;


create function oai_holdings_gone() returns trigger language plpgsql as $$
begin
  perform oai_touch(array(select distinct o."instanceId" from old_rows o));

  return null;

end $$;


create trigger oai_written after insert on holdings_record
  referencing new table as fresh for each statement execute function oai_holdings_written();

create trigger oai_changed after update on holdings_record
  referencing new table as fresh for each statement execute function oai_holdings_written();

create trigger oai_left after update on holdings_record
  referencing old table as old_rows for each statement execute function oai_holdings_gone();

create trigger oai_deleted after delete on holdings_record
  referencing old table as old_rows for each statement execute function oai_holdings_gone();


create function oai_item_written() returns trigger language plpgsql as $$
begin
  perform oai_touch(array(
    select distinct h."instanceId"
    from fresh f
    join holdings_record h on h.id = f."holdingsRecordId"));

  return null;

end $$;


create function oai_item_gone() returns trigger language plpgsql as $$
begin
  perform oai_touch(array(
    select distinct h."instanceId"
    from old_rows o
    join holdings_record h on h.id = o."holdingsRecordId"));

  return null;

end $$;


-- Circulation changes an item's status and where it was last. Nothing of that is harvested.
create function oai_of_item(doc json) returns jsonb language sql immutable as $$
  select doc::jsonb - '{status,lastCheckIn,inTransitDestinationServicePointId,metadata,_version}'::text[]
$$;


create function oai_item_changed() returns trigger language plpgsql as $$
begin
  if oai_of_item(old.doc) is distinct from oai_of_item(new.doc) then
    perform oai_touch(array(
      select h."instanceId"
      from holdings_record h
      where h.id in (old."holdingsRecordId", new."holdingsRecordId")));

  end if;

  return null;

end $$;


create trigger oai_written after insert on item
  referencing new table as fresh for each statement execute function oai_item_written();

-- Circulation's statements leave `filled` below 0, because they change nothing by which items are searched. To compare their documents
-- would take a check-out longer than to write the item.
create trigger oai_changed after update on item
  for each row when (new.filled >= 0) execute function oai_item_changed();

create trigger oai_deleted after delete on item
  referencing old table as old_rows for each statement execute function oai_item_gone();


create function oai_source(instances uuid[]) returns void language sql as $$
  insert into oai_record (id, at, marc, marc_hidden)
  select i.id, oai_now(), m.marc, coalesce(m.hidden, false)
  from (select distinct u.id from unnest(instances) u(id) where u.id is not null order by u.id) i
  left join lateral (
    select
      case when r.state = 'DELETED' or r.doc ->> 'leaderRecordStatus' = 'd' then 'DELETED' else 'ACTUAL' end as marc,
      r.doc #>> '{additionalInfo,suppressDiscovery}' = 'true' as hidden
    from records_lb r
    where r."externalIdsHolder.instanceId" = i.id
    and r.state in ('ACTUAL', 'DELETED')
    and r.doc ->> 'recordType' = 'MARC_BIB'
    order by r.generation desc
    limit 1) m on true
  on conflict (id) do update set at = excluded.at, marc = excluded.marc, marc_hidden = excluded.marc_hidden
$$;


create function oai_source_written() returns trigger language plpgsql as $$
begin
  -- What only fills columns changes nothing that is harvested.
  if current_setting('octavo.quietly', true) is distinct from 'on' then
    perform oai_source(array(select f."externalIdsHolder.instanceId" from fresh f));

  end if;

  return null;

end $$;


create function oai_source_gone() returns trigger language plpgsql as $$
begin
  perform oai_source(array(select o."externalIdsHolder.instanceId" from old_rows o));

  return null;

end $$;


create trigger oai_written after insert on records_lb
  referencing new table as fresh for each statement execute function oai_source_written();

create trigger oai_changed after update on records_lb
  referencing new table as fresh for each statement execute function oai_source_written();

create trigger oai_deleted after delete on records_lb
  referencing old table as old_rows for each statement execute function oai_source_gone();


-- What was harvested, for staff to see.
create table oai_harvest (
  id uuid primary key,
  started timestamptz not null,
  updated timestamptz not null,
  ended boolean not null,
  returned bigint not null
);


create index oai_harvest_updated on oai_harvest (updated);


-- Instances of which no record could be made.
create table oai_failure (
  harvest uuid not null references oai_harvest (id) on delete cascade,
  instance uuid not null,
  primary key (harvest, instance)
);

-- What a tenant's schema has of mod-notes beside the tables of its records.

-- Notes go with their type.
alter table note
  add constraint note_type_fkey foreign key ("typeId") references note_type (id) on delete cascade;


-- Which things a note is linked to: what stands in its document, the other way round.
create table note_link (
  object_type text not null,
  object_id text not null,
  note_id uuid not null references note (id) on delete cascade,
  primary key (object_type, object_id, note_id)
);


create index note_link_note_id_idx on note_link (note_id);


create function note_links_follow() returns trigger language plpgsql as $$
begin
  delete from note_link where note_id = new.id;

  insert into note_link (object_type, object_id, note_id)
  select l ->> 'type', l ->> 'id', new.id
  from octavo.elements(new.doc, 'links') l
  on conflict do nothing;

  return null;

end $$;


create trigger note_links_follow after insert or update on note
  for each row execute function note_links_follow();

create table circulation_log (
  at timestamptz not null,
  object smallint not null,
  action smallint not null,
  id uuid not null,
  user_id uuid,
  by_user uuid,
  item_id uuid,
  loan_id uuid,
  about_id uuid,
  service_point_id uuid,
  user_barcode text,
  item_barcode text,
  source text,
  description text not null,
  more json
);

create index circulation_log_at on circulation_log (at);

create index circulation_log_user on circulation_log (user_id);

create index circulation_log_item_barcode on circulation_log (lower(item_barcode));

create function log_manual_block() returns trigger language plpgsql as $$
declare
  block jsonb := case tg_op when 'DELETE' then old.doc else new.doc end;

  log_object smallint := 5;

  action smallint := case tg_op when 'INSERT' then 14 when 'UPDATE' then 22 else 18 end;

  actions text := concat_ws(', ',
    case when block -> 'borrowing' = 'true' then 'borrowing' end,
    case when block -> 'renewals' = 'true' then 'renewals' end,
    case when block -> 'requests' = 'true' then 'requests' end);

  expires text := left(block ->> 'expirationDate', 10);

begin
  insert into circulation_log (at, object, action, id, user_id, by_user, user_barcode, description)
  select
    clock_timestamp(), log_object, action, octavo.fresh_id(), u.id, (block #>> '{metadata,updatedByUserId}')::uuid, u.doc ->> 'barcode',
    concat_ws(' ',
      'Block actions: ' || nullif(actions, '') || '.',
      'Description: ' || nullif(trim(block ->> 'desc'), '') || '.',
      'Staff only information: ' || nullif(trim(block ->> 'staffInformation'), '') || '.',
      'Message to patron: ' || nullif(trim(block ->> 'patronMessage'), '') || '.',
      'Expiration date: ' || nullif(expires, '') || '.')
  from (select (block ->> 'userId')::uuid as id) b
  left join users u on u.id = b.id;

  return null;

end $$;

create trigger manualblocks_log after insert or update or delete on manualblocks
  for each row execute function log_manual_block()
;

-- The log of security: changes of rights, which are written in their own transaction. Who acts is told by the server for its connection.

create function note_security(kind text, about uuid, description text) returns void language plpgsql as $$
declare
  acting json := nullif(current_setting('octavo.acting', true), '')::json;

  id uuid := octavo.fresh_id();

begin
  insert into security_event (id, doc)
  values (id, json_strip_nulls(json_build_object(
    'id', id,
    'date', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'event', kind,
    'userId', about,
    'byUserId', acting ->> 'userId',
    'address', acting ->> 'address',
    'requestId', acting ->> 'requestId',
    'description', left(description, 2000)
  )));

end $$;


-- What two lists of names differ in; nothing if they are the same.
create function names_changed(before json, after json) returns text language sql immutable as $$
  select nullif(concat_ws(' ',
    'Added: ' || (
      select string_agg(a.name, ', ' order by a.name)
      from (
        select value as name from json_array_elements_text(coalesce(after, '[]'))
        except
        select value from json_array_elements_text(coalesce(before, '[]'))
      ) a
    ) || '.',
    'Removed: ' || (
      select string_agg(r.name, ', ' order by r.name)
      from (
        select value as name from json_array_elements_text(coalesce(before, '[]'))
        except
        select value from json_array_elements_text(coalesce(after, '[]'))
      ) r
    ) || '.'), '')
$$;


create function note_permissions_of_user() returns trigger language plpgsql as $$
declare
  before json := case when tg_op <> 'INSERT' then old.doc -> 'permissions' end;

  after json := case when tg_op <> 'DELETE' then new.doc -> 'permissions' end;

  changed text := names_changed(before, after);

begin
  if changed is not null then
    perform note_security('Permissions of user changed', case tg_op when 'DELETE' then old."userId" else new."userId" end, changed);

  end if;

  return null;

end $$;


create trigger permissions_users_security after insert or update or delete on permissions_users
  for each row execute function note_permissions_of_user();


-- The permissions of modules, which nobody can change, are none.
create function note_permission_set() returns trigger language plpgsql as $$
declare
  is_new boolean := tg_op = 'INSERT' or tg_op = 'UPDATE' and coalesce(old.mutable, '') <> 'true';

  is_gone boolean := tg_op = 'DELETE' or tg_op = 'UPDATE' and coalesce(new.mutable, '') <> 'true';

  before json := case when not is_new then old.doc -> 'subPermissions' end;

  after json := case when not is_gone then new.doc -> 'subPermissions' end;

  changed text := names_changed(before, after);

  name text := case tg_op when 'DELETE' then old."permissionName" else new."permissionName" end;

begin
  if changed is not null or is_new or is_gone then
    perform note_security('Permission set changed', null, concat_ws(' ', name || ':', case when is_gone then 'Deleted.' end, changed));

  end if;

  return null;

end $$;


create trigger permissions_security_new after insert on permissions
  for each row when (new.mutable = 'true') execute function note_permission_set();


create trigger permissions_security_changed after update on permissions
  for each row when (new.mutable = 'true' or old.mutable = 'true') execute function note_permission_set();


create trigger permissions_security_gone after delete on permissions
  for each row when (old.mutable = 'true') execute function note_permission_set();


-- A log-in that keeps a password in a newer form changes nothing.
create function note_password() returns trigger language plpgsql as $$
declare
  acting json := nullif(current_setting('octavo.acting', true), '')::json;

begin
  if tg_op = 'UPDATE' and (new.doc ->> 'hash' = old.doc ->> 'hash' or acting ->> 'route' ~ '/login') then
    return null;

  end if;

  perform note_security(
    case tg_op when 'DELETE' then 'Password removed' else 'Password set' end,
    case tg_op when 'DELETE' then old."userId" else new."userId" end,
    acting ->> 'route');

  return null;

end $$;


create trigger auth_credentials_security after insert or update or delete on auth_credentials
  for each row execute function note_password();


create function note_api_key() returns trigger language plpgsql as $$
declare
  entry json := case tg_op when 'DELETE' then old.doc else new.doc end;

begin
  perform note_security(
    case when entry ->> 'module' = 'edge' then 'API key changed' else 'Single sign-on changed' end,
    null,
    concat(entry ->> 'code', ': ', case tg_op when 'INSERT' then 'Added.' when 'UPDATE' then 'Changed.' else 'Deleted.' end));

  return null;

end $$;


create trigger config_data_security_new after insert on config_data
  for each row when (new.module = 'edge' and new."configName" = 'api-keys' or new.module = 'login-saml')
  execute function note_api_key();


create trigger config_data_security_changed after update on config_data
  for each row when (
    new.module = 'edge' and new."configName" = 'api-keys' or new.module = 'login-saml'
    or old.module = 'edge' and old."configName" = 'api-keys'
  )
  execute function note_api_key();


create trigger config_data_security_gone after delete on config_data
  for each row when (old.module = 'edge' and old."configName" = 'api-keys' or old.module = 'login-saml')
  execute function note_api_key();


create function note_sign_on() returns trigger language plpgsql as $$
begin
  perform note_security('Single sign-on changed', null, null);

  return null;

end $$;


create trigger sso_settings_security after insert or update or delete on sso_settings
  for each row execute function note_sign_on();


create function note_activity() returns trigger language plpgsql as $$
begin
  perform note_security(
    case when new.active = 'false' then 'User made inactive' else 'User made active' end, new.id, null);

  return null;

end $$;


create trigger users_security after update on users
  for each row when (coalesce(old.active, 'true') <> coalesce(new.active, 'true'))
  execute function note_activity();

create index circulation_item_lower_barcode on circulation_item (lower(barcode));

-- What a tenant's schema has of mod-remote-storage beside the tables of its records.

-- The entries that a storage has not taken yet.
create index accession_queue_waiting on accession_queue ("remoteStorageId", "createdDateTime", id)
  where "accessionedDateTime" is null;

create index retrieval_queue_waiting on retrieval_queue ("remoteStorageId", "createdDateTime", id)
  where "retrievedDateTime" is null;


create function time_of_entry() returns text language sql stable as $$
  select to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')
$$;


-- The names of those who contributed to an instance; of a type of contributor, if one is given.
create function contributors_of(instance json, kind text default null) returns text language sql stable as $$
  select string_agg(c.one ->> 'name', '; ' order by c.place)
  from octavo.elements(instance, 'contributors') with ordinality c (one, place)
  where kind is null
    or c.one ->> 'contributorTypeId' = (select t.id::text from contributor_type t where t.name = kind limit 1)
$$;


-- The first identifier of a type.
create function identifier_of(instance json, kind text) returns text language sql stable as $$
  select i.one ->> 'value'
  from octavo.elements(instance, 'identifiers') with ordinality i (one, place)
  where i.one ->> 'identifierTypeId' = (select t.id::text from identifier_type t where t.name = kind limit 1)
  order by i.place
  limit 1
$$;


-- An entry of the accession queue about an item, with its holdings and the location that stands for the storage.
create function accession_entry(entry uuid, item json, holdings uuid, location uuid, storage uuid)
returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'id', entry,
    'itemBarcode', item -> 'barcode',
    'createdDateTime', time_of_entry(),
    'remoteStorageId', storage,
    'callNumber', item #> '{effectiveCallNumberComponents,callNumber}',
    'instanceTitle', n.doc -> 'title',
    'instanceAuthor', coalesce(contributors_of(n.doc, 'author'), contributors_of(n.doc), ''),
    'instanceContributors', coalesce(contributors_of(n.doc), ''),
    'publisher', n.doc #> '{publication,0,publisher}',
    'publishYear', n.doc #> '{publication,0,dateOfPublication}',
    'publishPlace', n.doc #> '{publication,0,place}',
    'volume', item -> 'volume',
    'enumeration', item -> 'enumeration',
    'chronology', item -> 'chronology',
    'issn', identifier_of(n.doc, 'issn'),
    'isbn', identifier_of(n.doc, 'isbn'),
    'oclc', identifier_of(n.doc, 'oclc'),
    'physicalDescription', (
      select coalesce(string_agg(d.one #>> '{}', '; ' order by d.place), '')
      from octavo.elements(n.doc, 'physicalDescriptions') with ordinality d (one, place)
    ),
    'materialType', (select m.doc -> 'name' from material_type m where m.id::text = item ->> 'materialTypeId'),
    'copyNumber', item -> 'copyNumber',
    'permanentLocationId', location,
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'noteType', t.doc -> 'name', 'note', o.one -> 'note', 'staffOnly', coalesce(o.one ->> 'staffOnly', 'false')::boolean
      ) order by o.place), '[]')
      from octavo.elements(item, 'notes') with ordinality o (one, place)
      left join item_note_type t on t.id::text = o.one ->> 'itemNoteTypeId'
    )
  ))
  from holdings_record h
  join instance n on n.id = h."instanceId"
  where h.id = holdings
$$;


-- An item that comes to a location that stands for a storage waits for its accession, whoever changes it and by whatever call. New
-- items are looked at together, because there can be a million of them.
create function queue_new() returns trigger language plpgsql as $$
begin
  if exists (select from location_mappings) then
    insert into accession_queue (id, doc)
    select e.id, accession_entry(e.id, i.doc, i."holdingsRecordId", m.id, m."configurationId")::json
    from added i
    join location_mappings m on m.id = i."effectiveLocationId"
    cross join lateral (select octavo.fresh_id() as id where i.id is not null) e;

  end if;

  return null;

end $$;


create function queue_changed() returns trigger language plpgsql as $$
begin
  insert into accession_queue (id, doc)
  select e.id, accession_entry(e.id, new.doc, new."holdingsRecordId", m.id, m."configurationId")::json
  from (select octavo.fresh_id() as id) e, location_mappings m
  where m.id = new."effectiveLocationId";

  return null;

end $$;


create trigger accession_of_new after insert on item
  referencing new table as added for each statement execute function queue_new();

create trigger accession_of_changed after update on item
  for each row when (new."effectiveLocationId" is distinct from old."effectiveLocationId")
  execute function queue_changed();;

create trigger search_changed after insert or update or delete on "instance"
  for each row execute function octavo.title_changed();

create trigger search_changed after insert or update or delete on "holdings_record"
  for each row execute function octavo.holdings_changed();

create trigger search_changed after insert or update or delete on "item"
  for each row execute function octavo.copy_changed();

create trigger search_changed after insert or update or delete on "bound_with_part"
  for each row execute function octavo.copy_changed()
;

create table search_job (
  id uuid primary key,
  query text not null,
  entity_type text not null,
  status text not null,
  created timestamptz not null
);

create index search_job_created on search_job (created)
;

create table search_language (
  code text primary key,
  analyzer text
);

insert into search_language (code) values ('eng')
;

create table search_feature (
  feature text primary key,
  enabled boolean not null
)
;

create trigger search_changed after insert or update or delete on "authority"
  for each row execute function octavo.authority_changed()
;

create table browse_config (
  id text primary key,
  algorithm text not null,
  types uuid[] not null
);

create table webhook_secret (
  webhook uuid primary key references webhook (id) on delete cascade,
  secret text not null
);


create function webhook_follows() returns trigger language plpgsql as $$
begin
  perform octavo.follow_events(tg_table_schema, 'webhook:' || new.id);

  -- Whoever works for it begins anew at once: its address, its types or whether it is active may have changed.
  update octavo.event_consumers c
  set claimed_by = null, claimed_until = '-infinity', due = now()
  from octavo.tenants t
  where 'tenant_' || t.id = tg_table_schema and c.tenant = t.id and c.name = 'webhook:' || new.id;

  return null;

end $$;


create function webhook_ends() returns trigger language plpgsql as $$
begin
  perform octavo.forget_event_consumer(tg_table_schema, 'webhook:' || old.id);

  return null;

end $$;


create trigger webhook_follows after insert or update on webhook for each row execute function webhook_follows();

create trigger webhook_ends after delete on webhook for each row execute function webhook_ends();

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

create sequence oa_request_number;

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

-- The mapping rules that a library has changed; of the others those of the release hold.
create table mapping_rules (
  record_type text primary key,
  rules json not null
);


-- The sum counts the changes of what the mapping of MARC records looks up. Each change raises a counter that no open transaction has raised.
create table mapping_count (slot bigint primary key, version bigint not null);

insert into mapping_count select slot, 0 from generate_series(0, 15) slot;


create function mapping_changed() returns trigger language plpgsql as $$
begin
  update mapping_count
  set version = version + 1
  where slot = coalesce(
    (select c.slot from mapping_count c limit 1 for no key update skip locked),
    pg_backend_pid() % 16
  );

  return null;

end $$;


create trigger mapping_changed after insert or update or delete on mapping_rules
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on identifier_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on classification_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on contributor_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on contributor_name_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on instance_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on instance_format
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on electronic_access_relationship
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on instance_note_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on alternative_title_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on mode_of_issuance
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on holdings_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on call_number_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on location
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on holdings_note_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on authority_note_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on authority_source_file
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on instance_status
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on ill_policy
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on statistical_code
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on material_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on item_damaged_status
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on loan_type
  for each statement execute function mapping_changed();

create trigger mapping_changed after insert or update or delete on item_note_type
  for each statement execute function mapping_changed()
;

-- Import jobs: what staff see of them.
create sequence job_execution_hrid;

create table job_execution (
  id uuid primary key,
  hrid bigint not null default nextval('job_execution_hrid'),
  parent_id uuid not null,
  subordination text not null,
  source_path text,
  file_name text,
  status text not null,
  ui_status text not null,
  error_status text,
  first_name text,
  last_name text,
  user_id uuid not null,
  profile_id uuid,
  profile_name text,
  profile_data_type text,
  profile_hidden boolean not null default false,
  profile_snapshot json,
  started timestamptz not null default now(),
  completed timestamptz,
  part_number bigint not null default 1,
  total_parts bigint not null default 1,
  total_in_file bigint not null default 0,
  progress_current bigint not null default 0,
  progress_total bigint not null default 100,
  -- Records that came to an error.
  failed bigint not null default 0,
  is_deleted boolean not null default false
);

create index job_execution_parent on job_execution (parent_id);

create index job_execution_completed on job_execution (completed);


-- Where a job's records come from, and how many of them are done.
create table import_source (
  job uuid primary key references job_execution (id) on delete cascade,
  -- The file; null where clients send chunks.
  path text,
  -- How the file is written; null until somebody has looked.
  format text,
  encoding text,
  -- In bytes of the file, or records of the chunk that is worked on: all before it are done.
  position bigint not null default 0,
  records bigint not null default 0,
  -- The client has sent its last chunk.
  ended boolean not null default false,
  -- Whether it is known how many records there are.
  counted boolean not null default true
);


-- Chunks that clients have sent. The body goes when its records are done; the id stays, so that a chunk that comes again is known.
create table import_chunk (
  id uuid primary key,
  job uuid not null references job_execution (id) on delete cascade,
  number bigint generated always as identity,
  body json
);

create index import_chunk_waiting on import_chunk (job, number) where body is not null;

create index import_chunk_job on import_chunk (job);


-- Each record as it came, and what became of it in short. `entities` and `errors` have a bit for each kind of entity.
create table incoming_record (
  id uuid primary key,
  job uuid not null,
  place bigint not null,
  kind text,
  format text not null,
  raw text not null,
  title text,
  entities bigint not null,
  errors bigint not null,
  source_status text,
  instance_status text,
  holdings_status text,
  item_status text,
  order_status text,
  invoice_status text,
  error text
);

create index incoming_record_job on incoming_record (job, place);


-- What a job did, or tried to do, to each entity.
create table journal_record (
  job uuid not null,
  place bigint not null,
  number bigint generated always as identity,
  id uuid not null,
  source uuid not null,
  entity text,
  action text not null,
  error text,
  entity_id uuid,
  entity_hrid text,
  title text,
  instance uuid,
  holdings uuid,
  order_id uuid,
  location uuid,
  at timestamptz not null default now(),
  primary key (job, place, number)
);


-- The sums of a job's summary, kept with each chunk.
create table import_count (
  job uuid not null references job_execution (id) on delete cascade,
  entity text not null,
  created bigint not null,
  updated bigint not null,
  discarded bigint not null,
  errors bigint not null,
  primary key (job, entity)
)
;

-- A trial does not keep what it writes, but what it would do.
alter table job_execution add column is_trial boolean not null default false;


-- Stored records that a job has changed or deleted, as they were before: what undoing it takes. Of a trial, what it would make too, with the
-- record as it would be.
create table import_change (
  job uuid not null,
  place bigint not null,
  number bigint generated always as identity,
  entity text not null,
  id uuid not null,
  before json,
  after json,
  version bigint,
  primary key (job, place, number)
);


-- How far a job is undone: the records of the file are taken from the last to the first.
create table import_undo (
  job uuid primary key references job_execution (id) on delete cascade,
  by_user uuid,
  started timestamptz not null default now(),
  ended timestamptz,
  position bigint not null,
  undone bigint not null default 0,
  kept bigint not null default 0
);


-- Records that could not be undone, with the reason.
create table import_kept (
  job uuid not null references import_undo (job) on delete cascade,
  place bigint not null,
  reason text not null,
  primary key (job, place)
);


-- The versions that undoing has given to records which the job had changed several times.
create table import_restored (
  job uuid not null references import_undo (job) on delete cascade,
  id uuid not null,
  version bigint not null,
  primary key (job, id)
)
;

-- Links of instances to authorities that a job has ended, with the record of its file.
create table import_unlinked (
  job uuid not null references job_execution (id) on delete cascade,
  place bigint not null,
  instance uuid not null,
  authority uuid not null,
  rule bigint not null,
  primary key (job, place, instance, authority, rule)
)
;

-- What of the bytes of a record is not in what was read of it.
alter table incoming_record add column remark text;

-- The jobs of the files of an upload definition, by which the file of a job is found.
create function upload_job_ids(doc json) returns text[] language sql immutable parallel safe as $$
  select array(
    select f ->> 'jobExecutionId'
    from octavo.elements(doc, 'fileDefinitions') f
    where f ->> 'jobExecutionId' is not null)
$$;

create index upload_definitions_job_ids on upload_definitions using gin (upload_job_ids(doc));

-- What became of records that were created in the MARC editor. Kept for a week.
create table quick_marc_status (
  id uuid primary key,
  job uuid not null,
  described uuid,
  source uuid,
  error text,
  created timestamptz not null default now()
);


create index quick_marc_status_created on quick_marc_status (created);
