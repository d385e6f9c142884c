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
  for each row execute function start_authority_hrids()
