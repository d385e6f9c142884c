create or replace function oai_item_changed() returns trigger language plpgsql as $$
begin
  if oai_of_item(old.doc) is distinct from oai_of_item(new.doc) then
    perform oai_touch(array(
      select h."instanceId"
      from holdings_record h
      where h.id in (old."holdingsRecordId", new."holdingsRecordId")));
  end if;
  return null;
end $$;

create or replace trigger oai_changed after update on item
  for each row when (new.filled >= 0) execute function oai_item_changed()
