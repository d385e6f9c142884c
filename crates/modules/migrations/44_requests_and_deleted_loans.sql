-- What requests keep of an item's call number, by which clients search and sort them.
create or replace function request_call_number(item json) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'callNumberComponents', jsonb_build_object(
      'callNumber', item #> '{effectiveCallNumberComponents,callNumber}',
      'prefix', item #> '{effectiveCallNumberComponents,prefix}',
      'suffix', item #> '{effectiveCallNumberComponents,suffix}'
    ),
    'shelvingOrder', item -> 'effectiveShelvingOrder'
  ))
$$;

-- An item's requests follow its call number, whichever statement has changed it.
create or replace function item_call_number_changed() returns trigger language plpgsql as $$
declare
  call_number jsonb := request_call_number(new.doc);
begin
  if call_number is distinct from request_call_number(old.doc) then
    update request r
    set doc = r.doc::jsonb || jsonb_build_object(
      'searchIndex',
      coalesce((r.doc -> 'searchIndex')::jsonb, '{}') - '{callNumberComponents,shelvingOrder}'::text[] || call_number
    )
    where r."itemId" = new.id;
  end if;
  return null;
end $$;

-- Circulation's statements leave `filled` below 0. They change no call number.
create or replace trigger requests_follow_call_number after update on item
  for each row when (new.filled >= 0) execute function item_call_number_changed();

-- What statements that know nothing of history do to loans.
create or replace function audit_loan() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  loan loan := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' then
    loan.doc := jsonb_set(loan.doc::jsonb, '{action}', '"deleted"', false);
  end if;
  insert into audit_loan (id, doc, "loan.id", filled)
  values (entry, history_entry(entry, left(tg_op, 1), loan.doc), loan.id, 1);
  return null;
end $$
