insert into instance_authority_link (authority, instance, rule)
select $1, (doc #>> '{externalIdsHolder,instanceId}')::uuid, 15 from records_lb where doc ->> 'recordType' = 'MARC_BIB'
