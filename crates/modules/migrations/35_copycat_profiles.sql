create table "copycat_profile" (
  id uuid primary key,
  doc json not null,
  "name" text collate "C",
  filled bigint
);
create function "copycat_profile_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."name" := octavo.fold(doc ->> 'name');
  new.filled := 0;
  return new;
end $$;
create trigger "copycat_profile_columns_new" before insert on "copycat_profile"
  for each row when (new.filled is null) execute function "copycat_profile_columns"();
create trigger "copycat_profile_columns_changed" before update on "copycat_profile"
  for each row when (new.filled is not distinct from old.filled) execute function "copycat_profile_columns"();
