//! A connection as the protocol sees it: requests go out together, answers are read until the server is ready again.
//!
//! tokio-postgres connects and proves who we are; from then on the socket is ours. Its own interface ends every statement
//! with a Sync, upon which PostgreSQL flushes an answer and wakes us: for the nine statements of a check-out that was a
//! fifth of the whole. Here a batch has one Sync, a new statement is parsed in the batch that uses it first, and the
//! task that asks reads the socket itself.

mod replicating;
pub(crate) mod socket;

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use bytes::{Buf, Bytes, BytesMut};
use futures_util::FutureExt;
use octavo_record::{Param, Sql};
use postgres_protocol::message::backend::{CommandCompleteBody, Message};
use postgres_protocol::message::frontend;
use rustix::process::Pid;
use tokio::io::{AsyncReadExt, AsyncWrite};
use tokio::runtime::Handle;

use crate::access::{Access, Servers};
use crate::statement::{encode, oid_of};
use crate::{DbError, Row, Statement, bulk};
use socket::{Cancellation, Socket};

/// How many statements a connection keeps prepared. Their texts may name a tenant's schema, so there may be many; beyond this number
/// all are forgotten.
const MAX_PREPARED: usize = 1000;
/// The least room, in bytes, for a read from the socket.
const READ_BYTES: usize = 16 << 10;
/// The protocol's code for values in binary form, whatever their type.
const BINARY: i16 = 1;

/// Statements that are parsed for the first time, with their names.
pub(crate) type NewStatements = Vec<(String, String)>;

pub(crate) struct Wire {
    socket: Socket,
    cancellation: Option<Cancellation>,
    out: BytesMut,
    input: BytesMut,
    /// The names of the statements that the server has parsed, by their text.
    prepared: HashMap<String, String>,
    /// How many names were given so far.
    name_count: usize,
    /// How many answers to commands that were sent first come before the answer to the last request.
    first_answers_due: usize,
    state: State,
    servers: Arc<Servers>,
    /// Ready when another server accepts changes, so that this connection is useless; `None` once it was ready.
    server_change: Option<Pin<Box<dyn Future<Output = ()> + Send + Sync>>>,
    is_useless: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    InTransaction,
    /// A statement of the transaction was refused: it can only be rolled back.
    Failed,
    /// An answer is still expected; it may never come.
    AwaitingAnswer,
}

/// The answer to a batch: the rows of the statements before the first that was refused, and the refusal.
#[derive(Default)]
pub(crate) struct ResultSets {
    pub(crate) rows: Vec<Vec<Row>>,
    pub(crate) refused: Option<DbError>,
}

/// How a batch ended whose rows were taken one by one: how many statements were done, and what the next was refused for.
#[derive(Default)]
pub(crate) struct BatchEnd {
    completed: usize,
    /// The completion message of the last statement that was done.
    last: Option<CommandCompleteBody>,
    pub(crate) refused: Option<DbError>,
}

impl ResultSets {
    pub(crate) fn into_rows(self) -> Result<Vec<Vec<Row>>, DbError> {
        self.refused.map_or(Ok(self.rows), Err)
    }
}

impl Wire {
    pub(crate) async fn connect(access: &Access) -> Result<Wire, DbError> {
        let (socket, cancellation) = socket::connect(access).await?;
        let listener = cancellation.listener;
        let mut wire = Wire {
            socket,
            cancellation: Some(cancellation),
            out: BytesMut::new(),
            input: BytesMut::new(),
            prepared: HashMap::new(),
            name_count: 0,
            first_answers_due: 0,
            state: State::Idle,
            servers: Arc::clone(&access.servers),
            server_change: access.servers.watch_change().map(|moved| Box::pin(moved.wait()) as _),
            is_useless: false,
        };
        if let Some(said) = access.first_statements() {
            wire.send_first(&said)?;
        }
        if bulk::is_bulk_thread()
            && !access.replicates
            && let Some(listener) = listener
            && let Some(process) = wire.backend_process().await?
        {
            bulk::lower_backend_priority(listener, process);
        }
        Ok(wire)
    }

    /// The id of the PostgreSQL backend process of this connection.
    async fn backend_process(&mut self) -> Result<Option<Pid>, DbError> {
        let asked = Statement::new("select pg_backend_pid()::int8");
        let rows = self.exchange([asked].iter()).await?.into_rows()?;
        let number = rows.first().and_then(|rows| rows.first()).map(|row| row.long(0));
        Ok(number.and_then(|number| Pid::from_raw(i32::try_from(number).ok()?)))
    }

