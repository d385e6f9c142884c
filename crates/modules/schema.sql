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

create unique index "proxyfor_userId_proxyUserId_unique" on "proxyfor" ("userId", "proxyUserId");

create index "proxyfor_userId_order" on "proxyfor" ("userId");

create index "proxyfor_proxyUserId_order" on "proxyfor" ("proxyUserId");

create table "users_configuration" (
  id uuid primary key,
  doc jsonb not null
);

create table "profile_picture" (
  id uuid primary key,
  doc jsonb not null
);

create table "patronpin" (
  id uuid primary key,
  doc jsonb not null
);

create table "user_tenant" (
  id uuid primary key,
  doc jsonb not null,
  "userId" text collate "C" generated always as (doc ->> 'userId') stored,
  "username" text collate "C" generated always as (lower(doc ->> 'username')) stored,
  "tenantId" text collate "C" generated always as (doc ->> 'tenantId') stored,
  "email" text collate "C" generated always as (lower(doc ->> 'email')) stored
);

create index "user_tenant_userId_order" on "user_tenant" ("userId");

create index "user_tenant_username_order" on "user_tenant" ("username");

create index "user_tenant_email_order" on "user_tenant" ("email");

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
  "permissionName" text collate "C" generated always as (doc ->> 'permissionName') stored,
  "displayName" text collate "C" generated always as (octavo.fold(doc ->> 'displayName')) stored,
  "mutable" text collate "C" generated always as (doc ->> 'mutable') stored,
  "visible" text collate "C" generated always as (doc ->> 'visible') stored,
  "dummy" text collate "C" generated always as (doc ->> 'dummy') stored,
  "deprecated" text collate "C" generated always as (doc ->> 'deprecated') stored,
  "moduleName" text collate "C" generated always as (doc ->> 'moduleName') stored
);

create unique index "permissions_permissionName_unique" on "permissions" ("permissionName");

create index "permissions_displayName_order" on "permissions" ("displayName");

create index "permissions_moduleName_order" on "permissions" ("moduleName");

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

create table "settings" (
  id uuid primary key,
  doc jsonb not null,
  "scope" text collate "C" generated always as (doc ->> 'scope') stored,
  "key" text collate "C" generated always as (doc ->> 'key') stored,
  "userId" text collate "C" generated always as (doc ->> 'userId') stored,
  "owner" text collate "C" generated always as (coalesce(doc ->> 'userId', '')) stored
);

create unique index "settings_scope_key_owner_unique" on "settings" ("scope", "key", "owner");

create table "tags" (
  id uuid primary key,
  doc jsonb not null,
  "label" text collate "C" generated always as (doc ->> 'label') stored
);

create unique index "tags_label_unique" on "tags" ("label");

create table "material_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "material_type_name_unique" on "material_type" ("name");

create table "loan_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "loan_type_name_unique" on "loan_type" ("name");

create table "locinstitution" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "locinstitution_name_unique" on "locinstitution" ("name");

create table "loccampus" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored,
  "institutionId" uuid generated always as ((doc ->> 'institutionId')::uuid) stored
);

create unique index "loccampus_name_unique" on "loccampus" ("name");

create index "loccampus_institutionId_ref" on "loccampus" ("institutionId");

create table "loclibrary" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored,
  "campusId" uuid generated always as ((doc ->> 'campusId')::uuid) stored
);

create unique index "loclibrary_name_unique" on "loclibrary" ("name");

create index "loclibrary_campusId_ref" on "loclibrary" ("campusId");

create table "location" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored,
  "primaryServicePoint" uuid generated always as ((doc ->> 'primaryServicePoint')::uuid) stored,
  "institutionId" uuid generated always as ((doc ->> 'institutionId')::uuid) stored,
  "campusId" uuid generated always as ((doc ->> 'campusId')::uuid) stored,
  "libraryId" uuid generated always as ((doc ->> 'libraryId')::uuid) stored
);

create unique index "location_name_unique" on "location" ("name");

create unique index "location_code_unique" on "location" ("code");

create index "location_institutionId_ref" on "location" ("institutionId");

create index "location_campusId_ref" on "location" ("campusId");

