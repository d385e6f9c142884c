-- As with titles; here the blank goes again, because users are also looked up by their whole names.
--: in batches of users
update users
set
  username = username || ' ',
  "personal.firstName" = "personal.firstName" || ' ',
  "personal.lastName" = "personal.lastName" || ' ',
  filled = coalesce(filled, 0) + 1
where id > $1 and id <= $2 and octavo.spaced(concat_ws(' ', username, "personal.firstName", "personal.lastName", "personal.preferredFirstName"))
  <> concat_ws(' ', username, "personal.firstName", "personal.lastName", "personal.preferredFirstName");
update users
set
  username = left(username, -1),
  "personal.firstName" = left("personal.firstName", -1),
  "personal.lastName" = left("personal.lastName", -1),
  filled = coalesce(filled, 0) + 1
where id > $1 and id <= $2 and octavo.spaced(concat_ws(' ', username, "personal.firstName", "personal.lastName", "personal.preferredFirstName"))
  <> concat_ws(' ', username, "personal.firstName", "personal.lastName", "personal.preferredFirstName")
