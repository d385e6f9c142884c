-- $1 instances, described as a catalogue of printed books describes them.
insert into instance (id, doc)
select id, jsonb_build_object(
  'id', id,
  '_version', 1,
  'hrid', 'in' || lpad(n::text, 11, '0'),
  'source', 'MARC',
  'title', 'The ' || adjective || ' history of ' || place || ' : a study in ' || topic || ' / volume ' || n,
  'indexTitle', adjective || ' history of ' || place || ' : a study in ' || topic || ' / volume ' || n,
  'series', jsonb_build_array(jsonb_build_object('value', 'Studies in ' || topic)),
  'identifiers', jsonb_build_array(
    jsonb_build_object('value', lpad((9780000000000 + n)::text, 13, '0'),
      'identifierTypeId', '8261054f-be78-422d-bd51-4ed9f33c3422'),
    jsonb_build_object('value', '(OCoLC)' || 100000 + n,
      'identifierTypeId', '439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef')),
  'contributors', jsonb_build_array(
    jsonb_build_object('name', 'Author, ' || adjective || ', 19' || 10 + n % 90,
      'contributorNameTypeId', '2b94c631-fca9-4892-a730-03ee529ffe2a',
      'contributorTypeId', '6e09d47d-95e2-4d8a-831b-f777b8ef6d81', 'primary', true),
    jsonb_build_object('name', 'Editor, ' || place,
      'contributorNameTypeId', '2b94c631-fca9-4892-a730-03ee529ffe2a',
      'contributorTypeId', '9deb29d1-3e71-4951-9413-a80adac703d0', 'primary', false)),
  'subjects', jsonb_build_array(
    jsonb_build_object('value', initcap(topic) || '--' || place || '--History'),
    jsonb_build_object('value', place || '--Description and travel')),
  'classifications', jsonb_build_array(
    jsonb_build_object('classificationNumber', 'D' || n % 1000 || '.A' || n,
      'classificationTypeId', 'ce176ace-a53e-4b4d-aa89-725ed7b2edac')),
  'publication', jsonb_build_array(
    jsonb_build_object('publisher', place || ' University Press', 'place', place,
      'dateOfPublication', (1950 + n % 70)::text, 'role', 'Publication')),
  'publicationPeriod', jsonb_build_object('start', 1950 + n % 70),
  'physicalDescriptions', jsonb_build_array(100 + n % 700 || ' pages : illustrations ; 24 cm'),
  'languages', jsonb_build_array('eng'),
  'notes', jsonb_build_array(
    jsonb_build_object('instanceNoteTypeId', '86b6e817-e1bc-42fb-bab0-70e7547de6c1',
      'note', 'Includes bibliographical references (pages ' || 90 + n % 700 || ') and index', 'staffOnly', false)),
  'instanceTypeId', '6312d172-f0cf-40f6-b27d-9fa8feaf332f',
  'instanceFormatIds', jsonb_build_array('8d511d33-5e85-4c5d-9bce-6e3c9cd0c324'),
  'modeOfIssuanceId', '9d18a02f-5897-4c31-9106-c9abb5c7ae8b',
  'statusId', '9634a5ab-9228-4703-baf2-4d12ebc77d56',
  'statusUpdatedDate', '2026-01-01T08:00:00.000+0000',
  'catalogedDate', '2026-01-01',
  'discoverySuppress', false,
  'staffSuppress', false,
  'metadata', jsonb_build_object(
    'createdDate', '2026-01-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2026-01-01T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
)
from (
  select
    n,
    overlay(overlay(md5('instance' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid as id,
    (array['short', 'secret', 'natural', 'ancient', 'modern', 'economic', 'social'])[1 + n % 7] as adjective,
    (array['Lisbon', 'Bergen', 'Sofia', 'Kyoto', 'Lima', 'Accra', 'Oslo', 'Delhi', 'Turin', 'Quito', 'Cork'])
      [1 + n % 11] as place,
    (array['navigation', 'printing', 'trade', 'medicine', 'law', 'music', 'farming', 'weaving', 'optics', 'ethics',
      'glass', 'mining', 'theatre'])[1 + n % 13] as topic
  from generate_series(0, $1::bigint - 1) n
) made
