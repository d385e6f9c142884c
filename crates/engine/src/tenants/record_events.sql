-- Writes a change of a record as an event of the type that is the trigger's argument. The trigger is on a table only while changes of
-- records are followed.
create function octavo.record_changed() returns trigger language plpgsql as $$
declare
  doc_before text := case when tg_op <> 'INSERT' then old.doc::text end;
  doc_after text := case when tg_op <> 'DELETE' then new.doc::text end;
  title_before uuid;
  title_after uuid;
begin
  if doc_before = doc_after then
    return null;
  end if;
  -- Of holdings, copies and parts that are bound with others, the title is told, too.
  if tg_table_name = 'holdings_record' then
    if tg_op <> 'INSERT' then
      title_before := old."instanceId";
    end if;
    if tg_op <> 'DELETE' then
      title_after := new."instanceId";
    end if;
  elsif tg_table_name in ('item', 'bound_with_part') then
    if tg_op <> 'INSERT' then
      execute format('select "instanceId" from %I.holdings_record where id = $1', tg_table_schema)
      into title_before using old."holdingsRecordId";
    end if;
    if tg_op <> 'DELETE' then
      execute format('select "instanceId" from %I.holdings_record where id = $1', tg_table_schema)
      into title_after using new."holdingsRecordId";
    end if;
  end if;
  execute format('insert into %I.event (type, payload) values ($1, json_build_object(
    ''change'', $2, ''id'', $3, ''titleBefore'', $4, ''titleAfter'', $5, ''before'', $6, ''after'', $7))', tg_table_schema)
  using tg_argv[0], tg_op, case tg_op when 'DELETE' then old.id else new.id end, title_before, title_after,
    doc_before::json, doc_after::json;
  return null;
end $$;
