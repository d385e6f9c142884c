-- The counter of changes becomes the sum of sixteen. The release before reads the sum and raises the first under the old name.
-- A change that is under way is counted before the counter is read.
lock table snapshot_version in access exclusive mode;
create table snapshot_count (slot bigint primary key, version bigint not null);
insert into snapshot_count
select slot, case slot when 0 then (select version from snapshot_version) else 0 end
from generate_series(0, 15) slot;
drop table snapshot_version;
create view snapshot_version as select sum(version)::bigint as version from snapshot_count;
create rule raise as on update to snapshot_version do instead
  update snapshot_count set version = version + 1 where slot = 0
