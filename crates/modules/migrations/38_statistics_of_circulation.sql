-- Counts of circulation by month, which outlive the borrowers of the loans. A month is text such as 2026-11.
create table circulation_count (
  month text collate "C" not null,
  patron_group text,
  location text,
  material_type text,
  loans bigint not null,
  renewals bigint not null,
  returns bigint not null
);
create index circulation_count_month on circulation_count (month);
create table active_borrowers (
  month text collate "C" not null,
  patron_group text,
  borrowers bigint not null
);
create index active_borrowers_month on active_borrowers (month);

-- Borrowers of loans that were anonymised before their month was counted: a digest with the month's key, which is deleted with the digests
-- when the month is counted.
create table borrower_digest (
  month text collate "C" not null,
  digest bytea not null,
  patron_group text,
  primary key (month, digest)
);
create table borrower_key (
  month text collate "C" primary key,
  key bytea not null
);

-- The last month that was counted: one row.
create table circulation_counted (
  month text collate "C" not null
);
