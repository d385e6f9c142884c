-- $1 items, ten to a holdings record, all on the shelf; about 1.5 kB each.
insert into item (id, doc)
select id, jsonb_build_object(
  'id', id,
  '_version', 1,
  'hrid', 'it' || lpad(n::text, 11, '0'),
  'holdingsRecordId', overlay(overlay(md5('holdings' || (n / 10)) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid,
  'formerIds', jsonb_build_array('b' || 1000000 + n),
  'discoverySuppress', false,
  'accessionNumber', 'A' || n,
  'barcode', '3' || lpad(n::text, 13, '0'),
  'effectiveShelvingOrder', 'D ' || n / 10 % 1000 || ' A' || n / 10 || ' ' || n % 10,
  'itemLevelCallNumber', 'D' || n / 10 % 1000 || ' .A' || n / 10,
  'itemLevelCallNumberTypeId', '95467209-6d7b-468b-94df-0f5d7ad2747d',
  'effectiveCallNumberComponents', jsonb_build_object(
    'callNumber', 'D' || n / 10 % 1000 || ' .A' || n / 10, 'typeId', '95467209-6d7b-468b-94df-0f5d7ad2747d'),
  'volume', 'v.' || n % 10,
  'copyNumber', (n % 10)::text,
  'numberOfPieces', '1',
  'yearCaption', '[]'::jsonb,
  'administrativeNotes', jsonb_build_array('Reviewed ' || 2000 + n % 25 || ', keep'),
  'notes', jsonb_build_array(
    jsonb_build_object('itemNoteTypeId', '8d0a5eca-25de-4391-81a9-236eeefdd20b',
      'note', 'Gift of the Friends of the Library, received in ' || 1990 + n % 30, 'staffOnly', false)),
  'circulationNotes', '[]'::jsonb,
  'status', jsonb_build_object('name', 'Available', 'date', '2026-01-01T08:00:00.000+00:00'),
  'materialTypeId', '1a54b431-2e4f-452d-9cae-9cee66c9a892',
  'permanentLoanTypeId', '2b94c631-fca9-4892-a730-03ee529ffe27',
  'permanentLocationId', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'effectiveLocationId', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'electronicAccess', '[]'::jsonb,
  'statisticalCodeIds', jsonb_build_array('b5968c9e-cddc-4576-99e3-8e60aed8b0dd'),
  'tags', jsonb_build_object('tagList', '[]'::jsonb),
  'lastCheckIn', jsonb_build_object(
    'dateTime', '2026-01-01T08:00:00.000Z', 'servicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05',
    'staffMemberId', '00000000-1111-5555-9999-999999999992'),
  'metadata', jsonb_build_object(
    'createdDate', '2026-01-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2026-01-01T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
)
from (select n, overlay(overlay(md5('item' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid as id from generate_series(0, $1::bigint - 1) n) made
