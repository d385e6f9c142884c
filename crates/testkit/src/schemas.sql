-- What empties a tenant's schema after a test, so that another test can have it as new.
create schema testkit;
grant usage on schema testkit to octavo;

-- Tables, columns, triggers, functions and constraints of a schema, as one text to compare.
create function testkit.shape(name text) returns text language sql as $$
  select md5(string_agg(part, E'\n' order by part collate "C")) from (
    select concat_ws(' ', relname, relkind, relnatts, relchecks, reloptions)
    from pg_class where relnamespace = quote_ident(name)::regnamespace
    union all
    select concat_ws(' ', relname, attname, attnotnull)
    from pg_class c join pg_attribute on attrelid = c.oid
    where relnamespace = quote_ident(name)::regnamespace and relkind = 'r' and attnum > 0
    union all
    -- The names of triggers that belong to references hold numbers of rows in the catalog.
    select concat_ws(' ', relname, case when not tgisinternal then tgname end, tgenabled)
    from pg_class c join pg_trigger on tgrelid = c.oid
    where relnamespace = quote_ident(name)::regnamespace and relkind = 'r'
    union all
    select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = quote_ident(name)::regnamespace
    union all
    select concat_ws(' ', conname, contype, convalidated)
    from pg_constraint where connamespace = quote_ident(name)::regnamespace
  ) parts (part)
$$;

-- Shapes of schemas that stay as they are.
create table testkit.pattern_shape (name text primary key, shape text not null);

create function testkit.shape_of_pattern(name text) returns text language plpgsql as $$
declare
  kept text;
begin
  select shape into kept from testkit.pattern_shape k where k.name = shape_of_pattern.name;
  if kept is null then
    kept := testkit.shape(name);
    insert into testkit.pattern_shape values (name, kept) on conflict do nothing;
  end if;
  return kept;
end $$;

-- The transaction that copied the rows of a pattern's table into a relation, and how many they were. As long as the relation has so many
-- rows, all of this transaction, no test has changed them.
create table testkit.copied (relation oid primary key, pattern oid not null, transaction xid not null, rows bigint not null);

-- Gives a schema the rows of another of the same shape, and no others. Whether it could: a test may have changed the shape.
-- It waits for whatever still writes there. The rows are copied as they are: no trigger fires, no reference is checked.
create function testkit.refill(name text, pattern text) returns boolean
language plpgsql security definer set session_replication_role = replica as $$
declare
  statement text;
  each record;
  is_same boolean;
  copied bigint;
begin
  select 'lock table ' || string_agg(format('%I.%I', name, relname), ', ' order by oid)
  into statement
  from pg_class where relnamespace = quote_ident(name)::regnamespace and relkind = 'r';
  execute statement;
  if testkit.shape(name) is distinct from testkit.shape_of_pattern(pattern) then
    return false;
  end if;
  -- Deleting takes less time than truncating, which makes the indexes anew and lets all connections forget their plans. Deleted rows take
  -- room, though.
  select 'truncate ' || string_agg(format('%I.%I', name, relname), ', ') || ' cascade'
  into statement
  from pg_class
  where relnamespace = quote_ident(name)::regnamespace and relkind = 'r' and pg_relation_size(oid) > 1000000;
  if statement is not null then
    execute statement;
  end if;
  for each in
    select
      c.oid as relation, p.oid as pattern, k.transaction, k.rows, pg_relation_size(p.oid) > 0 as has_pattern_rows,
      format('%I.%I', name, c.relname) as this, format('%I.%I', refill.pattern, c.relname) as that
    from pg_class c
    join pg_class p on p.relname = c.relname and p.relnamespace = quote_ident(refill.pattern)::regnamespace
    left join testkit.copied k on k.relation = c.oid and k.pattern = p.oid
    where c.relnamespace = quote_ident(name)::regnamespace and c.relkind = 'r'
      and (pg_relation_size(c.oid) > 0 or pg_relation_size(p.oid) > 0)
  loop
    if each.transaction is not null then
      execute format('select count(*) = $1 and count(*) filter (where xmin = $2) = $1 from %s', each.this)
      into is_same using each.rows, each.transaction;
      continue when is_same;
    end if;
    execute format('delete from %s', each.this);
    if each.has_pattern_rows then
      execute format('insert into %s select * from %s', each.this, each.that);
      get diagnostics copied = row_count;
      insert into testkit.copied values (each.relation, each.pattern, pg_current_xact_id()::xid, copied)
      on conflict (relation) do update
      set pattern = excluded.pattern, transaction = excluded.transaction, rows = excluded.rows;
    end if;
  end loop;
  select 'select ' || string_agg(
    format(
      '(select setval(%L, last_value, is_called) from %I.%I)',
      format('%I.%I', name, relname), pattern, relname
    ),
    ', '
  )
  into statement
  from pg_class where relnamespace = quote_ident(pattern)::regnamespace and relkind = 'S';
  execute statement;
  return true;
end $$;
