alter table outbox add column error text;
alter table outbox add column abandoned bigint not null default 0;
create index outbox_failing on outbox (kind) where error is not null;
