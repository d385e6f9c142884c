-- Decisions are stored as they are made, so a few bytes for each stretch of the table are enough to find old ones.
--: alone
create index concurrently decision_at on decision using brin (((doc ->> 'at') collate "C")) with (autosummarize = on)
