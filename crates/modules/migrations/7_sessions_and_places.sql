-- mod-login: which sessions of a user have ended, and where users have logged in.

create table "auth_ended_sessions" (
  id uuid primary key,
  doc json not null
);

create table "auth_places" (
  id uuid primary key,
  doc json not null,
  "userId" uuid,
  "lastAttempt" text collate "C",
  filled bigint
);

create function "auth_places_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."userId" := (doc ->> 'userId')::uuid;
  new."lastAttempt" := doc ->> 'lastAttempt';
  new.filled := 0;
  return new;
end $$;

create trigger "auth_places_columns_new" before insert on "auth_places"
  for each row when (new.filled is null) execute function "auth_places_columns"();

create trigger "auth_places_columns_changed" before update on "auth_places"
  for each row when (new.filled is not distinct from old.filled) execute function "auth_places_columns"();

create index "auth_places_userId_order" on "auth_places" ("userId");

create index "auth_places_lastAttempt_order" on "auth_places" ("lastAttempt");

-- Ends all sessions of a user, but for one.
create function end_sessions(who uuid, but text) returns void language sql volatile as $$
  insert into auth_ended_sessions as e (id, doc)
  values (who, json_build_object('id', who, 'generation', 1, 'kept', but))
  on conflict (id) do update
  set doc = json_build_object('id', who, 'generation', (e.doc ->> 'generation')::int8 + 1, 'kept', but)
$$;

-- None of the tokens of a user who is made inactive counts again if the user comes back. Of one who is removed nothing is left.
create function end_sessions_of_user() returns trigger language plpgsql as $$
begin
  perform end_sessions(old.id, null);
  delete from refresh_tokens where "userId" = old.id;
  return null;
end $$;

create trigger users_made_inactive after update on users
  for each row when (new.active = 'false' and old.active is distinct from 'false')
  execute function end_sessions_of_user()
