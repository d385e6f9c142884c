//! Removes personal data: from the records about loans that are anonymised, and from all records when a user is deleted. Each record type
//! declares what it removes ([`octavo_record::Persons`]); this module does it for all record types in one transaction.
//!
//! Some records still need the data at that moment: a notice in the mail, a cost that staff have not settled. Their ids stay in the outbox
//! as `forget`, and the hourly job removes the data when it is no longer needed. Deleted users who still have or owe something stay there
//! as `forget user`.

use std::collections::HashSet;

use octavo_engine::{Context, invalidate_caches, lock_patrons, notify_statements, outbox};
use octavo_kernel::Outcome;
use octavo_pg::{Row, Session, Statement, read_each};
use octavo_record::{ErasureRule, Persons, RecordType, table_name};
use uuid::Uuid;

use crate::circulation_log;
use crate::circulation_statistics::borrower_digest_statements;
use crate::configuration::ENTRY;
use crate::user_records::{PERMISSION_USER, USER};

/// Anonymises closed loans and all records about them. Returns the loans that were anonymised.
pub async fn anonymize(context: &Context, loans: Vec<Uuid>) -> Outcome<Vec<Uuid>> {
    let mut session = context.session().await?;
    let closed = session.begin(vec![Statement::new(CLOSED).uuids(loans)]).await?;
    let closed = closed.iter().flatten().map(Row::read::<(Uuid, Uuid)>).unzip();
    forget_loans(context, session, closed).await
}

/// Anonymises those of the closed loans that `choose` returns. It gets the rows that `facts` has read after the loans were locked.
pub async fn anonymize_chosen(
    context: &Context,
    loans: Vec<Uuid>,
    facts: Statement,
    choose: impl FnOnce(&[Row]) -> Vec<Uuid>,
) -> Outcome<Vec<Uuid>> {
    let mut session = context.session().await?;
    let answers = session.begin(vec![Statement::new(CLOSED).uuids(loans), facts]).await?;
    let chosen: HashSet<Uuid> = choose(&answers[1]).into_iter().collect();
    let closed = answers[0].iter().map(Row::read::<(Uuid, Uuid)>);
    let closed = closed.filter(|(loan, _)| chosen.contains(loan)).unzip();
    forget_loans(context, session, closed).await
}

/// Anonymises loans that are locked, each with its patron, and commits.
async fn forget_loans(
    context: &Context,
    mut session: Session,
    (loans, patrons): (Vec<Uuid>, Vec<Uuid>),
) -> Outcome<Vec<Uuid>> {
    if loans.is_empty() {
        session.rollback().await?;
        return Ok(loans);
    }
    let mut statements = forget_loan_statements(context, &loans, &patrons);
    statements.extend(forget_unneeded_statements(context));
    session.commit(statements).await?;
    Ok(loans)
}

fn forget_loan_statements(context: &Context, loans: &[Uuid], patrons: &[Uuid]) -> Vec<Statement> {
    let about = |sql: String| Statement::new(sql).uuids(loans.to_vec()).uuids(patrons.to_vec());
    let said = personal_record_types(context);
    let each = said.iter().flat_map(|(record, persons)| match persons.on_loan_anonymised {
        ErasureRule::AnonymiseWhere(found) if persons.needed_while.is_some() => {
            vec![postpone_sql(record, LOANS, found)]
        }
        fate => persons.erasure_statements(&table_name(record), fate, Some(LOANS)),
    });
    let log = circulation_log::forget_loans(loans, patrons, context.now_text());
    borrower_digest_statements(loans).into_iter().chain(each.map(about)).chain(log).collect()
}

/// Locks users before they are deleted: decisions about them that have begun end first, later ones do not find them.
pub async fn lock(session: &mut Session, users: &[Uuid]) -> Outcome<()> {
    session.begin(vec![lock_patrons(users.to_vec())]).await?;
    Ok(())
}

/// Deletes locked users and the records about them, and commits. Returns the users that existed.
pub async fn delete(context: &Context, session: &mut Session, users: Vec<Uuid>) -> Outcome<Vec<Uuid>> {
    let of_users = |sql: &'static str| Statement::new(sql).uuids(users.clone());
    let found = session.batch(vec![of_users(KNOWN), of_users(SETTINGS)]).await?;
    let (known, setting): (Vec<Uuid>, Option<Uuid>) = read_each(&found);
    if known.is_empty() {
        session.rollback().await?;
        return Ok(known);
    }
    let mut statements = vec![outbox::add_tasks(USER_TASK, known.clone())];
    statements.extend(forget_user_statements(context, session, &known).await?);
    let mut changed: Vec<(&RecordType, Uuid)> = known.iter().map(|user| (&USER, *user)).collect();
    changed.push((&PERMISSION_USER, Uuid::nil()));
    changed.extend(setting.map(|_| (&ENTRY, Uuid::nil())));
    statements.extend(changed.iter().flat_map(|(record, id)| notify_statements(context, record, *id)));
    session.commit(statements).await?;
    changed.iter().for_each(|(record, id)| invalidate_caches(context, record, *id));
    Ok(known)
}

