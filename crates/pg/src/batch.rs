//! Statements on their way to the database together. Each is put in with the type that its rows are read as, and gives back a
//! handle to its answer.

use std::marker::PhantomData;

use crate::{DbError, Read, Row, Session, Statement};

/// Statements that go out in one round trip.
#[derive(Debug, Default)]
pub struct Batch {
    statements: Vec<Statement>,
}

/// The handle to the answer of one statement of a batch, whose rows are read as `T`.
#[derive(Debug)]
pub struct AnswerHandle<T> {
    index: usize,
    rows: PhantomData<fn() -> T>,
}

impl<T> Clone for AnswerHandle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for AnswerHandle<T> {}

#[derive(Debug)]
pub struct Answers {
    rows: Vec<Vec<Row>>,
}

impl Batch {
    /// Adds a statement whose rows are read as `T`.
    pub fn ask<T>(&mut self, statement: Statement) -> AnswerHandle<T> {
        self.statements.push(statement);
        AnswerHandle { index: self.statements.len() - 1, rows: PhantomData }
    }

    /// Sends the batch, as a transaction of its own or as a part of the one that is open.
    pub async fn send(self, session: &mut Session) -> Result<Answers, DbError> {
        Ok(Answers { rows: session.batch(self.statements).await? })
    }

    /// Opens a transaction and sends the batch in it: one round trip.
    pub async fn begin(self, session: &mut Session) -> Result<Answers, DbError> {
        Ok(Answers { rows: session.begin(self.statements).await? })
    }
}

impl Answers {
    /// All rows of a statement; none if the statement was not in the batch.
    pub fn all<T: for<'a> Read<'a>>(&self, asked: impl Into<Option<AnswerHandle<T>>>) -> Vec<T> {
        self.rows(asked).map(Row::read).collect()
    }

    /// The first row of a statement, if there is one.
    pub fn first<T: for<'a> Read<'a>>(&self, asked: impl Into<Option<AnswerHandle<T>>>) -> Option<T> {
        self.rows(asked).next().map(Row::read)
    }

    /// Each row of a statement in turn, for values that borrow from it.
    pub fn each<'a, T: Read<'a>>(&'a self, asked: AnswerHandle<T>) -> impl Iterator<Item = T> + use<'a, T> {
        self.rows(asked).map(Row::read)
    }

    fn rows<T>(&self, asked: impl Into<Option<AnswerHandle<T>>>) -> std::slice::Iter<'_, Row> {
        let found = asked.into().and_then(|asked| self.rows.get(asked.index));
        found.map_or([].as_slice(), Vec::as_slice).iter()
    }
}
