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

-- A deleted authority is kept, and listed where clients ask for deleted ones.
create function archive_authority() returns trigger language plpgsql as $$
begin
  insert into authority_archive (id, doc) values (old.id, old.doc)
  on conflict (id) do update set doc = excluded.doc;
  return null;
end $$;

create trigger authority_archived after delete on authority
  for each row execute function archive_authority()
