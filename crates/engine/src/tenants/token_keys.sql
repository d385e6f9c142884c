-- The keys that sign tokens, as hexadecimal digits. The first is in octavo.properties too, where releases before this table find it.
create table octavo.token_keys (
  number bigint primary key,
  secret text not null,
  made timestamptz not null default now(),
  -- From when on it signs.
  signs timestamptz not null default now()
);

insert into octavo.token_keys (number, secret)
select 1, value from octavo.properties where name = 'token';
