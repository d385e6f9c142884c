-- $1 loans of patron 0 that ended long ago.
insert into loan (id, doc)
select
  c.id,
  pg_temp.loan(c.id, 0, c.n, '2020-01-01T08:00:00.000+00:00', '2020-01-22T23:59:59.000+00:00') || jsonb_build_object(
    'status', json_build_object('name', 'Closed'),
    'action', 'checkedin',
    'itemStatus', 'Available',
    'returnDate', '2020-01-20T08:00:00.000+00:00',
    'systemReturnDate', '2020-01-20T08:00:00.000+00:00',
    'checkinServicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05'
  )
from (select n, pg_temp.id('closed' || n) as id from generate_series(0, $1::bigint - 1) n) c
