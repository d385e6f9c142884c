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
  add constraint instance_source_marc_id_fkey foreign key (id) references instance (id) on delete cascade
