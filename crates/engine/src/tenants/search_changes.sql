-- What the indexes of titles have to follow: each transaction leaves here the titles whose entries have to be made anew. Processes
-- follow by the ids of transactions, each for its own indexes; what all of them have seen is removed.
create table octavo.search_change (
  transaction xid8 not null default pg_current_xact_id(),
  schema text not null,
  -- i: the id of an instance; h: the id of holdings.
  kind "char" not null,
  id uuid not null
);
create index search_change_place on octavo.search_change (schema, transaction);

-- How far the index of a process has come on disk: it has seen all changes of transactions before this one.
create table octavo.search_follower (
  process uuid not null,
  schema text not null,
  transaction xid8 not null,
  seen timestamptz not null,
  primary key (process, schema)
);

-- Changes up to this transaction have been removed: an index that has not come so far has to be made anew.
create table octavo.search_removed (
  schema text primary key,
  transaction xid8 not null
);

create function octavo.title_changed() returns trigger language plpgsql as $$
begin
  insert into octavo.search_change (schema, kind, id)
  values (tg_table_schema, 'i', case tg_op when 'DELETE' then old.id else new.id end);
  return null;
end $$;

create function octavo.holdings_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into octavo.search_change (schema, kind, id) values (tg_table_schema, 'i', new."instanceId");
  end if;
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and old."instanceId" is distinct from new."instanceId") then
    insert into octavo.search_change (schema, kind, id) values (tg_table_schema, 'i', old."instanceId");
  end if;
  return null;
end $$;

-- Of items, and of parts that are bound with others, it is said to which holdings they belong.
create function octavo.copy_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into octavo.search_change (schema, kind, id) values (tg_table_schema, 'h', new."holdingsRecordId");
  end if;
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and old."holdingsRecordId" is distinct from new."holdingsRecordId") then
    insert into octavo.search_change (schema, kind, id) values (tg_table_schema, 'h', old."holdingsRecordId");
  end if;
  return null;
end $$;
