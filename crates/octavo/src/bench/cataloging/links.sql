insert into instance_authority_link (authority, instance, rule)
select $1, id, 15 from instance where doc ->> 'source' = 'MARC'
