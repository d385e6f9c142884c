//! Statements that are written by hand, by their names, so that one test can prepare them all and look at the plans of those
//! that the desk waits for (`tests/api/platform/statements.rs`).
//!
//! A file lists its statements beside them with [`statements!`], and the files below it whose lists there are. The compiler
//! calls a list that is in no other list dead code.
//!
//! Not listed are statements whose text is made of declarations or of what a client asks: those that read and write record
//! types, CQL searches, reports whose columns are chosen.

use std::sync::LazyLock;

/// The statements of one file, and of those below it.
#[derive(Debug)]
pub struct Registered {
    pub file: &'static str,
    pub own: &'static [Named],
    pub within: &'static [&'static Registered],
}

#[derive(Debug, Clone, Copy)]
pub struct Named {
    pub name: &'static str,
    /// Whether somebody at the desk, or every client, waits for it: it never reads a whole table that grows.
    pub hot: bool,
    pub texts: fn() -> Vec<String>,
}

impl Registered {
    /// Each list with its statements, from the top.
    pub fn all(&'static self) -> Vec<&'static Registered> {
        let below = self.within.iter().flat_map(|part| part.all());
        std::iter::once(self).chain(below).collect()
    }
}

/// What a constant holds: a statement, or one for each of several cases.
pub trait Texts {
    fn texts(&self) -> Vec<String>;
}

impl Texts for &str {
    fn texts(&self) -> Vec<String> {
        vec![(*self).to_owned()]
    }
}

impl Texts for String {
    fn texts(&self) -> Vec<String> {
        vec![self.clone()]
    }
}

impl<T: Texts, const N: usize> Texts for [T; N] {
    fn texts(&self) -> Vec<String> {
        self.iter().flat_map(Texts::texts).collect()
    }
}

impl<T: Texts> Texts for LazyLock<T> {
    fn texts(&self) -> Vec<String> {
        T::texts(self)
    }
}

/// Lists constants of the file as statements, and the files below: `hot = [READ], other = [WRITE, REMOVE], within = [lower]`, of
/// which each may be left out.
#[macro_export]
macro_rules! statements {
    (
        $(hot = [$($hot:ident),* $(,)?] $(,)?)?
        $(other = [$($name:ident),* $(,)?] $(,)?)?
        $(within = [$($($part:ident)::+),* $(,)?] $(,)?)?
    ) => {
        pub(crate) static STATEMENTS: $crate::Registered = $crate::Registered {
            file: file!(),
            own: &[
                $($($crate::Named { name: stringify!($hot), hot: true, texts: || $crate::Texts::texts(&$hot) },)*)?
                $($($crate::Named { name: stringify!($name), hot: false, texts: || $crate::Texts::texts(&$name) },)*)?
            ],
            within: &[$($(&$($part)::+::STATEMENTS),*)?],
        };
    };
}
