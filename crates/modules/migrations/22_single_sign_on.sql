-- mod-login: how a library's people log in elsewhere, and which of these log-ins have come back.

create table "sso_settings" (
  id uuid primary key,
  doc json not null
);

create table "sso_used" (
  id uuid primary key,
  doc json not null,
  "expires" text collate "C",
  filled bigint
);

create function "sso_used_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."expires" := doc ->> 'expires';
  new.filled := 0;
  return new;
end $$;

create trigger "sso_used_columns_new" before insert on "sso_used"
  for each row when (new.filled is null) execute function "sso_used_columns"();

create trigger "sso_used_columns_changed" before update on "sso_used"
  for each row when (new.filled is not distinct from old.filled) execute function "sso_used_columns"();

create index "sso_used_expires_order" on "sso_used" ("expires")
