//! How much of a record is shown. What a record refers to is shown by its id alone, unless the view says more; values of vocabularies always
//! with their label.

#[derive(Debug)]
pub(crate) struct View {
    /// The members that are shown; all, if none is named.
    pub(crate) only: &'static [&'static str],
    pub(crate) left_out: &'static [&'static str],
    /// Members that are records, and how these are shown.
    pub(crate) within: &'static [(&'static str, &'static View)],
    /// What else is shown, as SQL in which `{doc}` is the record's document.
    pub(crate) more: &'static [(&'static str, &'static str)],
}

impl View {
    pub(crate) const ALL: View = View { only: &[], left_out: &[], within: &[], more: &[] };
    pub(crate) const ID: View = View { only: &["id"], ..View::ALL };
    pub(crate) const REFDATA: View = View { only: &["id", "value", "label"], ..View::ALL };

    pub(crate) fn has(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.contains(&name)) && !self.left_out.contains(&name)
    }

    pub(crate) fn within(&self, name: &str) -> Option<&'static View> {
        self.within.iter().find(|(member, _)| *member == name).map(|(_, view)| *view)
    }
}
