create function audit_config_data() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  at text := to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"');
  changed json := case tg_op when 'DELETE' then old.doc else new.doc end;
begin
  if changed ->> 'userId' is not null then
    return null;
  end if;
  insert into audit_config_data (id, doc, "createdDate", filled)
  values (
    entry,
    json_build_object('id', entry, 'operation', left(tg_op, 1), 'createdDate', at, 'config_data', changed),
    at,
    1
  );
  return null;
end $$;
create trigger audit_config_data after insert or update or delete on config_data
  for each row execute function audit_config_data()
