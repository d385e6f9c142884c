//! COPY: rows by the million into a table, in the binary form, a quarter of a megabyte at a time. Sending waits for the
//! server, so memory stays flat.

use bytes::BytesMut;
use uuid::Uuid;

use crate::wire::Wire;
use crate::{DbError, Session};

/// A value on its way into a table.
#[derive(Debug, Clone, Copy)]
pub enum Cell<'a> {
    Uuid(Uuid),
    /// For a column of type `json`: a document.
    Json(&'a str),
}

/// An open COPY. Dropped before it is finished, it leaves nothing behind: the connection goes with it.
pub struct CopyIn<'a> {
    wire: &'a mut Wire,
    buffer: BytesMut,
}

const CHUNK_BYTES: usize = 256 << 10;
/// The header of the binary form: signature, flags, length of the extension.
const HEADER: &[u8] = b"PGCOPY\n\xFF\r\n\0\0\0\0\0\0\0\0\0";
/// Stands in place of a row's number of columns at the end of the data.
const END: i16 = -1;

impl Session {
    /// Begins to fill the columns of a table. Columns are named as they stand in SQL.
    pub async fn copy_in(&mut self, table: &str, columns: &[&str]) -> Result<CopyIn<'_>, DbError> {
        self.usage.mark_touched();
        let sql = format!("copy {table} ({}) from stdin (format binary)", columns.join(", "));
        let wire = self.wire()?;
        wire.begin_copy(&sql).await?;
        let mut buffer = BytesMut::with_capacity(CHUNK_BYTES + (CHUNK_BYTES >> 2));
        buffer.extend_from_slice(HEADER);
        Ok(CopyIn { wire, buffer })
    }
}

/// An open COPY of rows in the text form: columns with tabs between them, a line each. Dropped before it is finished, it leaves
/// nothing behind.
pub struct CopyText<'a> {
    wire: &'a mut Wire,
    buffer: Vec<u8>,
}

impl Session {
    /// Begins a COPY that fills a table with lines.
    pub async fn copy_text_in(&mut self, sql: &str) -> Result<CopyText<'_>, DbError> {
        self.usage.mark_touched();
        let wire = self.wire()?;
        wire.begin_copy(sql).await?;
        Ok(CopyText { wire, buffer: Vec::with_capacity(CHUNK_BYTES + (CHUNK_BYTES >> 2)) })
    }

    /// A COPY that reads rows: `take` gets each line, with its line break, while the server reads those after it.
    pub async fn copy_text_out(
        &mut self,
        sql: &str,
        mut take: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), DbError> {
        let wire = self.wire()?;
        wire.begin_copy_out(sql).await?;
        while let Some(line) = wire.next_copy_row().await? {
            take(&line).map_err(|error| DbError::Lost(format!("the rows can't be kept: {error}")))?;
        }
        Ok(())
    }

    /// A COPY that reads rows and hands each on to another database, which waits while that does. Returns how many there were.
    pub async fn copy_text_to(&mut self, sql: &str, mut there: CopyText<'_>) -> Result<u64, DbError> {
        let wire = self.wire()?;
        wire.begin_copy_out(sql).await?;
        while let Some(line) = wire.next_copy_row().await? {
            there.write_line(&line).await?;
        }
        there.finish().await
    }
}

impl CopyText<'_> {
    pub async fn write_line(&mut self, line: &[u8]) -> Result<(), DbError> {
        self.buffer.extend_from_slice(line);
        if self.buffer.len() >= CHUNK_BYTES { self.send().await } else { Ok(()) }
    }

    /// Ends the COPY; returns how many rows it added.
    pub async fn finish(mut self) -> Result<u64, DbError> {
        self.send().await?;
        self.wire.end_copy().await
    }

    async fn send(&mut self) -> Result<(), DbError> {
        self.wire.copy_data(&self.buffer).await?;
        self.buffer.clear();
        Ok(())
    }
}

impl CopyIn<'_> {
    pub async fn write_row(&mut self, cells: &[Cell<'_>]) -> Result<(), DbError> {
        self.buffer.extend_from_slice(&to_length::<i16>(cells.len())?.to_be_bytes());
        for cell in cells {
            match cell {
                Cell::Uuid(id) => self.write_value(id.as_bytes())?,
                Cell::Json(text) => self.write_value(text.as_bytes())?,
            }
        }
        if self.buffer.len() >= CHUNK_BYTES { self.send().await } else { Ok(()) }
    }

    /// Ends the COPY; returns how many rows it added.
    pub async fn finish(mut self) -> Result<u64, DbError> {
        self.buffer.extend_from_slice(&END.to_be_bytes());
        self.send().await?;
        self.wire.end_copy().await
    }

    fn write_value(&mut self, bytes: &[u8]) -> Result<(), DbError> {
        self.buffer.extend_from_slice(&to_length::<i32>(bytes.len())?.to_be_bytes());
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    async fn send(&mut self) -> Result<(), DbError> {
        self.wire.copy_data(&self.buffer).await?;
        self.buffer.clear();
        Ok(())
    }
}

/// A length in the type that the protocol has for it; an error if it does not fit.
fn to_length<T: TryFrom<usize>>(length: usize) -> Result<T, DbError> {
    T::try_from(length).map_err(|_| DbError::Refused {
        code: "54000".to_owned(),
        constraint: None,
        message: format!("a value of {length} bytes is too long"),
        detail: None,
    })
}
