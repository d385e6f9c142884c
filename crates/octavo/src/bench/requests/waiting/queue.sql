-- $2 patrons from $1 on wait for item $3; $4 says whether any copy of its title will do.
insert into request (id, doc)
select r.id, pg_temp.request(r.id, 'Hold', $1::bigint + r.n, $3::bigint, r.n + 1, $4 = 'yes')
from (select n, pg_temp.id('queue' || $4 || n) as id from generate_series(0, $2::bigint - 1) n) r
