create trigger search_changed after insert or update or delete on "instance"
  for each row execute function octavo.title_changed();
create trigger search_changed after insert or update or delete on "holdings_record"
  for each row execute function octavo.holdings_changed();
create trigger search_changed after insert or update or delete on "item"
  for each row execute function octavo.copy_changed();
create trigger search_changed after insert or update or delete on "bound_with_part"
  for each row execute function octavo.copy_changed()
