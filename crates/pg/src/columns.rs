//! How the columns of a row are read, one after the other, into values of known types.

use std::error::Error;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::{DataRowBody, DataRowRanges};
use postgres_protocol::types::{bool_from_sql, int8_from_sql, text_from_sql, uuid_from_sql};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

/// The columns of a row that are not read yet.
pub struct Columns<'a> {
    row: &'a DataRowBody,
    ranges: DataRowRanges<'a>,
    at: usize,
}

/// What is read from the next column or columns of a row: a value, an `Option` where it may be null, a tuple of these, or a
/// type that names the columns of a query. Panics if a column is of another type: SQL and code then disagree.
pub trait Read<'a>: Sized {
    fn read(columns: &mut Columns<'a>) -> Self;
}

/// A value that stands in one column. `None` is read as null.
pub trait Column<'a>: Sized {
    fn decode(bytes: &'a [u8]) -> Decoded<Self>;
}

pub type Decoded<T> = Result<Option<T>, Box<dyn Error + Sync + Send>>;

/// JSON that the query itself has built, read as the type that it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<'a> Columns<'a> {
    pub(crate) fn from_row(row: &'a DataRowBody) -> Columns<'a> {
        Columns { row, ranges: row.ranges(), at: 0 }
    }

    pub fn take<T: Read<'a>>(&mut self) -> T {
        T::read(self)
    }

    pub fn skip(&mut self, columns: usize) {
        for _ in 0..columns {
            self.bytes();
        }
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let range = self.ranges.next().ok().flatten();
        let range = range.unwrap_or_else(|| panic!("there is no column {}", self.at));
        self.at += 1;
        range.map(|range| &self.row.buffer()[range])
    }

    fn take_optional<T: Column<'a>>(&mut self) -> Option<T> {
        match T::decode(self.bytes()?) {
            Ok(value) => value,
            Err(error) => panic!("column {} is of another type: {error}", self.at - 1),
        }
    }

    fn there<T: Column<'a>>(&mut self) -> T {
        self.take_optional().unwrap_or_else(|| panic!("column {} is null", self.at - 1))
    }
}

impl<'a> Column<'a> for &'a str {
    fn decode(bytes: &'a [u8]) -> Decoded<&'a str> {
        text_from_sql(bytes).map(Some)
    }
}

impl Column<'_> for String {
    fn decode(bytes: &[u8]) -> Decoded<String> {
        text_from_sql(bytes).map(|text| Some(text.to_owned()))
    }
}

impl Column<'_> for Uuid {
    fn decode(bytes: &[u8]) -> Decoded<Uuid> {
        uuid_from_sql(bytes).map(|bytes| Some(Uuid::from_bytes(bytes)))
    }
}

impl Column<'_> for i64 {
    fn decode(bytes: &[u8]) -> Decoded<i64> {
        int8_from_sql(bytes).map(Some)
    }
}

impl Column<'_> for bool {
    fn decode(bytes: &[u8]) -> Decoded<bool> {
        bool_from_sql(bytes).map(Some)
    }
}

/// Reads a JSON document; one that is nested too deep to be parsed is read as `None`.
impl Column<'_> for Value {
    fn decode(bytes: &[u8]) -> Decoded<Value> {
        text_from_sql(bytes).map(|text| serde_json::from_str(text).ok())
    }
}

impl<T: DeserializeOwned> Column<'_> for Json<T> {
    fn decode(bytes: &[u8]) -> Decoded<Json<T>> {
        Ok(Some(Json(serde_json::from_str(text_from_sql(bytes)?)?)))
    }
}

impl<'a, T: Column<'a>> Read<'a> for Option<T> {
    fn read(columns: &mut Columns<'a>) -> Option<T> {
        columns.take_optional()
    }
}

impl<'a, T: DeserializeOwned> Read<'a> for Json<T> {
    fn read(columns: &mut Columns<'a>) -> Json<T> {
        columns.there()
    }
}

/// Columns of one type, one after the other.
impl<'a, T: Read<'a>, const N: usize> Read<'a> for [T; N] {
    fn read(columns: &mut Columns<'a>) -> [T; N] {
        std::array::from_fn(|_| T::read(columns))
    }
}

/// Reads a type whose fields are the columns of a query, in the order in which they are named here.
#[macro_export]
macro_rules! columns {
    ($row:ident { $($field:ident),* $(,)? }) => {
        impl $crate::Read<'_> for $row {
            fn read(columns: &mut $crate::Columns<'_>) -> $row {
                $row { $($field: columns.take()),* }
            }
        }
    };
}

macro_rules! columns_that_are_there {
    ($($value:ty),*) => {
        $(impl<'a> Read<'a> for $value {
            fn read(columns: &mut Columns<'a>) -> $value {
                columns.there()
            }
        })*
    };
}

columns_that_are_there!(&'a str, String, Uuid, i64, bool, Value);

/// For a statement whose rows nobody reads.
impl Read<'_> for () {
    fn read(_: &mut Columns<'_>) {}
}

macro_rules! several_columns {
    ($($value:ident),*) => {
        impl<'a, $($value: Read<'a>),*> Read<'a> for ($($value,)*) {
            fn read(columns: &mut Columns<'a>) -> ($($value,)*) {
                ($($value::read(columns),)*)
            }
        }
    };
}

several_columns!(A, B);
several_columns!(A, B, C);
several_columns!(A, B, C, D);
several_columns!(A, B, C, D, E);
several_columns!(A, B, C, D, E, F);
several_columns!(A, B, C, D, E, F, G);
several_columns!(A, B, C, D, E, F, G, H);
