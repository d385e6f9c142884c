-- All profiles that imports are made of, each with its kind.
create view import_profile as
  select 'JOB_PROFILE' as kind, id, doc from job_profiles
  union all select 'MATCH_PROFILE', id, doc from match_profiles
  union all select 'ACTION_PROFILE', id, doc from action_profiles
  union all select 'MAPPING_PROFILE', id, doc from mapping_profiles;

-- What is above or below a place goes with it.
alter table profile_associations
  add constraint profile_associations_master_fkey foreign key ("masterWrapperId")
    references profile_wrappers on delete cascade,
  add constraint profile_associations_detail_fkey foreign key ("detailWrapperId")
    references profile_wrappers on delete cascade;

-- A match or a mapping has a place of its own wherever it is used: the place goes when it is taken out.
create function place_taken_out() returns trigger language plpgsql as $$
begin
  delete from profile_wrappers w where w.id = old."detailWrapperId"
    and not exists (select from profile_associations a where a."detailWrapperId" = w.id);
  return null;
end $$;

create trigger place_taken_out after delete on profile_associations
  for each row when (old."detailProfileType" in ('MATCH_PROFILE', 'MAPPING_PROFILE'))
  execute function place_taken_out()
