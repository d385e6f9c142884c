alter table outbox add column if not exists error text;
alter table outbox add column if not exists abandoned bigint not null default 0;
--: alone
create index concurrently outbox_failing on outbox (kind) where error is not null;
