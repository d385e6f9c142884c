-- $4 items from $3 on are lent to patrons from $1 on, $2 of them in turns, and not due yet.
insert into loan (id, doc)
select l.id, pg_temp.loan(l.id, $1::bigint + l.n % $2::bigint, l.n, '2026-10-01T08:00:00.000+00:00', '2098-12-31T23:59:59.000+00:00')
from (select n, pg_temp.id('lent' || n) as id from generate_series($3::bigint, $3 + $4::bigint - 1) n) l
