-- One request for each of $4 items from $3 on, of type $5, by patrons from $1 on, $2 of them in turns.
insert into request (id, doc)
select r.id, pg_temp.request(r.id, $5, $1::bigint + r.n % $2::bigint, r.n, 1, false)
from (select n, pg_temp.id('each' || n) as id from generate_series($3::bigint, $3 + $4::bigint - 1) n) r
