-- $1 patrons: undergraduates, whom the demo library's rules lend books for three weeks.
insert into users (id, doc)
select id, jsonb_build_object(
  'id', id,
  'username', 'patron' || n,
  'externalSystemId', 'bench-' || n,
  'barcode', '2' || lpad(n::text, 13, '0'),
  'active', true,
  'type', 'patron',
  'patronGroup', 'bdc2b6d4-5ceb-4a12-ab46-249b9a68473e',
  'departments', '[]'::jsonb,
  'proxyFor', '[]'::jsonb,
  'personal', jsonb_build_object(
    'lastName', 'Lastname' || n, 'firstName', 'Firstname' || n % 300, 'email', 'patron' || n || '@example.org',
    'phone', '207-555-' || lpad((n % 10000)::text, 4, '0'), 'preferredContactTypeId', '002',
    'addresses', jsonb_build_array(jsonb_build_object(
      'countryId', 'US', 'addressLine1', n || ' Chandlers Row', 'city', 'Westhaven', 'region', 'ME',
      'postalCode', '04000', 'addressTypeId', '93d3d88d-499b-45d0-9bc7-ac73c3a19880', 'primaryAddress', true))),
  'enrollmentDate', '2019-09-01T00:00:00.000+00:00',
  'expirationDate', '2099-08-31T23:59:59.000+00:00',
  'createdDate', '2026-01-01T08:00:00.000+00:00',
  'updatedDate', '2026-01-01T08:00:00.000+00:00',
  'metadata', jsonb_build_object(
    'createdDate', '2026-01-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2026-01-01T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
)
from (select n, overlay(overlay(md5('patron' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid as id from generate_series(0, $1::bigint - 1) n) made