/// The statements that delete the records about deleted users that are no longer needed, and end the task when none is left.
async fn forget_user_statements(
    context: &Context,
    session: &mut Session,
    users: &[Uuid],
) -> Outcome<Vec<Statement>> {
    let settled: Vec<(Uuid, Uuid)> = session.read(Statement::new(SETTLED).uuids(users.to_vec())).await?;
    let (loans, patrons): (Vec<_>, Vec<_>) = settled.into_iter().unzip();
    let mut statements = vec![circulation_log::forget_proxies(users.to_vec())];
    statements.extend(forget_loan_statements(context, &loans, &patrons));
    let mut done = USER_DONE.to_owned();
    for (record, persons) in personal_record_types(context) {
        let each = match (persons.on_user_deleted, persons.needed_while) {
            (ErasureRule::AnonymiseWhere(found), Some(needed)) => {
                let table = table_name(record);
                done += &format!("\n  and not exists (select from {table} t where ({found}) and {needed})");
                vec![postpone_sql(record, "", found)]
            }
            (fate, _) => persons.erasure_statements(&table_name(record), fate, None),
        };
        statements.extend(each.into_iter().map(|sql| Statement::new(sql).uuids(users.to_vec())));
    }
    statements.extend(forget_unneeded_statements(context));
    // The end of a manual block is a record, too: this comes last.
    statements.push(circulation_log::forget_users(users.to_vec()));
    statements.push(Statement::new(done).uuids(users.to_vec()));
    Ok(statements)
}

/// Removes personal data from the records that wait in the outbox and are no longer needed, and finishes the deletion of users who wait
/// there.
pub async fn forget_postponed(context: &Context) -> Outcome<()> {
    let mut session = context.session().await?;
    if !session.rows(Statement::new(WAITS)).await?.is_empty() {
        session.transaction(forget_unneeded_statements(context)).await?;
    }
    for user in session.read::<Vec<Uuid>>(Statement::new(USERS_GONE)).await? {
        lock(&mut session, &[user]).await?;
        // A new user with this id may have been created meanwhile.
        if !session.rows(Statement::new(KNOWN).uuids(vec![user])).await?.is_empty() {
            session.commit(vec![outbox::delete_done(USER_TASK, vec![user])]).await?;
            continue;
        }
        let statements = forget_user_statements(context, &mut session, &[user]).await?;
        session.commit(statements).await?;
    }
    Ok(())
}

/// All record types with personal data; a type that refers to another comes before it.
pub fn personal_record_types(context: &Context) -> Vec<(&'static RecordType, &'static Persons)> {
    let mut said: Vec<_> =
        context.platform.record_types().filter_map(|record| Some((record, record.persons?))).collect();
    said.reverse();
    said
}

/// SQL that puts records which may still be needed into the outbox. `source` is the SQL of the loans that they are about; empty if there
/// are none.
fn postpone_sql(record: &RecordType, source: &str, found: &str) -> String {
    let table = table_name(record);
    let source = if source.is_empty() { String::new() } else { format!(", {source}") };
    format!(
        "insert into outbox (kind, subject)\nselect distinct 'forget', t.id\nfrom {table} t{source}\n\
         where {found}\non conflict do nothing"
    )
}

fn forget_unneeded_statements(context: &Context) -> Vec<Statement> {
    let mut forget = Vec::new();
    let mut done = "delete from outbox o\nwhere o.kind = 'forget'".to_owned();
    for (record, persons) in personal_record_types(context) {
        let forgets = [persons.on_loan_anonymised, persons.on_user_deleted]
            .iter()
            .any(|fate| matches!(fate, ErasureRule::AnonymiseWhere(_)));
        let Some(needed) = persons.needed_while.filter(|_| forgets) else { continue };
        let (table, forgotten) = (table_name(record), persons.anonymised_sql());
        forget.push(format!(
            "update {table} t\nset doc = {forgotten}\nfrom outbox o\nwhere o.kind = 'forget'\n  \
             and t.id = o.subject\n  and not ({needed})"
        ));
        done += &format!("\n  and not exists (select from {table} t where t.id = o.subject and {needed})");
    }
    forget.push(E_MAILS.to_owned());
    forget.push(done);
    forget.into_iter().map(Statement::new).collect()
}

/// The loans in question, of which `$1` are the ids and `$2` the patrons.
const LOANS: &str = "unnest($1::uuid[], $2::uuid[]) l (id, \"userId\")";

const CLOSED: &str = "\
select id, \"userId\"
from loan
where id = any($1)
  and \"status.name\" = 'closed'
  and \"userId\" is not null
order by id
for no key update";

const KNOWN: &str = "select id from users where id = any($1) order by id for update";

/// Loans that are closed and of which nothing is owed.
const SETTLED: &str = "\
select l.id, l.\"userId\"
from loan l
where l.\"userId\" = any($1)
  and l.\"status.name\" = 'closed'
  and not exists (select from accounts a where a.\"loanId\" = l.id and a.\"status.name\" = 'open')
order by l.id
for no key update";

const SETTINGS: &str = "select id from config_data where \"userId\" = any($1::uuid[]::text[]) limit 1";

/// The kind of outbox entries for deleted users of whom some records are still needed.
const USER_TASK: &str = "forget user";

const USERS_GONE: &str = "select subject from outbox where kind = 'forget user' order by due limit 1000";

const USER_DONE: &str = "\
delete from outbox o
where o.kind = 'forget user'
  and o.subject = any($1)
  and not exists (select from loan l where l.\"userId\" = any($1))";

const WAITS: &str = "select 1 from outbox where kind = 'forget' limit 1";

/// The e-mails of patron notices that are forgotten.
const E_MAILS: &str = "\
delete from email_statistics e
using outbox o
where o.kind = 'forget'
  and e.\"notificationId\" = o.subject::text
  and not exists (select from outbox d where d.kind = 'email' and d.subject = e.id)";

octavo_pg::statements! {
    other = [
        CLOSED, KNOWN, SETTLED, SETTINGS, USERS_GONE, USER_DONE, WAITS, E_MAILS,
    ],
}
