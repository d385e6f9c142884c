-- A timer that rests: when it would run if something had changed, and how often its tenant's tables had changed when it ran last.
alter table octavo.timers add column if not exists regular_run timestamptz, add column if not exists changes bigint;
--: alone
create index concurrently timers_due on octavo.timers (next_run);
