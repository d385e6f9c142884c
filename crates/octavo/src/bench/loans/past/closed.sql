-- $1 loans of patron 0 that ended long ago.
insert into loan (id, doc)
select id, json_build_object(
  'id', id,
  'userId', overlay(overlay(md5('patron0') placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid,
  'itemId', overlay(overlay(md5('item' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid,
  'status', json_build_object('name', 'Closed'),
  'action', 'checkedin',
  'itemStatus', 'Available',
  'loanDate', '2020-01-01T08:00:00.000+00:00',
  'dueDate', '2020-01-22T23:59:59.000+00:00',
  'returnDate', '2020-01-20T08:00:00.000+00:00',
  'systemReturnDate', '2020-01-20T08:00:00.000+00:00',
  'loanPolicyId', '058327ca-5f61-5120-85d2-095e0a5eb877',
  'overdueFinePolicyId', '4a201653-91ef-5437-9b0f-a528d366a251',
  'lostItemPolicyId', '58e4eecf-f589-55e1-bc94-7aed199ba7d6',
  'patronGroupIdAtCheckout', 'bdc2b6d4-5ceb-4a12-ab46-249b9a68473e',
  'checkoutServicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05',
  'checkinServicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05',
  'itemEffectiveLocationIdAtCheckOut', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'metadata', json_build_object(
    'createdDate', '2020-01-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2020-01-20T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
)
from (select n, overlay(overlay(md5('closed' || n) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid as id from generate_series(0, $1::bigint - 1) n) made
