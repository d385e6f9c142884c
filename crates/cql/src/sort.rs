//! One key of `sortby`, and the two things its modifiers can ask for.
//!
//! As in FOLIO the last modifier of a kind counts, in whatever case it was sent. Other modifiers are for the
//! reader of the tree to accept or refuse.

use crate::Modifier;

/// `personal.lastName/sort.descending`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    pub index: String,
    pub modifiers: Vec<Modifier>,
}

impl SortKey {
    /// Largest first; `sort.ascending` is the default.
    #[must_use]
    pub fn descending(&self) -> bool {
        self.chooses("sort.descending", "sort.ascending")
    }

    /// Compared as numbers; `string` is the default.
    #[must_use]
    pub fn number(&self) -> bool {
        self.chooses("number", "string")
    }

    fn chooses(&self, choice: &str, other: &str) -> bool {
        let mut settled = self.modifiers.iter().rev();
        settled.find(|m| m.is(choice) || m.is(other)).is_some_and(|m| m.is(choice))
    }
}

#[cfg(test)]
mod tests {
    use super::SortKey;

    fn key(text: &str) -> SortKey {
        crate::parse(&format!("id=* sortby {text}")).expect(text).sort.remove(0)
    }

    #[test]
    fn the_last_modifier_of_a_kind_counts() {
        for (text, descending, number) in [
            ("name", false, false),
            ("name/sort.ascending", false, false),
            ("name/sort.descending", true, false),
            ("name/SORT.Descending/Number", true, true),
            ("name/sort.descending/sort.ascending", false, false),
            ("name/number/string", false, false),
            ("name/string/number/respectCase", false, true),
        ] {
            let key = key(text);
            assert_eq!(key.descending(), descending, "{text}");
            assert_eq!(key.number(), number, "{text}");
        }
    }
}
