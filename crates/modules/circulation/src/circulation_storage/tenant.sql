-- Of a patron's loans limits read the index alone, as far as vacuum has seen that everybody sees them.
alter table loan set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- What an item limit counts of a patron's open loans, like with like: material type, loan type, whether claimed to be returned,
-- how many. Most items have no limit: a function, because a query costs to begin even where it is not needed.
create function open_loans_by_types(patron uuid) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_array(c.material, c.lending, c.claimed, c.loans))
    from (
      select
        i."materialTypeId" as material,
        coalesce(i."temporaryLoanTypeId", i."permanentLoanTypeId") as lending,
        coalesce(l."itemStatus" = 'claimed returned', false) as claimed,
        count(*) as loans
      from loan l
      join item i on i.id = l."itemId"
      where l."userId" = patron
        and l."status.name" >= 'open'
        and l."status.name" <= 'open'
      group by 1, 2, 3
    ) c
  );
end $$;

-- An entry of loan history.
create function history_entry(id uuid, operation text, loan json) returns json language sql volatile as
$$ select json_build_object(
  'id', id,
  'operation', operation,
  'createdDate', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
  'loan', loan
) $$;

-- What statements that know nothing of history do to loans.
create function audit_loan() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  loan loan := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'DELETE' then
    loan.doc := jsonb_set(loan.doc::jsonb, '{action}', '"deleted"', false);
  end if;
  insert into audit_loan (id, doc, "loan.id", filled)
  values (entry, history_entry(entry, left(tg_op, 1), loan.doc), loan.id, 1);
  return null;
end $$;
create trigger audit_loan_new after insert on loan
  for each row when (new.filled = 0) execute function audit_loan();
create trigger audit_loan_changed after update on loan
  for each row when (new.filled = 0 and new.doc::text is distinct from old.doc::text) execute function audit_loan();
create trigger audit_loan_deleted after delete on loan
  for each row execute function audit_loan();

-- Who stands where in which queue, and what decisions look at of those who stand around. A request's place is here and not in
-- its document: a thousand who move up are a thousand small rows, without documents, columns and indexes of requests.
create table queue_place (
  id uuid primary key,
  "itemId" uuid,
  "instanceId" uuid,
  "requesterId" uuid,
  position integer not null,
  status text collate "C",
  "requestType" text collate "C",
  "requestLevel" text collate "C",
  -- Looked at when a statement has moved everybody.
  constraint "request_itemId_position_unique" unique ("itemId", position) deferrable
);
create index "queue_place_instanceId_order" on queue_place ("instanceId", position);

-- The queue of a title or, where that is null, of an item: of requests that are alike to the item the first few, with their
-- requesters, how many there are in all, and whether there are more of this kind, which the item could be for. Mostly nobody
-- waits: a function, because the query costs more to begin than to find that out.
create function queue_of(item uuid, title uuid, few bigint)
returns table (request text, requester text, "position" bigint, length bigint, more boolean)
language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  if title is null then
    if not exists (select from queue_place p where p."itemId" = item) then return; end if;
  elsif not exists (select from queue_place p where p."instanceId" = title) then return;
  end if;
  return query
  select
    (select placed(r.doc, q.position)::text from request r where r.id = q.id),
    (select u.doc::text from users u where u.id = q."requesterId"),
    q.position::bigint,
    q.length,
    q.nth = few and q.more and q.fits
  from (
    select
      p.id,
      p."requesterId",
      p.position,
      count(*) over () as length,
      row_number() over alike as nth,
      lead(true, 1, false) over alike as more,
      p."itemId" is not distinct from item
        or p."requestLevel" = 'Title' and (p."itemId" is null or p."requestType" = 'Recall') as fits
    from (
      select * from queue_place o where title is null and o."itemId" = item
      union all
      select * from queue_place o where o."instanceId" = title
    ) p
    window alike as (
      partition by p.status, p."requestType", p."requestLevel", p."itemId" = item
      order by p.position
    )
  ) q
  where q.nth <= few;
end $$;

-- The document with its place.
create function placed(doc json, place integer) returns json language sql immutable as
$$ select case when place is null then doc else (left(doc::text, -1) || ', "position": ' || place || '}')::json end $$;

-- Whoever writes a request with a position puts it there. An open one that is written without keeps its place, a closed one
-- loses it.
create function request_place() returns trigger language plpgsql as $$
declare
  doc jsonb := new.doc::jsonb;
  number numeric := octavo.number(doc ->> 'position');
  place integer := case when number between -2147483648 and 2147483647 then number end;
begin
  if place is null and doc ->> 'status' like 'Open%' then
    select q.position into place from queue_place q where q.id = new.id;
  end if;
  if place is not null then
    insert into queue_place as q (id, "itemId", "instanceId", "requesterId", position, status, "requestType", "requestLevel")
    values (
      new.id, (doc ->> 'itemId')::uuid, (doc ->> 'instanceId')::uuid, (doc ->> 'requesterId')::uuid, place,
      doc ->> 'status', doc ->> 'requestType', doc ->> 'requestLevel'
    )
    on conflict (id) do update set
      "itemId" = excluded."itemId",
      "instanceId" = excluded."instanceId",
      "requesterId" = excluded."requesterId",
      position = excluded.position,
      status = excluded.status,
      "requestType" = excluded."requestType",
      "requestLevel" = excluded."requestLevel"
    where q is distinct from excluded;
    new.doc := doc - 'position';
  elsif tg_op = 'UPDATE' then
    delete from queue_place q where q.id = new.id;
  end if;
  return new;
end $$;
create trigger request_place before insert or update on request for each row execute function request_place();

create function request_leaves() returns trigger language plpgsql as $$ begin
  delete from queue_place q where q.id = old.id;
  return null;
end $$;
create trigger request_leaves after delete on request for each row execute function request_leaves();

-- What requests keep of an item's call number, by which clients search and sort them.
create function request_call_number(item json) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'callNumberComponents', jsonb_build_object(
      'callNumber', item #> '{effectiveCallNumberComponents,callNumber}',
      'prefix', item #> '{effectiveCallNumberComponents,prefix}',
      'suffix', item #> '{effectiveCallNumberComponents,suffix}'
    ),
    'shelvingOrder', item -> 'effectiveShelvingOrder'
  ))
$$;

-- An item's requests follow its call number, whichever statement has changed it.
create function item_call_number_changed() returns trigger language plpgsql as $$
declare
  call_number jsonb := request_call_number(new.doc);
begin
  if call_number is distinct from request_call_number(old.doc) then
    update request r
    set doc = r.doc::jsonb || jsonb_build_object(
      'searchIndex',
      coalesce((r.doc -> 'searchIndex')::jsonb, '{}') - '{callNumberComponents,shelvingOrder}'::text[] || call_number
    )
    where r."itemId" = new.id;
  end if;
  return null;
end $$;

-- Circulation's statements leave `filled` below 0. They change no call number.
create trigger requests_follow_call_number after update on item
  for each row when (new.filled >= 0) execute function item_call_number_changed()
