-- Loan history: a trigger writes every state that a loan was in.
create function audit_loan() returns trigger language plpgsql as $$
declare
  entry uuid := octavo.fresh_id();
  loan json := case tg_op when 'DELETE' then old.doc else new.doc end;
  doc json := json_build_object(
    'id', entry,
    'operation', left(tg_op, 1),
    'createdDate', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'),
    'loan', loan
  );
begin
  insert into audit_loan (id, doc, "loan.id", filled_for)
  values (entry, doc, case tg_op when 'DELETE' then old.id else new.id end, hashtextextended(doc::text, 0));
  return null;
end $$;
create trigger audit_loan after insert or update or delete on loan for each row execute function audit_loan();

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
create trigger request_leaves after delete on request for each row execute function request_leaves()
