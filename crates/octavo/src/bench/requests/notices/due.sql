-- A notice about each loan whose due date has passed, in real time; the template is the demo library's overdue notice.
insert into scheduled_notice (id, doc)
select s.id, json_build_object(
  'id', s.id,
  'loanId', s.loan,
  'recipientUserId', s.borrower,
  'nextRunTime', s.due,
  'triggeringEvent', 'Due date',
  'noticeConfig', json_build_object(
    'timing', 'Upon At', 'templateId', 'b711ed41-9ee0-5d7c-a858-9af5b331e63e', 'format', 'Email', 'sendInRealTime', true)
)
from (
  select gen_random_uuid() as id, id as loan, doc ->> 'userId' as borrower, doc ->> 'dueDate' as due
  from loan
  where doc ->> 'dueDate' < to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
) s
