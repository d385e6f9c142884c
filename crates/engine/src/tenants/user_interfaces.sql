-- Descriptors of user interfaces, and which version of each a tenant has. What is built into the program stands in
-- enabled_modules: a release that knows nothing of these tables goes on as it did.
create table if not exists octavo.user_interfaces (
  id text primary key,
  descriptor text not null
);
create table if not exists octavo.enabled_user_interfaces (
  tenant text not null references octavo.tenants (id) on delete cascade,
  product text not null,
  id text not null references octavo.user_interfaces (id),
  primary key (tenant, product)
);
