create table circulation_log (
  at timestamptz not null,
  object smallint not null,
  action smallint not null,
  id uuid not null,
  user_id uuid,
  by_user uuid,
  item_id uuid,
  loan_id uuid,
  about_id uuid,
  service_point_id uuid,
  user_barcode text,
  item_barcode text,
  source text,
  description text not null,
  more json
);
create index circulation_log_at on circulation_log (at);
create index circulation_log_user on circulation_log (user_id);
create index circulation_log_item_barcode on circulation_log (lower(item_barcode));
create function log_manual_block() returns trigger language plpgsql as $$
declare
  block jsonb := case tg_op when 'DELETE' then old.doc else new.doc end;
  log_object smallint := 5;
  action smallint := case tg_op when 'INSERT' then 14 when 'UPDATE' then 22 else 18 end;
  actions text := concat_ws(', ',
    case when block -> 'borrowing' = 'true' then 'borrowing' end,
    case when block -> 'renewals' = 'true' then 'renewals' end,
    case when block -> 'requests' = 'true' then 'requests' end);
  expires text := left(block ->> 'expirationDate', 10);
begin
  insert into circulation_log (at, object, action, id, user_id, by_user, user_barcode, description)
  select
    clock_timestamp(), log_object, action, octavo.fresh_id(), u.id, (block #>> '{metadata,updatedByUserId}')::uuid, u.doc ->> 'barcode',
    concat_ws(' ',
      'Block actions: ' || nullif(actions, '') || '.',
      'Description: ' || nullif(trim(block ->> 'desc'), '') || '.',
      'Staff only information: ' || nullif(trim(block ->> 'staffInformation'), '') || '.',
      'Message to patron: ' || nullif(trim(block ->> 'patronMessage'), '') || '.',
      'Expiration date: ' || nullif(expires, '') || '.')
  from (select (block ->> 'userId')::uuid as id) b
  left join users u on u.id = b.id;
  return null;
end $$;
create trigger manualblocks_log after insert or update or delete on manualblocks
  for each row execute function log_manual_block()
