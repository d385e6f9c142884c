create schema if not exists octavo;
create extension if not exists unaccent schema octavo;
create extension if not exists pg_trgm schema octavo;

-- Text without regard to case and accents. The dictionary is named, which makes it immutable. Not in SQL: such a function
-- could not be inlined (unaccent is declared stable) and would be parsed anew by each statement that writes a column.
create or replace function octavo.fold(value text) returns text
language plpgsql immutable parallel safe strict
as $$ begin return lower(octavo.unaccent('octavo.unaccent'::regdictionary, value)); end $$;

-- An id that begins with the time, as the program makes them.
create or replace function octavo.fresh_id() returns uuid
language sql volatile parallel safe
as $$ select (
  lpad(to_hex((date_part('epoch', clock_timestamp()) * 1000)::bigint), 12, '0') || substr(gen_random_uuid()::text, 14)
)::uuid $$;

-- The number that a text spells, or null.
create or replace function octavo.number(text) returns numeric
language sql immutable parallel safe strict
as $$ select case when $1 ~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*$' then $1::numeric end $$;

create or replace function octavo.words(text) returns tsvector
language sql immutable parallel safe strict
as $$ select to_tsvector('simple'::regconfig, $1) $$;

create or replace function octavo.phrase(text) returns tsquery
language sql immutable parallel safe strict
as $$ select phraseto_tsquery('simple'::regconfig, octavo.fold($1)) $$;

-- Words of which the last is only begun.
create or replace function octavo.prefix(text) returns tsquery
language sql immutable parallel safe strict
as $$ select to_tsquery(
  'simple'::regconfig,
  '''' || replace(replace(octavo.fold($1), '\', '\\'), '''', '''''') || ''':*'
) $$;

-- The elements of an array in a document; none where there is no array.
create or replace function octavo.elements(document json, name text) returns setof json
language sql immutable parallel safe
as $$ select json_array_elements(case json_typeof(document -> name) when 'array' then document -> name else '[]' end) $$;

-- One member of all elements of a list, as words of one text.
create or replace function octavo.texts(list jsonb, member text) returns text
language sql immutable parallel safe
as $$
  select coalesce(string_agg(e ->> member, ' '), '')
  from jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end) e
$$;

-- The form of thirteen digits of an ISBN that has ten, and the other way round, with the check digit that belongs there.
create or replace function octavo.isbn_13(isbn text) returns text
language plpgsql immutable parallel safe strict
as $$
declare
  digits text := '978' || left(isbn, 9);
  sum int := 0;
begin
  for at in 1..12 loop
    sum := sum + substr(digits, at, 1)::int * case at % 2 when 0 then 3 else 1 end;
  end loop;
  return digits || ((10 - sum % 10) % 10)::text;
end $$;

create or replace function octavo.isbn_10(isbn text) returns text
language plpgsql immutable parallel safe strict
as $$
declare
  digits text := substr(isbn, 4, 9);
  sum int := 0;
begin
  for at in 1..9 loop
    sum := sum + substr(digits, at, 1)::int * (11 - at);
  end loop;
  return digits || case (11 - sum % 11) % 11 when 10 then 'x' else ((11 - sum % 11) % 11)::text end;
end $$;

-- Identifiers as letters and digits alone: each as a whole, its leading number, and the other form of an ISBN.
create or replace function octavo.identifiers(list jsonb) returns text
language plpgsql immutable parallel safe
as $$
declare
  value text;
  whole text;
  number text;
  found text := '';
begin
  for value in
    select e ->> 'value'
    from jsonb_array_elements(case jsonb_typeof(list) when 'array' then list else '[]' end) e
  loop
    continue when value is null;
    whole := lower(regexp_replace(value, '[^[:alnum:]]', '', 'g'));
    number := lower(regexp_replace(substring(value from '^ *([0-9][0-9 -]*[0-9xX])'), '[ -]', '', 'g'));
    found := found || ' ' || whole;
    if number <> whole then
      found := found || ' ' || number;
    end if;
    if number ~ '^[0-9]{9}[0-9x]$' then
      found := found || ' ' || octavo.isbn_13(number);
    elsif number ~ '^978[0-9]{10}$' then
      found := found || ' ' || octavo.isbn_10(number);
    end if;
  end loop;
  return found;
end $$;

-- Ends the transaction when a row was not as it had been read.
create or replace function octavo.expect(held boolean, what text) returns boolean
language plpgsql
as $$ begin
  if held is not true then
    raise exception using errcode = 'OC409', message = what || ' has been changed in the meantime';
  end if;
  return true;
end $$;

create table if not exists octavo.tenants (
  id text primary key,
  name text,
  description text,
  schema_version bigint not null
);
create table if not exists octavo.enabled_modules (
  tenant text not null references octavo.tenants (id) on delete cascade,
  module text not null,
  primary key (tenant, module)
);
-- Jobs by the clock. A timer without a schedule of its own has the declared one.
create table if not exists octavo.timers (
  tenant text not null references octavo.tenants (id) on delete cascade,
  module text not null,
  id text not null,
  schedule text,
  next_run timestamptz,
  claimed_until timestamptz,
  last_run timestamptz,
  last_outcome text,
  primary key (tenant, id)
);
create table if not exists octavo.properties (
  name text primary key,
  value text not null
);
create table if not exists octavo.schema_version (version bigint not null);
insert into octavo.schema_version select 1 where not exists (select from octavo.schema_version);

-- Okapi's own tenant, which stands for the system as a whole and has no records.
insert into octavo.tenants (id, name, description, schema_version)
values ('supertenant', 'supertenant', 'Okapi built-in super tenant', 1)
on conflict do nothing
