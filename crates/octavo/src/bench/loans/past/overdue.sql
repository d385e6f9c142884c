-- $1 loans, overdue for longer than the demo library's lost item fee policy allows, of the patrons 1 to $2.
insert into loan (id, doc)
select
  o.id,
  pg_temp.loan(
    o.id, 1 + o.n % $2, o.n, '2025-01-01T08:00:00.000+00:00',
    to_char('2025-02-01 08:00:00'::timestamp + o.n * '1 minute'::interval, 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"')
  )
from (select n, pg_temp.id('overdue' || n) as id from generate_series(0, $1::bigint - 1) n) o
