-- mod-users: which records went over from a duplicate to the user who was kept.

create table "user_merge" (
  id uuid primary key,
  doc json not null,
  "keptUserId" uuid,
  "duplicateUserId" uuid,
  filled bigint
);

create function "user_merge_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."keptUserId" := (doc ->> 'keptUserId')::uuid;
  new."duplicateUserId" := (doc ->> 'duplicateUserId')::uuid;
  new.filled := 0;
  return new;
end $$;

create trigger "user_merge_columns_new" before insert on "user_merge"
  for each row when (new.filled is null) execute function "user_merge_columns"();

create trigger "user_merge_columns_changed" before update on "user_merge"
  for each row when (new.filled is not distinct from old.filled) execute function "user_merge_columns"();

create index "user_merge_keptUserId_order" on "user_merge" ("keptUserId");

create index "user_merge_duplicateUserId_order" on "user_merge" ("duplicateUserId")
