-- Which permissions of built-in modules a tenant has been told of: a mark of all that the release defined then.
alter table octavo.tenants add column if not exists permissions text
