-- The indexes of words know texts without blanks between words (octavo.spaced) sign by sign when their rows are written anew.
-- The blank makes it a change of an indexed column, without which PostgreSQL would not look at the indexes.
update instance
set keyword = keyword || ' ', filled = coalesce(filled, 0) + 1
where octavo.spaced(keyword) <> keyword
