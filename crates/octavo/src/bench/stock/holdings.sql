-- $1 holdings records, one an instance.
insert into holdings_record (id, doc)
select id, jsonb_build_object(
  'id', id,
  '_version', 1,
  'hrid', 'ho' || lpad(n::text, 11, '0'),
  'sourceId', 'f32d531e-df79-46b3-8932-cdd35f7a2264',
  'holdingsTypeId', '03c9c400-b9e3-4a07-ac0e-05ab470233ed',
  'instanceId', overlay(overlay(md5('instance' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid,
  'permanentLocationId', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'effectiveLocationId', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'callNumberTypeId', '95467209-6d7b-468b-94df-0f5d7ad2747d',
  'callNumber', 'D' || n % 1000 || ' .A' || n,
  'discoverySuppress', false,
  'metadata', jsonb_build_object(
    'createdDate', '2026-01-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2026-01-01T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
)
from (select n, overlay(overlay(md5('holdings' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid as id from generate_series(0, $1::bigint - 1) n) made
