-- Records from before have their columns filled in the background.
insert into outbox (kind, subject)
select 'columns of source records', '00000000-0000-0000-0000-000000000000'
where exists (select from records_lb)
