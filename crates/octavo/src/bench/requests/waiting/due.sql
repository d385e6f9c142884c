-- $4 items from $3 on, lent to patrons from $1 on, $2 of them in turns; they were due an hour ago.
insert into loan (id, doc)
select
  l.id,
  pg_temp.loan(l.id, $1::bigint + l.n % $2::bigint, l.n, pg_temp.ago('21 days'), pg_temp.ago('1 hour'))
from (select n, pg_temp.id('due' || n) as id from generate_series($3::bigint, $3 + $4::bigint - 1) n) l
