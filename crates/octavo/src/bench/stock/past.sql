-- What the loans of the past have in common, for this connection alone.
create function pg_temp.id(name text) returns uuid language sql as
$$ select overlay(overlay(md5(name) placing '4' from 13 for 1) placing '8' from 17 for 1)::uuid $$;

-- An open loan.
create function pg_temp.loan(id uuid, patron bigint, item bigint, lent text, due text) returns jsonb language sql as
$$ select jsonb_build_object(
  'id', id,
  'userId', pg_temp.id('patron' || patron),
  'itemId', pg_temp.id('item' || item),
  'status', json_build_object('name', 'Open'),
  'action', 'checkedout',
  'itemStatus', 'Checked out',
  'loanDate', lent,
  'dueDate', due,
  'loanPolicyId', '058327ca-5f61-5120-85d2-095e0a5eb877',
  'overdueFinePolicyId', '4a201653-91ef-5437-9b0f-a528d366a251',
  'lostItemPolicyId', '58e4eecf-f589-55e1-bc94-7aed199ba7d6',
  'patronGroupIdAtCheckout', 'bdc2b6d4-5ceb-4a12-ab46-249b9a68473e',
  'checkoutServicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05',
  'itemEffectiveLocationIdAtCheckOut', '9edea121-af0f-5ac7-a61a-da5dc4b80bba',
  'metadata', json_build_object(
    'createdDate', lent, 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', lent, 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
) $$;

-- A request that waits in this place of its queue, for an item or, where `of_title`, for any copy of its title.
create function pg_temp.request(id uuid, kind text, patron bigint, item bigint, place bigint, of_title boolean)
returns jsonb language sql as
$$ select jsonb_build_object(
  'id', id,
  'requestType', kind,
  'requestLevel', case when of_title then 'Title' else 'Item' end,
  'requestDate', to_char('2026-09-01 08:00:00'::timestamp + place * '1 minute'::interval, 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"'),
  'requesterId', pg_temp.id('patron' || patron),
  'instanceId', pg_temp.id('instance' || item / 10),
  'holdingsRecordId', pg_temp.id('holdings' || item / 10),
  'itemId', pg_temp.id('item' || item),
  'status', 'Open - Not yet filled',
  'position', place,
  'fulfillmentPreference', 'Hold Shelf',
  'pickupServicePointId', '33154e2e-7bf2-585b-9b21-e1dafd383e05',
  'instance', jsonb_build_object(
    'title', 'The social history of Bergen : a study in printing / volume ' || item / 10, 'identifiers', '[]'::jsonb),
  'item', jsonb_build_object('barcode', '3' || lpad(item::text, 13, '0')),
  'requester', jsonb_build_object(
    'lastName', 'Lastname' || patron, 'firstName', 'Firstname' || patron % 300, 'barcode', '2' || lpad(patron::text, 13, '0')),
  'searchIndex', jsonb_build_object('pickupServicePointName', 'Harbour Library desk'),
  'metadata', jsonb_build_object(
    'createdDate', '2026-09-01T08:00:00.000+00:00', 'createdByUserId', '00000000-1111-5555-9999-999999999992',
    'updatedDate', '2026-09-01T08:00:00.000+00:00', 'updatedByUserId', '00000000-1111-5555-9999-999999999992')
) - (case when of_title then '{itemId,holdingsRecordId,item}' else '{}' end)::text[] $$;

create function pg_temp.ago(span interval) returns text language sql as
$$ select to_char((now() - span) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000+00:00"') $$