create index "location_libraryId_ref" on "location" ("libraryId");

create table "service_point" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored,
  "pickupLocation" text collate "C" generated always as (octavo.fold(doc ->> 'pickupLocation')) stored
);

create unique index "service_point_name_unique" on "service_point" ("name");

create unique index "service_point_code_unique" on "service_point" ("code");

create table "service_point_user" (
  id uuid primary key,
  doc jsonb not null,
  "userId" text collate "C" generated always as (octavo.fold(doc ->> 'userId')) stored,
  "defaultServicePointId" uuid generated always as ((doc ->> 'defaultServicePointId')::uuid) stored,
  "servicePointsIds" text collate "C" generated always as (octavo.fold(doc ->> 'servicePointsIds')) stored
);

create unique index "service_point_user_userId_unique" on "service_point_user" ("userId");

create index "service_point_user_defaultServicePointId_order" on "service_point_user" ("defaultServicePointId");

create table "identifier_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "identifier_type_name_unique" on "identifier_type" ("name");

create table "instance_relationship_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "instance_relationship_type_name_unique" on "instance_relationship_type" ("name");

create table "contributor_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "contributor_type_name_unique" on "contributor_type" ("name");

create unique index "contributor_type_code_unique" on "contributor_type" ("code");

create table "contributor_name_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "contributor_name_type_name_unique" on "contributor_name_type" ("name");

create table "instance_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "instance_type_name_unique" on "instance_type" ("name");

create unique index "instance_type_code_unique" on "instance_type" ("code");

create table "instance_format" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "instance_format_name_unique" on "instance_format" ("name");

create unique index "instance_format_code_unique" on "instance_format" ("code");

create table "nature_of_content_term" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "nature_of_content_term_name_unique" on "nature_of_content_term" ("name");

create table "classification_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "classification_type_name_unique" on "classification_type" ("name");

create table "electronic_access_relationship" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "electronic_access_relationship_name_unique" on "electronic_access_relationship" ("name");

create table "statistical_code_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "statistical_code_type_code_unique" on "statistical_code_type" ("code");

create table "statistical_code" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored,
  "statisticalCodeTypeId" uuid generated always as ((doc ->> 'statisticalCodeTypeId')::uuid) stored
);

create unique index "statistical_code_code_statisticalCodeTypeId_unique" on "statistical_code" ("code", "statisticalCodeTypeId");

create unique index "statistical_code_name_unique" on "statistical_code" ("name");

create index "statistical_code_statisticalCodeTypeId_ref" on "statistical_code" ("statisticalCodeTypeId");

create table "instance_status" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored,
  "code" text collate "C" generated always as (octavo.fold(doc ->> 'code')) stored
);

create unique index "instance_status_name_unique" on "instance_status" ("name");

create unique index "instance_status_code_unique" on "instance_status" ("code");

create table "mode_of_issuance" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "mode_of_issuance_name_unique" on "mode_of_issuance" ("name");

create table "alternative_title_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "alternative_title_type_name_unique" on "alternative_title_type" ("name");

create table "ill_policy" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "ill_policy_name_unique" on "ill_policy" ("name");

create table "call_number_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "call_number_type_name_unique" on "call_number_type" ("name");

create table "holdings_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "holdings_type_name_unique" on "holdings_type" ("name");

create table "instance_note_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "instance_note_type_name_unique" on "instance_note_type" ("name");

create table "holdings_note_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "holdings_note_type_name_unique" on "holdings_note_type" ("name");

create table "item_note_type" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "item_note_type_name_unique" on "item_note_type" ("name");

create table "item_damaged_status" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "item_damaged_status_name_unique" on "item_damaged_status" ("name");

create table "holdings_records_source" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create unique index "holdings_records_source_name_unique" on "holdings_records_source" ("name");

