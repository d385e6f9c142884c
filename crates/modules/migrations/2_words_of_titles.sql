-- The indexes of words know texts without blanks between words (octavo.spaced) sign by sign when their rows are written anew.
-- A blank more or less makes it a change of an indexed column, without which PostgreSQL would not look at the indexes.
--: in batches of instance
update instance
set
  keyword = case when keyword like '% ' then left(keyword, -1) else keyword || ' ' end,
  filled = coalesce(filled, 0) + 1
where id > $1 and id <= $2 and octavo.spaced(keyword) <> keyword
