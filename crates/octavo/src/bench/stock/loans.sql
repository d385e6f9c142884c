-- $2 loans that are not due yet, of the items from $1 on, by $3 patrons in a ring.
insert into loan (id, doc)
select
  o.id,
  pg_temp.loan(o.id, o.n % $3, $1::bigint + o.n, '2026-10-01T08:00:00.000+00:00', '2098-12-31T23:59:59.000+00:00')
from (select n, pg_temp.id('open' || n) as id from generate_series(0, $2::bigint - 1) n) o
