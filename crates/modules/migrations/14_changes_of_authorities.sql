create trigger search_changed after insert or update or delete on "authority"
  for each row execute function octavo.authority_changed()
