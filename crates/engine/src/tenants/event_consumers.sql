-- Who follows the events of a tenant, and how far each has come.
create table octavo.event_consumers (
  tenant text not null references octavo.tenants (id) on delete cascade,
  name text not null,
  -- The consumer has all events up to here that it wants.
  position bigint not null,
  -- The process that works for it, and until when others leave it to that one.
  claimed_by uuid,
  claimed_until timestamptz,
  -- How often in succession it did not take the next event, why, and when it is tried again.
  failures bigint not null default 0,
  error text,
  due timestamptz not null default now(),
  taken bigint not null default 0,
  last_taken timestamptz,
  -- How many were removed before the consumer had them.
  lost bigint not null default 0,
  primary key (tenant, name)
);

-- A consumer that gets the events of the calling transaction's schema from now on.
create function octavo.follow_events(schema text, consumer text) returns void language plpgsql as $$
declare position bigint;
begin
  execute format('select case when is_called then last_value else 0 end from %I.event_position_seq', schema) into position;
  insert into octavo.event_consumers (tenant, name, position)
  select t.id, consumer, position from octavo.tenants t where 'tenant_' || t.id = schema
  on conflict do nothing;
end $$;

create function octavo.forget_event_consumer(schema text, consumer text) returns void language sql as $$
  delete from octavo.event_consumers c using octavo.tenants t
  where 'tenant_' || t.id = schema and c.tenant = t.id and c.name = consumer
$$;
