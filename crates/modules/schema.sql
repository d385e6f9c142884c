-- The tables of a tenant, generated from the record types; not read by anything. `make generated` writes it.

create table snapshot_version (version bigint not null);

insert into snapshot_version values (1);

create table "groups" (
  id uuid primary key,
  doc jsonb not null,
  "group" text collate "C" generated always as (octavo.fold(doc ->> 'group')) stored
);

create unique index "groups_group_unique" on "groups" ("group");

create table "addresstype" (
  id uuid primary key,
  doc jsonb not null,
  "addressType" text collate "C" generated always as (octavo.fold(doc ->> 'addressType')) stored
);

create unique index "addresstype_addressType_unique" on "addresstype" ("addressType");

create table "departments" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "departments_name_unique" on "departments" ("name");

create unique index "departments_code_unique" on "departments" ("code");

create table "users" (
  id uuid primary key,
  doc jsonb not null,
  "username" text collate "C" generated always as (octavo.fold(doc ->> 'username')) stored,
  "barcode" text collate "C" generated always as (octavo.fold(doc ->> 'barcode')) stored,
  "externalSystemId" text collate "C" generated always as (octavo.fold(doc ->> 'externalSystemId')) stored,
  "personal.firstName" text collate "C" generated always as (octavo.fold(doc #>> '{personal,firstName}')) stored,
  "personal.lastName" text collate "C" generated always as (octavo.fold(doc #>> '{personal,lastName}')) stored,
  "personal.preferredFirstName" text collate "C" generated always as (octavo.fold(doc #>> '{personal,preferredFirstName}')) stored,
  "personal.email" text collate "C" generated always as (octavo.fold(doc #>> '{personal,email}')) stored,
  "type" text collate "C" generated always as (octavo.fold(doc ->> 'type')) stored,
  "active" text collate "C" generated always as (octavo.fold(doc ->> 'active')) stored,
  "patronGroup" uuid generated always as ((doc ->> 'patronGroup')::uuid) stored,
  "expirationDate" text collate "C" generated always as (doc ->> 'expirationDate') stored
);

create unique index "users_username_unique" on "users" ("username");

create unique index "users_barcode_unique" on "users" ("barcode");

create unique index "users_externalSystemId_unique" on "users" ("externalSystemId");

create index "users_username_words" on "users" using gin (octavo.words("username"));

create index "users_barcode_words" on "users" using gin (octavo.words("barcode"));

create index "users_externalSystemId_words" on "users" using gin (octavo.words("externalSystemId"));

create index "users_personal_firstName_order" on "users" ("personal.firstName");

create index "users_personal_firstName_words" on "users" using gin (octavo.words("personal.firstName"));

create index "users_personal_lastName_order" on "users" ("personal.lastName");

create index "users_personal_lastName_words" on "users" using gin (octavo.words("personal.lastName"));

create index "users_personal_preferredFirstName_words" on "users" using gin (octavo.words("personal.preferredFirstName"));

create index "users_personal_email_order" on "users" ("personal.email");

create index "users_personal_email_words" on "users" using gin (octavo.words("personal.email"));

create index "users_patronGroup_order" on "users" ("patronGroup");

create table "proxyfor" (
  id uuid primary key,
  doc jsonb not null,
  "userId" text collate "C" generated always as (octavo.fold(doc ->> 'userId')) stored,
  "proxyUserId" text collate "C" generated always as (octavo.fold(doc ->> 'proxyUserId')) stored
);

create index "proxyfor_userId_order" on "proxyfor" ("userId");

create index "proxyfor_proxyUserId_order" on "proxyfor" ("proxyUserId");

create table "auth_credentials" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored
);

create unique index "auth_credentials_userId_unique" on "auth_credentials" ("userId");

create table "auth_credentials_history" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "date" text collate "C" generated always as (doc ->> 'date') stored
);

create index "auth_credentials_history_userId_order" on "auth_credentials_history" ("userId");

create table "auth_attempts" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "lastAttempt" text collate "C" generated always as (doc ->> 'lastAttempt') stored,
  "attemptCount" numeric generated always as (octavo.number(doc ->> 'attemptCount')) stored
);

create unique index "auth_attempts_userId_unique" on "auth_attempts" ("userId");

create table "auth_password_action" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "expirationTime" text collate "C" generated always as (doc ->> 'expirationTime') stored
);

create unique index "auth_password_action_userId_unique" on "auth_password_action" ("userId");

create table "refresh_tokens" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "expires" text collate "C" generated always as (doc ->> 'expires') stored,
  "used" text collate "C" generated always as (doc ->> 'used') stored
);

create index "refresh_tokens_userId_order" on "refresh_tokens" ("userId");

create table "permissions" (
  id uuid primary key,
  doc jsonb not null,
  "permissionName" text collate "C" generated always as (doc ->> 'permissionName') stored
);

create unique index "permissions_permissionName_unique" on "permissions" ("permissionName");

create table "permissions_users" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored
);

create unique index "permissions_users_userId_unique" on "permissions_users" ("userId");

create table "config_data" (
  id uuid primary key,
  doc jsonb not null,
  "module" text collate "C" generated always as (octavo.fold(doc ->> 'module')) stored,
  "configName" text collate "C" generated always as (octavo.fold(doc ->> 'configName')) stored,
  "code" text collate "C" generated always as (octavo.fold(coalesce(doc ->> 'code', ''))) stored,
  "userId" text collate "C" generated always as (octavo.fold(coalesce(doc ->> 'userId', ''))) stored
);

create unique index "config_data_module_configName_code_userId_unique" on "config_data" ("module", "configName", "code", "userId") where doc ->> 'enabled' = 'true';

create index "config_data_module_order" on "config_data" ("module");

create table "tags" (
  id uuid primary key,
  doc jsonb not null,
  "label" text collate "C" generated always as (doc ->> 'label') stored
);

create unique index "tags_label_unique" on "tags" ("label");

create table "fixed_due_date_schedule" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "fixed_due_date_schedule_name_unique" on "fixed_due_date_schedule" ("name");

create table "loan_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "loansPolicy.fixedDueDateScheduleId" uuid generated always as ((doc #>> '{loansPolicy,fixedDueDateScheduleId}')::uuid) stored,
  "renewalsPolicy.alternateFixedDueDateScheduleId" uuid generated always as ((doc #>> '{renewalsPolicy,alternateFixedDueDateScheduleId}')::uuid) stored
);

create index "loan_policy_loansPolicy_fixedDueDateScheduleId_ref" on "loan_policy" ("loansPolicy.fixedDueDateScheduleId");

create index "loan_policy_renewalsPolicy_alternateFixedDueDateScheduleId_ref" on "loan_policy" ("renewalsPolicy.alternateFixedDueDateScheduleId");

create table "request_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "request_policy_name_unique" on "request_policy" ("name");

create table "patron_notice_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "patron_notice_policy_name_unique" on "patron_notice_policy" ("name");

create table "staff_slips" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "staff_slips_name_unique" on "staff_slips" ("name");

create table "cancellation_reason" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "cancellation_reason_name_unique" on "cancellation_reason" ("name");

create table "loan" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "itemId" uuid generated always as ((doc ->> 'itemId')::uuid) stored,
  "proxyUserId" uuid generated always as ((doc ->> 'proxyUserId')::uuid) stored,
  "status.name" text collate "C" generated always as (lower(doc #>> '{status,name}')) stored,
  "action" text collate "C" generated always as (lower(doc ->> 'action')) stored,
  "itemStatus" text collate "C" generated always as (lower(doc ->> 'itemStatus')) stored,
  "loanDate" text collate "C" generated always as (doc ->> 'loanDate') stored,
  "dueDate" text collate "C" generated always as (doc ->> 'dueDate') stored,
  "returnDate" text collate "C" generated always as (doc ->> 'returnDate') stored
);

create unique index "loan_itemId_unique" on "loan" ("itemId") where "status.name" = 'open';

create index "loan_userId_order" on "loan" ("userId");

create index "loan_itemId_order" on "loan" ("itemId");

create index "loan_dueDate_order" on "loan" ("dueDate");

create table "request" (
  id uuid primary key,
  doc jsonb not null,
  "itemId" uuid generated always as ((doc ->> 'itemId')::uuid) stored,
  "instanceId" uuid generated always as ((doc ->> 'instanceId')::uuid) stored,
  "requesterId" uuid generated always as ((doc ->> 'requesterId')::uuid) stored,
  "pickupServicePointId" uuid generated always as ((doc ->> 'pickupServicePointId')::uuid) stored,
  "cancellationReasonId" uuid generated always as ((doc ->> 'cancellationReasonId')::uuid) stored,
  "status" text collate "C" generated always as (lower(doc ->> 'status')) stored,
  "requestType" text collate "C" generated always as (lower(doc ->> 'requestType')) stored,
  "requestLevel" text collate "C" generated always as (lower(doc ->> 'requestLevel')) stored,
  "requestDate" text collate "C" generated always as (doc ->> 'requestDate') stored,
  "position" numeric generated always as (octavo.number(doc ->> 'position')) stored
);

create unique index "request_itemId_position_unique" on "request" ("itemId", "position");

create index "request_itemId_order" on "request" ("itemId");

create index "request_instanceId_order" on "request" ("instanceId");

create index "request_requesterId_order" on "request" ("requesterId");

create index "request_pickupServicePointId_order" on "request" ("pickupServicePointId");

create index "request_status_order" on "request" ("status");

create index "request_cancellationReasonId_ref" on "request" ("cancellationReasonId");

create table "user_request_preference" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored
);

create unique index "user_request_preference_userId_unique" on "user_request_preference" ("userId");

create table "check_in" (
  id uuid primary key,
  doc jsonb not null
);

create table "patron_action_session" (
  id uuid primary key,
  doc jsonb not null,
  "patronId" uuid generated always as ((doc ->> 'patronId')::uuid) stored
);

create index "patron_action_session_patronId_order" on "patron_action_session" ("patronId");

create table "circulation_rules" (
  id uuid primary key,
  doc jsonb not null
);

create table "owners" (
  id uuid primary key,
  doc jsonb not null
);

create table "feefines" (
  id uuid primary key,
  doc jsonb not null,
  "feeFineType" text collate "C" generated always as (octavo.fold(doc ->> 'feeFineType')) stored,
  "ownerId" uuid generated always as ((doc ->> 'ownerId')::uuid) stored
);

create unique index "feefines_feeFineType_ownerId_unique" on "feefines" ("feeFineType", "ownerId");

create index "feefines_ownerId_ref" on "feefines" ("ownerId");

create table "overdue_fine_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "overdue_fine_policy_name_unique" on "overdue_fine_policy" ("name");

create table "lost_item_fee_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "lost_item_fee_policy_name_unique" on "lost_item_fee_policy" ("name");

create table "manualblocks" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored
);

create index "manualblocks_userId_order" on "manualblocks" ("userId");

create table "manual_block_templates" (
  id uuid primary key,
  doc jsonb not null
);

create table "accounts" (
  id uuid primary key,
  doc jsonb not null,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "loanId" uuid generated always as ((doc ->> 'loanId')::uuid) stored,
  "itemId" uuid generated always as ((doc ->> 'itemId')::uuid) stored,
  "ownerId" uuid generated always as ((doc ->> 'ownerId')::uuid) stored,
  "status.name" text collate "C" generated always as (lower(doc #>> '{status,name}')) stored
);

create index "accounts_userId_order" on "accounts" ("userId");

create index "accounts_loanId_order" on "accounts" ("loanId");

create index "accounts_itemId_order" on "accounts" ("itemId");

create table "feefineactions" (
  id uuid primary key,
  doc jsonb not null,
  "accountId" uuid generated always as ((doc ->> 'accountId')::uuid) stored,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored
);

create index "feefineactions_accountId_order" on "feefineactions" ("accountId");

create index "feefineactions_userId_order" on "feefineactions" ("userId");

create table "payments" (
  id uuid primary key,
  doc jsonb not null
);

create table "waives" (
  id uuid primary key,
  doc jsonb not null
);

create table "refunds" (
  id uuid primary key,
  doc jsonb not null
);

create table "transfers" (
  id uuid primary key,
  doc jsonb not null
);

create table "comments" (
  id uuid primary key,
  doc jsonb not null
);

create table "transfer_criteria" (
  id uuid primary key,
  doc jsonb not null
);

alter table "users" add constraint "users_patronGroup_fkey" foreign key ("patronGroup") references "groups" (id);

alter table "loan_policy" add constraint "loan_policy_loansPolicy_fixedDueDateScheduleId_fkey" foreign key ("loansPolicy.fixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "loan_policy" add constraint "loan_policy_renewalsPolicy_alternateFixedDueDateScheduleId_fkey" foreign key ("renewalsPolicy.alternateFixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "request" add constraint "request_cancellationReasonId_fkey" foreign key ("cancellationReasonId") references "cancellation_reason" (id);

alter table "feefines" add constraint "feefines_ownerId_fkey" foreign key ("ownerId") references "owners" (id);
