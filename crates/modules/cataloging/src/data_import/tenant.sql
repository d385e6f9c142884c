-- The jobs of the files of an upload definition, by which the file of a job is found.
create function upload_job_ids(doc json) returns text[] language sql immutable parallel safe as $$
  select array(
    select f ->> 'jobExecutionId'
    from octavo.elements(doc, 'fileDefinitions') f
    where f ->> 'jobExecutionId' is not null)
$$;
create index upload_definitions_job_ids on upload_definitions using gin (upload_job_ids(doc))
