-- Chinese, Japanese, Korean, Thai, Lao, Burmese and Khmer are written without blanks between words, or with parts of one
-- behind another: each of their signs counts as a word, so that signs that follow each other are found.
create or replace function octavo.spaced(value text) returns text
language plpgsql immutable parallel safe strict
as $$ begin
  -- Most texts have no sign beyond ASCII.
  if octet_length(value) = length(value) then return value; end if;
  return regexp_replace(
    value,
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
    '\uac00-\ud7a3\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff])',
    ' \1 ',
    'g'
  );
end $$;

create or replace function octavo.words(text) returns tsvector
language sql immutable parallel safe strict
as $$ select to_tsvector('simple'::regconfig, octavo.spaced($1)) $$;

create or replace function octavo.phrase(text) returns tsquery
language sql immutable parallel safe strict
as $$ select phraseto_tsquery('simple'::regconfig, octavo.spaced(octavo.fold($1))) $$;

-- Words of which the last is only begun.
create or replace function octavo.prefix(text) returns tsquery
language sql immutable parallel safe strict
as $$ select to_tsquery(
  'simple'::regconfig,
  '''' || replace(replace(octavo.spaced(octavo.fold($1)), '\', '\\'), '''', '''''') || ''':*'
) $$;
