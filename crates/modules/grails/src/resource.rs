//! A kind of record as it is served at a path.

use serde_json::{Map, Value};

use crate::kind::{Kind, NO_TABLE};
use crate::view::View;

/// Computes members of a record before it is validated.
pub(crate) type ComputeMembers = fn(&Kind, &mut Map<String, Value>);

/// A kind of record at a path.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) kind: &'static Kind,
    pub(crate) view: &'static View,
    /// Computes members before a record is written.
    pub(crate) compute_members: ComputeMembers,
    /// The members by which a list is sorted if the client names none.
    pub(crate) sort: &'static [&'static str],
    /// The kinds of record that may refer to a record of this kind without a foreign key of the database.
    pub(crate) referenced_by: &'static [&'static Kind],
}

impl Resource {
    pub(crate) const BASE: Resource = Resource {
        kind: &NO_KIND,
        view: &View::ALL,
        compute_members: compute_nothing,
        sort: &[],
        referenced_by: &[],
    };
}

static NO_KIND: Kind = Kind { class: "", record: &NO_TABLE, members: &[] };

/// For kinds of record without computed members.
pub(crate) fn compute_nothing(_: &Kind, _: &mut Map<String, Value>) {}
