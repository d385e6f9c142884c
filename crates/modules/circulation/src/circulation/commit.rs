//! The second round trip: a plan of circulation becomes rows, in the transaction that the gather opened.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use octavo_circulation::dcb::dcb_events;
use octavo_circulation::plan::{Plan, RecordKind, Write};
use octavo_engine::{Context, RecordOperation, Snapshot, events, statements, statements::RowPart};
use octavo_kernel::{Fault, Outcome, json_text};
use octavo_modules_base::circulation_log;
use octavo_modules_base::circulation_records::{
    ACTUAL_COST_RECORD, CHECK_IN, LOAN, PATRON_ACTION_SESSION, REQUEST,
};
use octavo_modules_base::fee_records::{ACCOUNT, ACTION};
use octavo_modules_base::inventory_records::{CIRCULATION_ITEM, ITEM};
use octavo_modules_base::remote_storage_records::insert_retrieval;
use octavo_pg::{DbError, Param, Statement};
use octavo_record::{ColumnFill, RecordType, Storable, push_document_only, push_values};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use uuid::Uuid;

use super::decisions::DECISION;
use super::{Desk, notices};
use crate::dcb::transactions;
use crate::decide::Planned;
use crate::notes::NOTE;

impl Planned for Plan {
    fn add_consequences(&mut self, snapshot: &Snapshot) {
        if Desk::from_snapshot(snapshot).has_partners {
            self.dcb_events = dcb_events(self);
        }
    }

    fn statements(&self, context: &Context) -> Outcome<Vec<Statement>> {
        let mut statements = statements_of(self)?;
        statements.extend(notices::statements_of(context, std::slice::from_ref(self)));
        statements.extend(event_statement(context, std::slice::from_ref(self)));
        statements.extend(retrieval_statements(context, std::slice::from_ref(self)));
        statements.extend(
            self.dcb_events.iter().map(|happened| transactions::desk_event_statement(context, happened)),
        );
        statements.extend(circulation_log::append(context, self.logged.iter()));
        Ok(statements)
    }

    fn refused(&self, context: &Context, error: DbError) -> Fault {
        let (record, document) = record_at_fault(self);
        octavo_engine::fault_from_db_error(context, error, RecordOperation::Creating, record, document)
    }

    fn notify_committed(&self, context: &Context) {
        notify_workers(context, std::slice::from_ref(self));
    }
}

/// Plans of a job about many loans, which do not change each other's records. Each kind of record is one statement.
impl Planned for Vec<Plan> {
    fn statements(&self, context: &Context) -> Outcome<Vec<Statement>> {
        if let [plan] = self.as_slice() {
            return plan.statements(context);
        }
        let mut statements = statements_of_many(self);
        statements.extend(notices::statements_of(context, self));
        statements.extend(event_statement(context, self));
        statements.extend(retrieval_statements(context, self));
        statements.extend(circulation_log::append(context, self.iter().flat_map(|plan| &plan.logged)));
        Ok(statements)
    }

    fn refused(&self, context: &Context, error: DbError) -> Fault {
        match self.first() {
            Some(plan) => plan.refused(context, error),
            None => error.into(),
        }
    }

    fn notify_committed(&self, context: &Context) {
        notify_workers(context, self);
    }
}

/// Notifies the workers in this process: the relay of notices if a plan has notices, the delivery of events if a plan has events.
fn notify_workers(context: &Context, plans: &[Plan]) {
    if plans.iter().any(|plan| !plan.notices.is_empty()) {
        context.platform.outbox_notifier.notify(&context.tenant.id);
    }
    if plans.iter().any(|plan| !plan.events.is_empty()) {
        context.platform.event_notifier.notify(&context.tenant.id);
    }
}

fn event_statement(context: &Context, plans: &[Plan]) -> Option<Statement> {
    let events = plans.iter().flat_map(|plan| &plan.events).map(|event| (event.name, &event.payload));
    events::append_statement(&context.tenant.id, context.caller.user_id, events)
}

/// The statements that add the plans' entries to the retrieval queues of remote storages.
fn retrieval_statements(context: &Context, plans: &[Plan]) -> impl Iterator<Item = Statement> {
    let retrievals = plans.iter().flat_map(|plan| &plan.retrievals);
    retrievals.map(|retrieval| insert_retrieval(context.fresh_id(), retrieval))
}

