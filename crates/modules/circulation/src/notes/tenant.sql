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
  for each row execute function note_links_follow()
