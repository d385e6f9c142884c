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
