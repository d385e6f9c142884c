alter table large add column if not exists size bigint;
create or replace function sized() returns trigger language plpgsql as $$ begin new.size := length(new.doc); return new; end $$;
create or replace trigger sized before insert or update on large for each row execute function sized();
--: in batches of large
update large set size = length(doc) where id > $1 and id <= $2 and size is null;
--: alone
create index concurrently large_size on large (size);
--: together
alter table large add constraint large_sized check (size > 0) not valid;
--: alone
alter table large validate constraint large_sized