    /// Whether the connection is neither in a transaction nor waiting for an answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    pub(crate) fn is_in_transaction(&self) -> bool {
        matches!(self.state, State::InTransaction | State::Failed)
    }

    /// Whether so many different statements were sent here that the PostgreSQL process may remember the tables of many tenants.
    pub(crate) fn is_worn(&self) -> bool {
        self.name_count > MAX_PREPARED
    }

    /// Whether the server has not closed the connection: to an idle connection it sends nothing but its end.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.is_idle()
            && !self.is_useless(&mut Context::from_waker(Waker::noop()))
            && self.socket.read_buf(&mut self.input).now_or_never().is_none()
    }

    /// Whether another server accepts changes. Wakes who asks when that becomes so.
    fn is_useless(&mut self, context: &mut Context<'_>) -> bool {
        if self.server_change.as_mut().is_some_and(|moved| moved.as_mut().poll(context).is_ready()) {
            (self.server_change, self.is_useless) = (None, true);
        }
        self.is_useless
    }

    /// Sends statements with one Sync: outside a transaction they are one transaction, and after a refusal the rest is not run.
    pub(crate) async fn exchange<'a>(
        &mut self,
        statements: impl Iterator<Item = &'a Statement> + Clone,
    ) -> Result<ResultSets, DbError> {
        let fresh = self.write_statements(statements)?;
        self.answers(fresh).await
    }

    /// Like `exchange`, in two steps: this one sends what the socket takes at once, `answers` sends the rest and reads.
    pub(crate) fn begin<'a>(
        &mut self,
        statements: impl Iterator<Item = &'a Statement> + Clone,
    ) -> Result<NewStatements, DbError> {
        let fresh = self.write_statements(statements)?;
        poll_fn(|context| self.poll_write(context)).now_or_never().transpose()?;
        Ok(fresh)
    }

    /// Sends statements with one Sync; each row is given to `take` as it comes, with the number of its statement.
    pub(crate) async fn exchange_each<'a>(
        &mut self,
        statements: impl Iterator<Item = &'a Statement> + Clone,
        take: impl FnMut(usize, Row),
    ) -> Result<BatchEnd, DbError> {
        let fresh = self.write_statements(statements)?;
        self.read_answer(fresh, take).await
    }

    /// A statement that is parsed and planned for this one use.
    pub(crate) async fn run_once(&mut self, sql: &Sql) -> Result<ResultSets, DbError> {
        let out = self.begin_request()?;
        frontend::parse("", &sql.text, sql.params.iter().map(oid_of), out)?;
        bind_and_execute("", &sql.params, ALL_ROWS, out)?;
        frontend::sync(out);
        self.answers(Vec::new()).await
    }

    /// Opens a transaction, and in it a statement for this one use, of which at most `most` rows are read now. Returns whether there
    /// may be more rows.
    pub(crate) async fn open_cursor(
        &mut self,
        sql: &Sql,
        most: i32,
        rows: &mut Vec<Row>,
    ) -> Result<bool, DbError> {
        let out = self.begin_request()?;
        frontend::parse("", "begin", [], out)?;
        bind_and_execute("", &[], ALL_ROWS, out)?;
        frontend::parse("", &sql.text, sql.params.iter().map(oid_of), out)?;
        bind_and_execute("", &sql.params, most, out)?;
        self.read_part(2, rows).await
    }

    /// Reads at most `most` further rows of the statement that was opened. Returns whether there may be more.
    pub(crate) async fn fetch_more(&mut self, most: i32, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        frontend::execute("", most, self.begin_request()?)?;
        self.read_part(1, rows).await
    }

    /// Reads the answer. Returns whether there are more rows, which is so if the last statement was not completed.
    async fn read_part(&mut self, statements: usize, rows: &mut Vec<Row>) -> Result<bool, DbError> {
        frontend::sync(&mut self.out);
        let ended = self.read_answer(Vec::new(), |_, row| rows.push(row)).await?;
        ended.refused.map_or(Ok(ended.completed < statements), Err)
    }

    /// Statements without values, many in one text.
    pub(crate) async fn script(&mut self, sql: &str) -> Result<(), DbError> {
        self.command(sql).await.map(drop)
    }

    /// A text without values, also a command of the replication protocol; the rows of its answer.
    pub(crate) async fn command(&mut self, text: &str) -> Result<Vec<Row>, DbError> {
        frontend::query(text, self.begin_request()?)?;
        Ok(self.answers(Vec::new()).await?.into_rows()?.into_iter().flatten().collect())
    }

    /// Commands that change settings: they are written now, and sent and answered together with the next statements.
    pub(crate) fn send_first(&mut self, sql: &str) -> Result<(), DbError> {
        frontend::query(sql, &mut self.out)?;
        self.first_answers_due += 1;
        Ok(())
    }

    async fn read_first_answers(&mut self) -> Result<(), DbError> {
        while self.first_answers_due > 0 {
            match self.next_message().await? {
                Message::ReadyForQuery(_) => self.first_answers_due -= 1,
                Message::ErrorResponse(refused) => return Err(DbError::from_response(&refused).into_lost()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts the server into the state of taking COPY data.
    pub(crate) async fn begin_copy(&mut self, sql: &str) -> Result<(), DbError> {
        frontend::query(sql, self.begin_request()?)?;
        self.read_first_answers().await?;
        match self.next_message().await? {
            Message::CopyInResponse(_) => Ok(()),
            Message::ErrorResponse(refused) => {
                self.answers(Vec::new()).await?;
                Err(DbError::from_response(&refused))
            }
            _ => Err(DbError::Lost("COPY was answered by something else".into())),
        }
    }

    pub(crate) async fn copy_data(&mut self, data: &[u8]) -> Result<(), DbError> {
        frontend::CopyData::new(data)?.write(&mut self.out);
        poll_fn(|context| {
            // A refusal is read now, so that server and client never wait for each other, and reported at the end.
            let _ = self.poll_read(context)?;
            self.poll_write(context)
        })
        .await
    }

    /// Ends the COPY; returns how many rows it added.
    pub(crate) async fn end_copy(&mut self) -> Result<u64, DbError> {
        frontend::copy_done(&mut self.out);
        let BatchEnd { last, refused, .. } = self.read_answer(Vec::new(), |_, _| {}).await?;
        if let Some(refused) = refused {
            return Err(refused);
        }
        // "COPY 1000"
        let tag = last.as_ref().map(CommandCompleteBody::tag).transpose()?;
        Ok(tag.and_then(|tag| tag.rsplit(' ').next()?.parse().ok()).unwrap_or(0))
    }

    /// Begins a COPY that reads; `next_copy_row` returns its rows.
    pub(crate) async fn begin_copy_out(&mut self, sql: &str) -> Result<(), DbError> {
        frontend::query(sql, self.begin_request()?)?;
        self.read_first_answers().await
    }

    /// The next piece of a COPY that reads, in the text form a line of a row. `None` at the end, after which the connection is free again.
    pub(crate) async fn next_copy_row(&mut self) -> Result<Option<Bytes>, DbError> {
        loop {
            match self.next_message().await? {
                Message::CopyData(data) => return Ok(Some(data.into_bytes())),
                Message::CopyDone => {
                    self.answers(Vec::new()).await?.into_rows()?;
                    return Ok(None);
                }
                Message::ErrorResponse(refused) => {
                    self.answers(Vec::new()).await?;
                    return Err(DbError::from_response(&refused));
                }
                _ => {}
            }
        }
    }

    /// The buffer into which a request is written. From here on the connection waits for an answer, so if the request stays half
    /// written, the connection is not used again.
    fn begin_request(&mut self) -> Result<&mut BytesMut, DbError> {
        if self.state == State::AwaitingAnswer {
            return Err(DbError::Lost("an answer is still owed on this connection".into()));
        }
        self.state = State::AwaitingAnswer;
        Ok(&mut self.out)
    }

    /// Writes the statements into the buffer; returns those that the server parses for the first time.
    fn write_statements<'a>(
        &mut self,
        statements: impl Iterator<Item = &'a Statement> + Clone,
    ) -> Result<NewStatements, DbError> {
        self.begin_request()?;
        if self.prepared.len() > MAX_PREPARED {
            for (_, name) in self.prepared.drain() {
                frontend::close(b'S', &name, &mut self.out)?;
            }
        }
        let fresh = self.parse_new(statements.clone())?;
        for Statement { sql, params, .. } in statements {
            let fresh = || fresh.iter().find(|(known, _)| known == sql).map(|(_, name)| name);
            let name = self.prepared.get(sql.as_ref()).or_else(fresh).map_or("", String::as_str);
            bind_and_execute(name, params, ALL_ROWS, &mut self.out)?;
        }
        frontend::sync(&mut self.out);
        Ok(fresh)
    }

    /// Asks for the parsing of what the server has not seen yet.
    fn parse_new<'a>(
        &mut self,
        statements: impl Iterator<Item = &'a Statement>,
    ) -> Result<NewStatements, DbError> {
        let mut fresh: NewStatements = Vec::new();
        for Statement { sql, .. } in statements {
            if self.prepared.contains_key(sql.as_ref()) || fresh.iter().any(|(known, _)| known == sql) {
                continue;
            }
            self.name_count += 1;
            let name = format!("s{}", self.name_count);
            frontend::parse(&name, sql, [], &mut self.out)?;
            fresh.push((sql.clone().into_owned(), name));
        }
        Ok(fresh)
    }

    pub(crate) async fn answers(&mut self, fresh: NewStatements) -> Result<ResultSets, DbError> {
        let mut rows: Vec<Vec<Row>> = Vec::new();
        let take = |number: usize, row| {
            rows.resize_with(rows.len().max(number + 1), Vec::new);
            rows[number].push(row);
        };
        let BatchEnd { completed, refused, .. } = self.read_answer(fresh, take).await?;
        rows.resize_with(completed, Vec::new);
        Ok(ResultSets { rows, refused })
    }

    /// Sends the buffer and reads the answer to its end. The `fresh` statements that the server has parsed are remembered.
    async fn read_answer(
        &mut self,
        fresh: NewStatements,
        mut take: impl FnMut(usize, Row),
    ) -> Result<BatchEnd, DbError> {
        self.read_first_answers().await?;
        let mut ended = BatchEnd::default();
        let mut fresh = fresh.into_iter();
        loop {
            match self.next_message().await? {
                Message::ParseComplete => self.prepared.extend(fresh.next()),
                Message::DataRow(row) => take(ended.completed, Row(row)),
                Message::CommandComplete(done) => {
                    ended.completed += 1;
                    ended.last = Some(done);
                }
                Message::EmptyQueryResponse => ended.completed += 1,
                Message::ErrorResponse(refused) => {
                    let refused = DbError::from_response(&refused);
                    if refused.has_code(DbError::READS_ONLY) && self.servers.needs_writes {
                        self.servers.announce_change();
                    }
                    ended.refused = ended.refused.or(Some(refused));
                }
                Message::NoticeResponse(notice) if DbError::warns_of_single_copy(&notice) => {
                    ended.refused =
                        Some(DbError::Lost("the change is on the primary server and on no standby".into()));
                }
                Message::ReadyForQuery(ready) => {
                    self.state = state_from_status(ready.status());
                    return Ok(ended);
                }
                _ => {}
            }
        }
    }

    async fn next_message(&mut self) -> Result<Message, DbError> {
        poll_fn(|context| self.poll_message(context)).await
    }

    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Result<Message, DbError>> {
        loop {
            if let Some(message) = Message::parse(&mut self.input)? {
                return Poll::Ready(Ok(message));
            }
            // Writes and reads at once: a server whose answers are not read stops reading, too.
            let _ = self.poll_write(context)?;
            ready!(self.poll_read(context))?;
        }
    }

    fn poll_write(&mut self, context: &mut Context<'_>) -> Poll<Result<(), DbError>> {
        while self.out.has_remaining() {
            let written = ready!(Pin::new(&mut self.socket).poll_write(context, &self.out))?;
            self.out.advance(written);
        }
        // TLS may have taken in what the socket below it does not take yet.
        ready!(Pin::new(&mut self.socket).poll_flush(context))?;
        Poll::Ready(Ok(()))
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Result<(), DbError>> {
        self.input.reserve(READ_BYTES);
        let read = pin!(self.socket.read_buf(&mut self.input)).poll(context)?;
        if read.is_pending() && self.is_useless(context) {
            return Poll::Ready(Err(DbError::Lost("the server accepts changes no longer".into())));
        }
        match ready!(read) {
            0 => Poll::Ready(Err(DbError::Lost("the server closed the connection".into()))),
            _ => Poll::Ready(Ok(())),
        }
    }
}

impl Drop for Wire {
    /// Sends the closing message, if the socket takes it at once. A statement whose answer nobody waits for is cancelled; otherwise the
    /// search of a client that has gone would run to its end.
    fn drop(&mut self) {
        if self.is_idle() {
            frontend::terminate(&mut self.out);
            let _ = poll_fn(|context| self.poll_write(context)).now_or_never();
        } else if let (State::AwaitingAnswer, Some(cancellation), Ok(runtime)) =
            (self.state, self.cancellation.take(), Handle::try_current())
        {
            runtime.spawn(cancellation.send());
        }
    }
}

/// The protocol's number for all rows of a statement.
const ALL_ROWS: i32 = 0;

/// Binds a statement's values and asks for a number of its rows.
fn bind_and_execute(name: &str, params: &[Param], most: i32, out: &mut BytesMut) -> Result<(), DbError> {
    frontend::bind("", name, [BINARY], params, encode, [BINARY], out).map_err(|error| match error {
        frontend::BindError::Conversion(error) => DbError::unsendable(&*error),
        frontend::BindError::Serialization(error) => DbError::unsendable(&error),
    })?;
    Ok(frontend::execute("", most, out)?)
}

fn state_from_status(ready: u8) -> State {
    match ready {
        b'I' => State::Idle,
        b'T' => State::InTransaction,
        _ => State::Failed,
    }
}
