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
)
