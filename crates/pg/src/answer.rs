//! The rows that answer a statement, read as values of known types.

use crate::{Read, Row};

/// A type that the rows of one statement are read as: `Vec` for all of them, `Option` for the first, if there is one.
pub trait FromRows<'a>: Sized {
    fn read(rows: &'a [Row]) -> Self;
}

impl<'a, T: Read<'a>> FromRows<'a> for Vec<T> {
    fn read(rows: &'a [Row]) -> Vec<T> {
        rows.iter().map(Row::read).collect()
    }
}

impl<'a, T: Read<'a>> FromRows<'a> for Option<T> {
    fn read(rows: &'a [Row]) -> Option<T> {
        rows.first().map(Row::read)
    }
}

/// For a statement whose rows nobody reads.
impl FromRows<'_> for () {
    fn read(_: &[Row]) {}
}

/// A tuple of such types: one for each statement of a batch, in their order.
pub trait FromAnswers<'a>: Sized {
    fn read(answers: &mut dyn Iterator<Item = &'a [Row]>) -> Self;
}

macro_rules! several_answers {
    ($($value:ident),*) => {
        impl<'a, $($value: FromRows<'a>),*> FromAnswers<'a> for ($($value,)*) {
            fn read(answers: &mut dyn Iterator<Item = &'a [Row]>) -> ($($value,)*) {
                ($($value::read(answers.next().unwrap_or_default()),)*)
            }
        }
    };
}

several_answers!(A, B);
several_answers!(A, B, C);
several_answers!(A, B, C, D);

pub fn read_each<'a, T: FromAnswers<'a>>(answers: &'a [Vec<Row>]) -> T {
    T::read(&mut answers.iter().map(Vec::as_slice))
}
