-- The parts of a record of MARC-in-JSON: a row for each subfield, or for a field without subfields. A blank indicator is `#`.
create function marc_rows(fields jsonb)
returns table (tag text, ind1 text, ind2 text, code text, value text)
language sql immutable rows 60 as $$
  select f.tag,
    coalesce(nullif(btrim(f.body ->> 'ind1'), ''), '#'),
    coalesce(nullif(btrim(f.body ->> 'ind2'), ''), '#'),
    coalesce(nullif(btrim(s.code), ''), '0'),
    coalesce(s.value, case when jsonb_typeof(f.body) <> 'object' then f.body #>> '{}' end)
  from jsonb_array_elements(case when jsonb_typeof(fields) = 'array' then fields end) e (field)
  cross join lateral jsonb_each(case when jsonb_typeof(e.field) = 'object' then e.field end) f (tag, body)
  left join lateral (
    select p.key as code, p.value
    from jsonb_array_elements(
      case when jsonb_typeof(f.body -> 'subfields') = 'array' then f.body -> 'subfields' end) u (subfield)
    cross join lateral jsonb_each_text(case when jsonb_typeof(u.subfield) = 'object' then u.subfield end) p) s on true
$$;

-- One of 2^22 numbers for a text.
create function marc_number(text) returns integer language sql immutable strict as $$
  select ('x' || left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 6))::bit(24)::integer >> 2
$$;

-- What a record is found by: numbers for its tags, and for its values and their beginnings under their tags.
create function marc_terms(fields jsonb) returns integer[] language sql immutable as $$
  select coalesce(array_agg(distinct marc_number(t.term)), '{}')
  from (
    select m.tag, translate(m.value, ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '') as letters
    from marc_rows(fields) m
    offset 0) r
  cross join lateral (values
    (r.tag),
    (case when length(r.letters) > 0 then r.tag || '=' || left(r.letters, 24) end),
    (case when length(r.letters) >= 4 then r.tag || '^' || left(r.letters, 4) end),
    (case when length(r.letters) >= 10 then r.tag || '^' || left(r.letters, 10) end)) t (term)
  where t.term is not null
$$;

-- The lists of numbers are read by way of the index alone, so they stand apart, and the rows stay narrow.
alter table records_lb set (toast_tuple_target = 512)
