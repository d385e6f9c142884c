-- Modules outside of this process: their descriptors, which version of each a tenant has, and where they run. Variables for modules,
-- and the jobs of installations. A release that knows nothing of these tables goes on as it did.
create table if not exists octavo.outside_modules (
  id text primary key,
  descriptor text not null
);
create table if not exists octavo.enabled_outside_modules (
  tenant text not null references octavo.tenants (id) on delete cascade,
  product text not null,
  id text not null references octavo.outside_modules (id),
  primary key (tenant, product)
);
create table if not exists octavo.instances (
  id text primary key,
  module text not null,
  descriptor text not null
);
create index if not exists instances_module on octavo.instances (module);
create table if not exists octavo.environment (
  name text primary key,
  entry text not null
);
create table if not exists octavo.install_jobs (
  id text primary key,
  tenant text not null references octavo.tenants (id) on delete cascade,
  job text not null,
  complete boolean not null,
  begun timestamptz not null default now(),
  renewed timestamptz not null default now()
);
create index if not exists install_jobs_tenant on octavo.install_jobs (tenant, begun);
