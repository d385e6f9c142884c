//! Which members of a record are shown. Records that it refers to are shown by their id alone, unless the view says more. Values of
//! vocabularies are always shown with their label.

#[derive(Debug)]
pub(crate) struct View {
    /// The members that are shown. If there are none, all members are shown.
    pub(crate) only: &'static [&'static str],
    pub(crate) left_out: &'static [&'static str],
    /// How records within this record are shown, by the member.
    pub(crate) nested: &'static [(&'static str, &'static View)],
    /// Additional members, computed by SQL in which `{doc}` is the record's document.
    pub(crate) computed: &'static [(&'static str, &'static str)],
}

impl View {
    pub(crate) const ALL: View = View { only: &[], left_out: &[], nested: &[], computed: &[] };
    pub(crate) const ID: View = View { only: &["id"], ..View::ALL };
    pub(crate) const REFDATA: View = View { only: &["id", "value", "label"], ..View::ALL };

    pub(crate) fn shows(&self, name: &str) -> bool {
        (self.only.is_empty() || self.only.contains(&name)) && !self.left_out.contains(&name)
    }

    pub(crate) fn nested_view(&self, name: &str) -> Option<&'static View> {
        self.nested.iter().find(|(member, _)| *member == name).map(|(_, view)| *view)
    }
}
