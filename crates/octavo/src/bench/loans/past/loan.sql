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
) $$
