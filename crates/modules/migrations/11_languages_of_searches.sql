create table search_language (
  code text primary key,
  analyzer text
);
insert into search_language (code) values ('eng')
