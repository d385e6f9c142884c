-- How many of the failures in succession were refusals of the next event by the consumer.
alter table octavo.event_consumers add column if not exists refusals bigint not null default 0