fn statements_of(plan: &Plan) -> Outcome<Vec<Statement>> {
    let (money, others): (Vec<&Write>, Vec<&Write>) = plan.writes.iter().partition(|write| is_money(write));
    let (requests, others): (Vec<&Write>, Vec<&Write>) =
        others.into_iter().partition(|write| kind_and_id(write).0 == RecordKind::Request);
    let mut statements = Vec::with_capacity(requests.len() + 4);
    for round in rounds(&others) {
        statements.push(one_statement(&round)?);
    }
    if requests.len() > MOST_WRITTEN_SINGLY {
        statements.extend(statements_by_kind(&requests));
        statements.extend(requests.into_iter().filter_map(places_statement));
    } else {
        for request in requests {
            statements.push(match places_statement(request) {
                Some(moves) => moves,
                None => one_statement(&[request])?,
            });
        }
    }
    statements.extend(statements_by_kind(&money));
    Ok(statements)
}

fn statements_of_many(plans: &[Plan]) -> Vec<Statement> {
    let writes: Vec<&Write> = plans.iter().flat_map(|plan| &plan.writes).collect();
    let mut statements = Vec::new();
    for round in rounds(&writes) {
        statements.extend(statements_by_kind(&round));
        statements.extend(round.into_iter().filter_map(places_statement));
    }
    statements
}

/// Splits writes into rounds. One statement can change a row only once, so a second write of a record is in the next round.
fn rounds<'a>(writes: &[&'a Write]) -> Vec<Vec<&'a Write>> {
    let mut rounds: Vec<Vec<&Write>> = Vec::new();
    for write in writes {
        let again = |known: &&Write| kind_and_id(known) == kind_and_id(write);
        match rounds.last_mut() {
            Some(round) if !round.iter().any(again) => round.push(write),
            _ => rounds.push(vec![write]),
        }
    }
    rounds
}

/// The record that the message about a refused write names: a request, else the first new record.
fn record_at_fault(plan: &Plan) -> (&'static RecordType, &Value) {
    let is_request =
        |write: &&Write| kind_and_id(write).0 == RecordKind::Request && places_statement(write).is_none();
    let requests = plan.writes.iter().find(is_request);
    let new = || plan.writes.iter().find(|write| matches!(write, Write::Insert { .. }));
    match requests.or_else(new).and_then(Write::document) {
        Some((record, _, document)) => (record_type(record), document),
        None => (&LOAN, &Value::Null),
    }
}

/// Whether the write is an account or a fee/fine action, of which there can be many.
fn is_money(write: &Write) -> bool {
    matches!(kind_and_id(write).0, RecordKind::Account | RecordKind::FeeFineAction)
}

/// Up to so many requests are written one by one, by statements that find their row by its key. There are more only when many
/// requests expire; then the writes that move others come last.
const MOST_WRITTEN_SINGLY: usize = 8;

/// One statement for each kind of record; no record may occur twice.
fn statements_by_kind(writes: &[&Write]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for (record, borrowed) in
        RecordKind::ALL.map(|kind| (kind, false)).into_iter().chain([(RecordKind::Item, true)])
    {
        let table = table_of(record, borrowed);
        let (mut new, mut changed, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        for write in
            writes.iter().filter(|write| kind_and_id(write).0 == record && is_borrowed(write) == borrowed)
        {
            let Ok(row) = Uuid::parse_str(kind_and_id(write).1) else { continue };
            match write {
                Write::Insert { document, .. } => new.push((row, Stored::with_next_version(table, document))),
                Write::Update { document, .. } => {
                    changed.push((row, Stored::with_next_version(table, document)));
                }
                Write::Remember { loan_id, text, .. } => new.push((row, Stored::Decision { loan_id, text })),
                Write::Delete { .. } => gone.push(row),
                Write::Places(_) => {}
            }
        }
        statements.extend((!new.is_empty()).then(|| statements::insert_all(table, &new)));
        statements.extend((!changed.is_empty()).then(|| statements::overwrite_all(table, &changed)));
        statements.extend((!gone.is_empty()).then(|| {
            let table = octavo_record::table_name(table);
            Statement::new(format!("delete from {table} where id = any($1)")).uuids(gone)
        }));
    }
    statements
}

/// The kind and the id of the record that is written. Changed places belong to requests, and have no id.
fn kind_and_id(write: &Write) -> (RecordKind, &str) {
    match write {
        Write::Insert { record, id, .. }
        | Write::Update { record, id, .. }
        | Write::Delete { record, id } => (*record, id),
        Write::Remember { id, .. } => (RecordKind::Decision, id),
        Write::Places(_) => (RecordKind::Request, ""),
    }
}

fn places_statement(write: &Write) -> Option<Statement> {
    match write {
        Write::Places(change) => Some(super::places::statement(change)),
        _ => None,
    }
}

pub(super) fn record_type(kind: RecordKind) -> &'static RecordType {
    match kind {
        RecordKind::Item => &ITEM,
        RecordKind::Loan => &LOAN,
        RecordKind::Request => &REQUEST,
        RecordKind::CheckIn => &CHECK_IN,
        RecordKind::PatronActionSession => &PATRON_ACTION_SESSION,
        RecordKind::Account => &ACCOUNT,
        RecordKind::FeeFineAction => &ACTION,
        RecordKind::ActualCostRecord => &ACTUAL_COST_RECORD,
        RecordKind::Note => &NOTE,
        RecordKind::Decision => &DECISION,
    }
}

