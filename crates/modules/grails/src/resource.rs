//! A kind of record as it is served at a path.

use serde_json::{Map, Value};

use crate::kind::{Kind, NO_TABLE};
use crate::view::View;

/// What is done to a record before it is validated: members that are computed.
pub(crate) type Finish = fn(&Kind, &mut Map<String, Value>);

/// A kind of record at a path.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) kind: &'static Kind,
    pub(crate) view: &'static View,
    /// What is computed before a record is written.
    pub(crate) finish: Finish,
    /// The members that a list is sorted by where the client does not say.
    pub(crate) sort: &'static [&'static str],
    /// Kinds that may name a record of this kind where no key of the database guards it.
    pub(crate) named_by: &'static [&'static Kind],
}

impl Resource {
    pub(crate) const BASE: Resource =
        Resource { kind: &NOTHING, view: &View::ALL, finish: as_sent, sort: &[], named_by: &[] };
}

static NOTHING: Kind = Kind { class: "", record: &NO_TABLE, members: &[] };

/// For records of which nothing is computed.
pub(crate) fn as_sent(_: &Kind, _: &mut Map<String, Value>) {}
