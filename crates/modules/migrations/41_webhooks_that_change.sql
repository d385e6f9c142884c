create or replace function webhook_follows() returns trigger language plpgsql as $$
begin
  perform octavo.follow_events(tg_table_schema, 'webhook:' || new.id);
  -- Whoever works for it begins anew at once: its address, its types or whether it is active may have changed.
  update octavo.event_consumers c
  set claimed_by = null, claimed_until = '-infinity', due = now()
  from octavo.tenants t
  where 'tenant_' || t.id = tg_table_schema and c.tenant = t.id and c.name = 'webhook:' || new.id;
  return null;
end $$;

create or replace trigger webhook_follows after insert or update on webhook for each row execute function webhook_follows()
