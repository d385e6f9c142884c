--: alone
create index concurrently circulation_item_lower_barcode on circulation_item (lower(barcode));
--: together
create table "dcb_transaction" (
  id uuid primary key,
  doc json not null,
  "transactionId" text collate "C",
  "role" text collate "C",
  "status" text collate "C",
  "requestId" uuid,
  "item.id" uuid,
  "patron.id" uuid,
  filled bigint
);
create function "dcb_transaction_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."transactionId" := doc ->> 'transactionId';
  new."role" := doc ->> 'role';
  new."status" := doc ->> 'status';
  new."requestId" := (doc ->> 'requestId')::uuid;
  new."item.id" := (doc #>> '{item,id}')::uuid;
  new."patron.id" := (doc #>> '{patron,id}')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "dcb_transaction_columns_new" before insert on "dcb_transaction"
  for each row when (new.filled is null) execute function "dcb_transaction_columns"();
create trigger "dcb_transaction_columns_changed" before update on "dcb_transaction"
  for each row when (new.filled is not distinct from old.filled) execute function "dcb_transaction_columns"();
create unique index "dcb_transaction_transactionId_unique" on "dcb_transaction" ("transactionId");
create index "dcb_transaction_requestId_order" on "dcb_transaction" ("requestId");
create index "dcb_transaction_item_id_order" on "dcb_transaction" ("item.id");
create index "dcb_transaction_patron_id_order" on "dcb_transaction" ("patron.id");
create table "dcb_transaction_change" (
  id uuid primary key,
  doc json not null,
  "date" text collate "C",
  "patron.id" uuid,
  "item.id" uuid,
  filled bigint
);
create function "dcb_transaction_change_columns"() returns trigger language plpgsql as $$
declare doc jsonb := new.doc::jsonb;
begin
  new."date" := doc ->> 'date';
  new."patron.id" := (doc #>> '{patron,id}')::uuid;
  new."item.id" := (doc #>> '{item,id}')::uuid;
  new.filled := 0;
  return new;
end $$;
create trigger "dcb_transaction_change_columns_new" before insert on "dcb_transaction_change"
  for each row when (new.filled is null) execute function "dcb_transaction_change_columns"();
create trigger "dcb_transaction_change_columns_changed" before update on "dcb_transaction_change"
  for each row when (new.filled is not distinct from old.filled) execute function "dcb_transaction_change_columns"();
create index "dcb_transaction_change_date_order" on "dcb_transaction_change" ("date");
create index "dcb_transaction_change_patron_id_order" on "dcb_transaction_change" ("patron.id");
create index "dcb_transaction_change_item_id_order" on "dcb_transaction_change" ("item.id");
