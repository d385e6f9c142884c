-- What was there before: each instance with the time of its last change, those that were deleted, and the MARC records.
insert into oai_record (id, at, source, hidden)
select i.id,
  case when i."metadata.updatedDate" ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d' then
    (extract(epoch from i."metadata.updatedDate"::timestamptz) * 1000000)::bigint else 0 end,
  coalesce(i."source", ''), coalesce(i."discoverySuppress", '') = 'true'
from instance i;

insert into oai_record (id, at, source, gone)
select d.id, (extract(epoch from max(d.at)::timestamptz) * 1000000)::bigint, lower(coalesce(max(d.source), '')), true
from deleted_record d
where d.kind = 'instance'
group by d.id
on conflict (id) do nothing;

insert into oai_record (id, at, marc, marc_hidden)
select distinct on (r."externalIdsHolder.instanceId") r."externalIdsHolder.instanceId", 0,
  case when r.state = 'DELETED' or r.doc ->> 'leaderRecordStatus' = 'd' then 'DELETED' else 'ACTUAL' end,
  coalesce(r.doc #>> '{additionalInfo,suppressDiscovery}' = 'true', false)
from records_lb r
where r."externalIdsHolder.instanceId" is not null
and r.state in ('ACTUAL', 'DELETED')
and r.doc ->> 'recordType' = 'MARC_BIB'
order by r."externalIdsHolder.instanceId", r.generation desc
on conflict (id) do update set marc = excluded.marc, marc_hidden = excluded.marc_hidden