/// Whether the write is of an item of a partner library, which has a table of its own.
fn is_borrowed(write: &Write) -> bool {
    matches!(write.document(), Some((RecordKind::Item, _, item)) if item["dcbItem"] == true)
}

fn table_of(kind: RecordKind, borrowed: bool) -> &'static RecordType {
    if borrowed { &CIRCULATION_ITEM } else { record_type(kind) }
}

/// All writes as one statement. The rows that are updated were locked when they were read.
fn one_statement(writes: &[&Write]) -> Outcome<Statement> {
    let mut shapes = Vec::with_capacity(writes.len());
    let mut params = Vec::new();
    for write in writes {
        let (kind, id) = kind_and_id(write);
        let borrowed = is_borrowed(write);
        let record = table_of(kind, borrowed);
        let id =
            Uuid::parse_str(id).map_err(|_| Fault::internal(format!("a {} has the id {id}", record.name)))?;
        let at = params.len() + 1;
        params.push(Param::Uuid(id));
        let mut filled = |document| push_values(record, &document, &mut params);
        let verb = match write {
            Write::Insert { document, .. } => {
                Verb::Insert(filled(Stored::with_next_version(record, document)))
            }
            // Circulation changes no member of an item by which items are searched.
            Write::Update { record: RecordKind::Item, document, .. } => Verb::Update(push_document_only(
                record,
                &Stored::with_next_version(record, document),
                &mut params,
            )),
            Write::Update { document, .. } => {
                Verb::Update(filled(Stored::with_next_version(record, document)))
            }
            Write::Remember { loan_id, text, .. } => Verb::Insert(filled(Stored::Decision { loan_id, text })),
            Write::Delete { .. } => Verb::Delete,
            Write::Places(_) => continue,
        };
        shapes.push(Shape { kind, borrowed, verb, at });
    }
    Ok(Statement::with_params(text_of(shapes), params))
}

/// A write without its values; the first of them is the parameter `at`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    kind: RecordKind,
    borrowed: bool,
    verb: Verb,
    at: usize,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verb {
    Insert(ColumnFill),
    Update(ColumnFill),
    Delete,
}

/// The statement for writes of these shapes. There are few combinations, so their texts are kept in memory for ever.
fn text_of(shapes: Vec<Shape>) -> &'static str {
    static TEXTS: Mutex<BTreeMap<Vec<Shape>, &'static str>> = Mutex::new(BTreeMap::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = texts.get(&shapes) {
        return text;
    }
    let sql = statements::combined_sql(shapes.iter().map(Shape::part).collect());
    texts.entry(shapes).or_insert(Box::leak(sql.into_boxed_str()))
}

impl Shape {
    fn part(&self) -> RowPart {
        let (record, at) = (table_of(self.kind, self.borrowed), self.at);
        match self.verb {
            Verb::Insert(filled) => statements::insert_part(record, filled, at),
            Verb::Update(filled) => statements::overwrite_part(record, filled, at),
            Verb::Delete => statements::delete_part(record, at),
        }
    }
}

/// A document to store: `Next` with the version that follows the one that was read.
enum Stored<'a> {
    AsItIs(&'a Value),
    Next(&'a Value),
    Decision { loan_id: &'a str, text: &'a str },
}

/// Serialises the document of [`Stored::Next`] with its next version.
struct Next<'a>(&'a Value);

impl<'a> Stored<'a> {
    fn with_next_version(table: &RecordType, document: &'a Value) -> Stored<'a> {
        match table.locking {
            true => Stored::Next(document),
            false => Stored::AsItIs(document),
        }
    }
}

impl Storable for Stored<'_> {
    fn document_text(&self) -> String {
        match self {
            Stored::AsItIs(document) => json_text(*document),
            Stored::Next(document) => json_text(&Next(document)),
            Stored::Decision { text, .. } => (*text).to_owned(),
        }
    }

    fn text_at_path(&self, path: &str) -> Option<Option<String>> {
        match self {
            Stored::AsItIs(document) | Stored::Next(document) => document.text_at_path(path),
            Stored::Decision { loan_id, .. } => Some((path == "loanId").then(|| (*loan_id).to_owned())),
        }
    }
}

impl Serialize for Next<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let version = json!(self.0["_version"].as_i64().unwrap_or(0) + 1);
        let others = self.0.as_object().into_iter().flatten().filter(|(name, _)| *name != "_version");
        let others = others.map(|(name, value)| (name.as_str(), value));
        serializer.collect_map(std::iter::once(("_version", &version)).chain(others))
    }
}
