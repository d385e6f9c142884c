-- What empties a tenant's schema after a test, so that another test can have it as new.
create schema testkit;
grant usage on schema testkit to octavo;

-- Tables, columns, triggers, functions and constraints of a schema, as one text to compare.
create function testkit.shape(name text) returns text language sql as $$
  select md5(string_agg(part, E'\n' order by part)) from (
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
    where relnamespace = quote_ident(name)::regnamespace
    union all
    select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = quote_ident(name)::regnamespace
    union all
    select concat_ws(' ', conname, contype, convalidated)
    from pg_constraint where connamespace = quote_ident(name)::regnamespace
  ) parts (part)
$$;

-- Gives a schema the rows of another of the same shape, and no others. Whether it could: a test may have changed the shape.
-- It waits for whatever still writes there. The rows are copied as they are: no trigger fires, no reference is checked.
create function testkit.refill(name text, pattern text) returns boolean
language plpgsql security definer set session_replication_role = replica as $$
declare
  statement text;
begin
  select 'lock table ' || string_agg(format('%I.%I', name, relname), ', ' order by oid)
  into statement
  from pg_class where relnamespace = quote_ident(name)::regnamespace and relkind = 'r';
  execute statement;
  if testkit.shape(name) is distinct from testkit.shape(pattern) then
    return false;
  end if;
  select 'truncate ' || string_agg(format('%I.%I', name, relname), ', ') || ' cascade'
  into statement
  from pg_class
  where relnamespace = quote_ident(name)::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0;
  if statement is not null then
    execute statement;
  end if;
  for statement in
    select format('insert into %I.%I select * from %I.%I', name, relname, pattern, relname)
    from pg_class
    where relnamespace = quote_ident(pattern)::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
  loop
    execute statement;
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
