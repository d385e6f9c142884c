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
  execute function queue_changed();
