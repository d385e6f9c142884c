-- mod-audit: the log of security.

create table "security_event" (
  id uuid primary key,
  doc json not null,
  "date" text collate "C",
  "userId" uuid,
  "byUserId" uuid,
  "event" text collate "C",
  "address" text collate "C",
  "description" text collate "C",
  filled bigint
);
create function "security_event_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."date" := doc ->> 'date';
  new."userId" := (doc ->> 'userId')::uuid;
  new."byUserId" := (doc ->> 'byUserId')::uuid;
  new."event" := doc ->> 'event';
  new."address" := doc ->> 'address';
  new."description" := octavo.fold(doc ->> 'description');
  new.filled := 0;
  return new;
end $$;
create trigger "security_event_columns_new" before insert on "security_event"
  for each row when (new.filled is null) execute function "security_event_columns"();
create trigger "security_event_columns_changed" before update on "security_event"
  for each row when (new.filled is not distinct from old.filled) execute function "security_event_columns"();
create index "security_event_date_order" on "security_event" ("date");
create index "security_event_userId_order" on "security_event" ("userId");
create index "security_event_byUserId_order" on "security_event" ("byUserId");
-- The log of security: changes of rights, which are written in their own transaction. Who acts is told by the server for its connection.
create function note_security(kind text, about uuid, description text) returns void language plpgsql as $$
declare
  acting json := nullif(current_setting('octavo.acting', true), '')::json;
  id uuid := octavo.fresh_id();
begin
  insert into security_event (id, doc)
  values (id, json_strip_nulls(json_build_object(
    'id', id,
    'date', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'),
    'event', kind,
    'userId', about,
    'byUserId', acting ->> 'userId',
    'address', acting ->> 'address',
    'requestId', acting ->> 'requestId',
    'description', left(description, 2000)
  )));
end $$;
-- What two lists of names differ in; nothing if they are the same.
create function names_changed(before json, after json) returns text language sql immutable as $$
  select nullif(concat_ws(' ',
    'Added: ' || (
      select string_agg(a.name, ', ' order by a.name)
      from (
        select value as name from json_array_elements_text(coalesce(after, '[]'))
        except
        select value from json_array_elements_text(coalesce(before, '[]'))
      ) a
    ) || '.',
    'Removed: ' || (
      select string_agg(r.name, ', ' order by r.name)
      from (
        select value as name from json_array_elements_text(coalesce(before, '[]'))
        except
        select value from json_array_elements_text(coalesce(after, '[]'))
      ) r
    ) || '.'), '')
$$;
create function note_permissions_of_user() returns trigger language plpgsql as $$
declare
  before json := case when tg_op <> 'INSERT' then old.doc -> 'permissions' end;
  after json := case when tg_op <> 'DELETE' then new.doc -> 'permissions' end;
  changed text := names_changed(before, after);
begin
  if changed is not null then
    perform note_security('Permissions of user changed', case tg_op when 'DELETE' then old."userId" else new."userId" end, changed);
  end if;
  return null;
end $$;
create trigger permissions_users_security after insert or update or delete on permissions_users
  for each row execute function note_permissions_of_user();
-- The permissions of modules, which nobody can change, are none.
create function note_permission_set() returns trigger language plpgsql as $$
declare
  is_new boolean := tg_op = 'INSERT' or tg_op = 'UPDATE' and coalesce(old.mutable, '') <> 'true';
  is_gone boolean := tg_op = 'DELETE' or tg_op = 'UPDATE' and coalesce(new.mutable, '') <> 'true';
  before json := case when not is_new then old.doc -> 'subPermissions' end;
  after json := case when not is_gone then new.doc -> 'subPermissions' end;
  changed text := names_changed(before, after);
  name text := case tg_op when 'DELETE' then old."permissionName" else new."permissionName" end;
begin
  if changed is not null or is_new or is_gone then
    perform note_security('Permission set changed', null, concat_ws(' ', name || ':', case when is_gone then 'Deleted.' end, changed));
  end if;
  return null;
end $$;
create trigger permissions_security_new after insert on permissions
  for each row when (new.mutable = 'true') execute function note_permission_set();
create trigger permissions_security_changed after update on permissions
  for each row when (new.mutable = 'true' or old.mutable = 'true') execute function note_permission_set();
create trigger permissions_security_gone after delete on permissions
  for each row when (old.mutable = 'true') execute function note_permission_set();
-- A log-in that keeps a password in a newer form changes nothing.
create function note_password() returns trigger language plpgsql as $$
declare
  acting json := nullif(current_setting('octavo.acting', true), '')::json;
begin
  if tg_op = 'UPDATE' and (new.doc ->> 'hash' = old.doc ->> 'hash' or acting ->> 'route' ~ '/login') then
    return null;
  end if;
  perform note_security(
    case tg_op when 'DELETE' then 'Password removed' else 'Password set' end,
    case tg_op when 'DELETE' then old."userId" else new."userId" end,
    acting ->> 'route');
  return null;
end $$;
create trigger auth_credentials_security after insert or update or delete on auth_credentials
  for each row execute function note_password();
create function note_api_key() returns trigger language plpgsql as $$
declare
  entry json := case tg_op when 'DELETE' then old.doc else new.doc end;
begin
  perform note_security(
    case when entry ->> 'module' = 'edge' then 'API key changed' else 'Single sign-on changed' end,
    null,
    concat(entry ->> 'code', ': ', case tg_op when 'INSERT' then 'Added.' when 'UPDATE' then 'Changed.' else 'Deleted.' end));
  return null;
end $$;
create trigger config_data_security_new after insert on config_data
  for each row when (new.module = 'edge' and new."configName" = 'api-keys' or new.module = 'login-saml')
  execute function note_api_key();
create trigger config_data_security_changed after update on config_data
  for each row when (
    new.module = 'edge' and new."configName" = 'api-keys' or new.module = 'login-saml'
    or old.module = 'edge' and old."configName" = 'api-keys'
  )
  execute function note_api_key();
create trigger config_data_security_gone after delete on config_data
  for each row when (old.module = 'edge' and old."configName" = 'api-keys' or old.module = 'login-saml')
  execute function note_api_key();
create function note_sign_on() returns trigger language plpgsql as $$
begin
  perform note_security('Single sign-on changed', null, null);
  return null;
end $$;
create trigger sso_settings_security after insert or update or delete on sso_settings
  for each row execute function note_sign_on();
create function note_activity() returns trigger language plpgsql as $$
begin
  perform note_security(
    case when new.active = 'false' then 'User made inactive' else 'User made active' end, new.id, null);
  return null;
end $$;
create trigger users_security after update on users
  for each row when (coalesce(old.active, 'true') <> coalesce(new.active, 'true'))
  execute function note_activity();
