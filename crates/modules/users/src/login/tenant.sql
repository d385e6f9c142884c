-- What a tenant's schema has of mod-login beside the tables of its records.

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
