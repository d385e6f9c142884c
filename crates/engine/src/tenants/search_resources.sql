-- Indexes of authorities follow as those of titles do: a is the id of an authority.
comment on column octavo.search_change.kind is 'i: id of an instance; h: id of holdings; a: id of an authority';

create function octavo.authority_changed() returns trigger language plpgsql as $$
begin
  insert into octavo.search_change (schema, kind, id)
  values (tg_table_schema, 'a', case tg_op when 'DELETE' then old.id else new.id end);
  return null;
end $$;

-- How often the indexes of a tenant's records were ordered to be made anew: one that was begun before the last order is made anew.
create table octavo.search_generation (
  schema text not null,
  -- What the indexes are of: instance, authority.
  resource text not null,
  generation bigint not null,
  primary key (schema, resource)
);
