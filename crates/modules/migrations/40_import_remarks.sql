-- What of the bytes of a record is not in what was read of it.
alter table incoming_record add column remark text
