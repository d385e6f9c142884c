alter table "records_lb"
  add column if not exists "recordType" text collate "C",
  add column if not exists "leaderRecordStatus" text collate "C",
  add column if not exists "additionalInfo.suppressDiscovery" text collate "C",
  add column if not exists "order" numeric,
  add column if not exists "metadata.updatedDate" text collate "C",
  add column if not exists "externalHrid" text collate "C",
  add column if not exists "marcLeader" text collate "C",
  add column if not exists "marcTerms" integer[];
create or replace function "records_lb_columns"() returns trigger language plpgsql as $$
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
create or replace function oai_source_written() returns trigger language plpgsql as $$
begin
  -- What only fills columns changes nothing that is harvested.
  if current_setting('octavo.quietly', true) is distinct from 'on' then
    perform oai_source(array(select f."externalIdsHolder.instanceId" from fresh f));
  end if;
  return null;
end $$;
--: alone
create index concurrently "records_lb_externalHrid_order" on "records_lb" ("externalHrid");
create index concurrently records_lb_marc_terms on records_lb using gin ("marcTerms") with (gin_pending_list_limit = 256)
  where state in ('ACTUAL', 'DELETED');
--: together
create table "async_migration_jobs" (
  id uuid primary key,
  doc json not null
);
