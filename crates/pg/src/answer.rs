//! What is read of the answers to statements: of each all rows, or the first, as values of known types.

use crate::{Read, Row};

/// What is read of the rows of one statement: all of them (`Vec`), or the first, if there is one (`Option`).
pub trait Answer<'a>: Sized {
    fn read(rows: &'a [Row]) -> Self;
}

impl<'a, T: Read<'a>> Answer<'a> for Vec<T> {
    fn read(rows: &'a [Row]) -> Vec<T> {
        rows.iter().map(Row::read).collect()
    }
}

impl<'a, T: Read<'a>> Answer<'a> for Option<T> {
    fn read(rows: &'a [Row]) -> Option<T> {
        rows.first().map(Row::read)
    }
}

/// For a statement whose rows nobody reads.
impl Answer<'_> for () {
    fn read(_: &[Row]) {}
}

/// A tuple of what is read of several statements, in their order.
pub trait EachAnswer<'a>: Sized {
    fn read(answers: &mut dyn Iterator<Item = &'a [Row]>) -> Self;
}

macro_rules! several_answers {
    ($($value:ident),*) => {
        impl<'a, $($value: Answer<'a>),*> EachAnswer<'a> for ($($value,)*) {
            fn read(answers: &mut dyn Iterator<Item = &'a [Row]>) -> ($($value,)*) {
                ($($value::read(answers.next().unwrap_or_default()),)*)
            }
        }
    };
}

several_answers!(A, B);
several_answers!(A, B, C);
several_answers!(A, B, C, D);

/// Reads the answers of a batch.
pub fn read_each<'a, T: EachAnswer<'a>>(answers: &'a [Vec<Row>]) -> T {
    T::read(&mut answers.iter().map(Vec::as_slice))
}
