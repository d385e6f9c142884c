-- Which tenants live in which further database, by its name in the settings. Tenants without a line live in the first database,
-- whose table this is; each further database has a copy.
create table octavo.placement (
  tenant text primary key,
  database text not null,
  name text,
  description text
);

-- Tenants that have moved from this database to another, and what their schema is called here since.
create table octavo.departed (
  tenant text primary key,
  database text not null,
  schema text not null,
  at timestamptz not null default now()
);

-- Tenants on their way into this database: what the schema octavo has of them, by table. They are here once it is written there.
create table octavo.arriving (
  tenant text primary key,
  rows json not null
);

-- What a move writes here is written in the other database after everything that was committed before.
create table octavo.move_marker (
  tenant text primary key,
  number bigint not null
);