create table "instance" (
  id uuid primary key,
  doc jsonb not null,
  "hrid" text collate "C" generated always as (octavo.fold(doc ->> 'hrid')) stored,
  "matchKey" text collate "C" generated always as (octavo.fold(doc ->> 'matchKey')) stored,
  "source" text collate "C" generated always as (octavo.fold(doc ->> 'source')) stored,
  "title" text collate "C" generated always as (octavo.fold(left(doc ->> 'title', 600))) stored,
  "indexTitle" text collate "C" generated always as (octavo.fold(left(doc ->> 'indexTitle', 600))) stored,
  "staffSuppress" text collate "C" generated always as (octavo.fold(doc ->> 'staffSuppress')) stored,
  "discoverySuppress" text collate "C" generated always as (octavo.fold(doc ->> 'discoverySuppress')) stored,
  "instanceTypeId" uuid generated always as ((doc ->> 'instanceTypeId')::uuid) stored,
  "modeOfIssuanceId" uuid generated always as ((doc ->> 'modeOfIssuanceId')::uuid) stored,
  "statusId" uuid generated always as ((doc ->> 'statusId')::uuid) stored,
  "metadata.updatedDate" text collate "C" generated always as (doc #>> '{metadata,updatedDate}') stored
);

create unique index "instance_hrid_unique" on "instance" ("hrid");

create unique index "instance_matchKey_unique" on "instance" ("matchKey");

create index "instance_source_order" on "instance" ("source");

create index "instance_title_order" on "instance" ("title");

create index "instance_title_words" on "instance" using gin (octavo.words("title"));

create index "instance_title_anywhere" on "instance" using gin ("title" octavo.gin_trgm_ops);

create index "instance_indexTitle_order" on "instance" ("indexTitle");

create index "instance_metadata_updatedDate_order" on "instance" ("metadata.updatedDate");

create index "instance_instanceTypeId_ref" on "instance" ("instanceTypeId");

create index "instance_modeOfIssuanceId_ref" on "instance" ("modeOfIssuanceId");

create table "instance_relationship" (
  id uuid primary key,
  doc jsonb not null,
  "superInstanceId" uuid generated always as ((doc ->> 'superInstanceId')::uuid) stored,
  "subInstanceId" uuid generated always as ((doc ->> 'subInstanceId')::uuid) stored,
  "instanceRelationshipTypeId" uuid generated always as ((doc ->> 'instanceRelationshipTypeId')::uuid) stored
);

create index "instance_relationship_superInstanceId_ref" on "instance_relationship" ("superInstanceId");

create index "instance_relationship_subInstanceId_ref" on "instance_relationship" ("subInstanceId");

create index "instance_relationship_instanceRelationshipTypeId_ref" on "instance_relationship" ("instanceRelationshipTypeId");

create table "preceding_succeeding_title" (
  id uuid primary key,
  doc jsonb not null,
  "precedingInstanceId" uuid generated always as ((doc ->> 'precedingInstanceId')::uuid) stored,
  "succeedingInstanceId" uuid generated always as ((doc ->> 'succeedingInstanceId')::uuid) stored
);

create index "preceding_succeeding_title_precedingInstanceId_ref" on "preceding_succeeding_title" ("precedingInstanceId");

create index "preceding_succeeding_title_succeedingInstanceId_ref" on "preceding_succeeding_title" ("succeedingInstanceId");

create table "holdings_record" (
  id uuid primary key,
  doc jsonb not null,
  "hrid" text collate "C" generated always as (octavo.fold(doc ->> 'hrid')) stored,
  "instanceId" uuid generated always as ((doc ->> 'instanceId')::uuid) stored,
  "permanentLocationId" uuid generated always as ((doc ->> 'permanentLocationId')::uuid) stored,
  "temporaryLocationId" uuid generated always as ((doc ->> 'temporaryLocationId')::uuid) stored,
  "effectiveLocationId" uuid generated always as ((doc ->> 'effectiveLocationId')::uuid) stored,
  "holdingsTypeId" uuid generated always as ((doc ->> 'holdingsTypeId')::uuid) stored,
  "callNumberTypeId" uuid generated always as ((doc ->> 'callNumberTypeId')::uuid) stored,
  "illPolicyId" uuid generated always as ((doc ->> 'illPolicyId')::uuid) stored,
  "sourceId" uuid generated always as ((doc ->> 'sourceId')::uuid) stored,
  "callNumber" text collate "C" generated always as (lower(left(doc ->> 'callNumber', 600))) stored,
  "callNumberAndSuffix" text collate "C" generated always as (lower(rtrim(coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', '')))) stored,
  "fullCallNumber" text collate "C" generated always as (lower(rtrim(coalesce(doc ->> 'callNumberPrefix' || ' ', '') || coalesce(doc ->> 'callNumber' || ' ', '') || coalesce(doc ->> 'callNumberSuffix', '')))) stored,
  "discoverySuppress" text collate "C" generated always as (octavo.fold(doc ->> 'discoverySuppress')) stored
);

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
  doc jsonb not null,
  "barcode" text collate "C" generated always as (lower(doc ->> 'barcode')) stored,
  "hrid" text collate "C" generated always as (lower(doc ->> 'hrid')) stored,
  "holdingsRecordId" uuid generated always as ((doc ->> 'holdingsRecordId')::uuid) stored,
  "effectiveLocationId" uuid generated always as ((doc ->> 'effectiveLocationId')::uuid) stored,
  "permanentLocationId" uuid generated always as ((doc ->> 'permanentLocationId')::uuid) stored,
  "temporaryLocationId" uuid generated always as ((doc ->> 'temporaryLocationId')::uuid) stored,
  "materialTypeId" uuid generated always as ((doc ->> 'materialTypeId')::uuid) stored,
  "permanentLoanTypeId" uuid generated always as ((doc ->> 'permanentLoanTypeId')::uuid) stored,
  "temporaryLoanTypeId" uuid generated always as ((doc ->> 'temporaryLoanTypeId')::uuid) stored,
  "accessionNumber" text collate "C" generated always as (lower(doc ->> 'accessionNumber')) stored,
  "purchaseOrderLineIdentifier" text collate "C" generated always as (lower(doc ->> 'purchaseOrderLineIdentifier')) stored,
  "effectiveCallNumberComponents.callNumber" text collate "C" generated always as (lower(left(doc #>> '{effectiveCallNumberComponents,callNumber}', 600))) stored
);

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
  doc jsonb not null,
  "itemId" uuid generated always as ((doc ->> 'itemId')::uuid) stored,
  "holdingsRecordId" uuid generated always as ((doc ->> 'holdingsRecordId')::uuid) stored
);

create unique index "bound_with_part_itemId_holdingsRecordId_unique" on "bound_with_part" ("itemId", "holdingsRecordId");

create index "bound_with_part_holdingsRecordId_ref" on "bound_with_part" ("holdingsRecordId");

create table "hrid_settings" (
  id uuid primary key,
  doc jsonb not null,
  "only" text collate "C" generated always as ('hrid'::text) stored
);

create unique index "hrid_settings_only_unique" on "hrid_settings" ("only");

create table "snapshots_lb" (
  id uuid primary key,
  doc jsonb not null
);

create table "records_lb" (
  id uuid primary key,
  doc jsonb not null,
  "snapshotId" uuid generated always as ((doc ->> 'snapshotId')::uuid) stored,
  "matchedId" uuid generated always as ((doc ->> 'matchedId')::uuid) stored,
  "generation" numeric generated always as (octavo.number(doc ->> 'generation')) stored,
  "state" text collate "C" generated always as (doc ->> 'state') stored,
  "externalIdsHolder.instanceId" uuid generated always as ((doc #>> '{externalIdsHolder,instanceId}')::uuid) stored,
  "externalIdsHolder.holdingsId" uuid generated always as ((doc #>> '{externalIdsHolder,holdingsId}')::uuid) stored,
  "externalIdsHolder.authorityId" uuid generated always as ((doc #>> '{externalIdsHolder,authorityId}')::uuid) stored
);

create unique index "records_lb_matchedId_generation_unique" on "records_lb" ("matchedId", "generation");

create index "records_lb_snapshotId_order" on "records_lb" ("snapshotId");

create index "records_lb_externalIdsHolder_instanceId_order" on "records_lb" ("externalIdsHolder.instanceId");

create index "records_lb_externalIdsHolder_holdingsId_order" on "records_lb" ("externalIdsHolder.holdingsId");

create index "records_lb_externalIdsHolder_authorityId_order" on "records_lb" ("externalIdsHolder.authorityId");

create table "calendars" (
  id uuid primary key,
  doc jsonb not null,
  "startDate" text collate "C" generated always as (doc ->> 'startDate') stored,
  "endDate" text collate "C" generated always as (doc ->> 'endDate') stored
);

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

create index "loan_userId_order" on "loan" ("userId", "status.name");

create index "loan_itemId_order" on "loan" ("itemId");

create index "loan_dueDate_order" on "loan" ("dueDate");

create table "audit_loan" (
  id uuid primary key,
  doc jsonb not null,
  "loan.id" uuid generated always as ((doc #>> '{loan,id}')::uuid) stored
);

create index "audit_loan_loan_id_order" on "audit_loan" ("loan.id");

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
  "position" numeric generated always as (octavo.number(doc ->> 'position')) stored,
  "fullCallNumberIndex" text collate "C" generated always as (lower(rtrim(coalesce(doc #>> '{searchIndex,callNumberComponents,prefix}' || ' ', '') || coalesce(doc #>> '{searchIndex,callNumberComponents,callNumber}' || ' ', '') || coalesce(doc #>> '{searchIndex,callNumberComponents,suffix}', '')))) stored
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

create index "accounts_userId_order" on "accounts" ("userId", "status.name");

create index "accounts_loanId_order" on "accounts" ("loanId");

create index "accounts_itemId_order" on "accounts" ("itemId");

create table "feefineactions" (
  id uuid primary key,
  doc jsonb not null,
  "accountId" uuid generated always as ((doc ->> 'accountId')::uuid) stored,
  "userId" uuid generated always as ((doc ->> 'userId')::uuid) stored,
  "typeAction" text collate "C" generated always as (octavo.fold(doc ->> 'typeAction')) stored
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

create table "patron_block_conditions" (
  id uuid primary key,
  doc jsonb not null,
  "name" text collate "C" generated always as (octavo.fold(doc ->> 'name')) stored
);

create table "patron_block_limits" (
  id uuid primary key,
  doc jsonb not null,
  "patronGroupId" uuid generated always as ((doc ->> 'patronGroupId')::uuid) stored,
  "conditionId" uuid generated always as ((doc ->> 'conditionId')::uuid) stored
);

create index "patron_block_limits_conditionId_ref" on "patron_block_limits" ("conditionId");

create table "synchronization_jobs" (
  id uuid primary key,
  doc jsonb not null
);

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

alter table "records_lb" add constraint "records_lb_snapshotId_fkey" foreign key ("snapshotId") references "snapshots_lb" (id);

alter table "loan_policy" add constraint "loan_policy_loansPolicy_fixedDueDateScheduleId_fkey" foreign key ("loansPolicy.fixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "loan_policy" add constraint "loan_policy_renewalsPolicy_alternateFixedDueDateScheduleId_fkey" foreign key ("renewalsPolicy.alternateFixedDueDateScheduleId") references "fixed_due_date_schedule" (id);

alter table "request" add constraint "request_cancellationReasonId_fkey" foreign key ("cancellationReasonId") references "cancellation_reason" (id);

alter table "feefines" add constraint "feefines_ownerId_fkey" foreign key ("ownerId") references "owners" (id);

alter table "patron_block_limits" add constraint "patron_block_limits_conditionId_fkey" foreign key ("conditionId") references "patron_block_conditions" (id);

create index users_departments on users using gin ((doc -> 'departments'));

create index permissions_sub on permissions using gin ((doc -> 'subPermissions')) with (fastupdate = off);

create index permissions_users_held on permissions_users using gin ((doc -> 'permissions')) with (fastupdate = off);

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

create function audit_loan() returns trigger language plpgsql as $$ begin
  insert into audit_loan (id, doc)
  select i.id, jsonb_build_object(
    'id', i.id,
    'operation', left(tg_op, 1),
    'createdDate', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
    'loan', case tg_op when 'DELETE' then old.doc else new.doc end
  )
  from (select gen_random_uuid() as id) i;

  return null;

end $$;

create trigger audit_loan after insert or update or delete on loan for each row execute function audit_loan();
