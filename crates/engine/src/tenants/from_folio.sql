-- How far each type of record of a tenant was brought over from FOLIO. The row without a type is the tenant's own.
create table octavo.migrated (
  tenant text not null references octavo.tenants (id) on delete cascade,
  record text not null,
  -- Whence it comes: the address of the server, or of its database, and the name of the tenant there.
  source text not null,
  -- The place in the source after the last record that is done with.
  place text not null default '',
  -- How many of the records after that place are done with.
  part bigint not null default 0,
  read bigint not null default 0,
  taken bigint not null default 0,
  refused bigint not null default 0,
  -- Bytes of the file of refused records that belong to what is done with.
  told bigint not null default 0,
  done boolean not null default false,
  -- Why the source has no such records, or does not give them.
  absent text,
  primary key (tenant, record)
);

-- Schemas with views for reports, which go with their tenant.
create table octavo.reporting_schema (
  name text primary key,
  tenant text not null references octavo.tenants (id) on delete cascade
)
