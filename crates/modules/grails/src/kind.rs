//! The declaration of a kind of record of a Grails module. Lists, filters, data binding and the JSON of records are derived from it.

use octavo_record::{RecordType, table_name};

/// Stands for the table of records that have no table of their own, because they are stored within other records.
pub(crate) static NO_TABLE: RecordType = RecordType::BASE;

/// A kind of record, a domain class in Grails.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The name of FOLIO's class, which FOLIO's messages contain: `org.olf.Dashboard`.
    pub(crate) class: &'static str,
    /// The table, with its unique keys and references.
    pub(crate) record: &'static RecordType,
    pub(crate) members: &'static [Member],
}

/// A member of a record.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    /// Whether a record without this member is refused.
    pub(crate) required: bool,
    /// The most characters of a text: the width of FOLIO's column.
    pub(crate) max_characters: usize,
    /// Whether the member is ignored in bodies that clients send.
    pub(crate) read_only: bool,
    /// The value of the member in a new record for which the client sends none, as JSON.
    pub(crate) default: Option<&'static str>,
    /// The regular expression that FOLIO's message shows, and a function that tells whether a text matches it.
    pub(crate) pattern: Option<(&'static str, fn(&str) -> bool)>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    Text,
    Integer,
    Number,
    Boolean,
    /// A day: `2026-11-26`.
    Day,
    /// When the record was made, and when it was last changed.
    DateCreated,
    LastUpdated,
    /// A value of one of the tenant's vocabularies: the kind of record that stores the values, and the description of the vocabulary.
    Refdata(&'static Kind, &'static str),
    /// Another record, by its id.
    Reference(&'static Kind),
    /// A record of another module, such as a user, by its id.
    OutsideReference,
    /// Records of another table that belong to this record. They refer to it in the member with this name.
    Owned(&'static Kind, &'static str),
    /// A record within this one, which has no table of its own, and a list of such.
    Part(&'static Kind),
    Parts(&'static Kind),
}

impl Member {
    const fn new(name: &'static str, form: Form) -> Member {
        let most = 255;
        let (required, read_only) = (false, false);
        Member { name, form, required, max_characters: most, read_only, default: None, pattern: None }
    }

    pub(crate) const fn text(name: &'static str) -> Member {
        Member::new(name, Form::Text)
    }

    pub(crate) const fn integer(name: &'static str) -> Member {
        Member::new(name, Form::Integer)
    }

    pub(crate) const fn number(name: &'static str) -> Member {
        Member::new(name, Form::Number)
    }

    pub(crate) const fn day(name: &'static str) -> Member {
        Member::new(name, Form::Day)
    }

    pub(crate) const fn date_created() -> Member {
        Member::new("dateCreated", Form::DateCreated)
    }

    pub(crate) const fn last_updated() -> Member {
        Member::new("lastUpdated", Form::LastUpdated)
    }

    pub(crate) const fn part(name: &'static str, kind: &'static Kind) -> Member {
        Member::new(name, Form::Part(kind))
    }

    pub(crate) const fn parts(name: &'static str, kind: &'static Kind) -> Member {
        Member::new(name, Form::Parts(kind))
    }

    pub(crate) const fn boolean(name: &'static str) -> Member {
        Member::new(name, Form::Boolean)
    }

    pub(crate) const fn refdata(
        name: &'static str,
        values: &'static Kind,
        vocabulary: &'static str,
    ) -> Member {
        Member::new(name, Form::Refdata(values, vocabulary))
    }

    pub(crate) const fn reference(name: &'static str, kind: &'static Kind) -> Member {
        Member::new(name, Form::Reference(kind))
    }

    pub(crate) const fn outside_reference(name: &'static str) -> Member {
        Member::new(name, Form::OutsideReference)
    }

    pub(crate) const fn owned(name: &'static str, kind: &'static Kind, owner: &'static str) -> Member {
        Member::new(name, Form::Owned(kind, owner))
    }

    pub(crate) const fn required(self) -> Member {
        Member { required: true, ..self }
    }

    pub(crate) const fn matching(self, pattern: &'static str, is_so: fn(&str) -> bool) -> Member {
        Member { pattern: Some((pattern, is_so)), ..self }
    }

    pub(crate) const fn at_most(self, most: usize) -> Member {
        Member { max_characters: most, ..self }
    }

    pub(crate) const fn read_only(self) -> Member {
        Member { read_only: true, ..self }
    }

    pub(crate) const fn default(self, json: &'static str) -> Member {
        Member { default: Some(json), ..self }
    }
}

impl Kind {
    pub(crate) fn member(&self, name: &str) -> Option<&'static Member> {
        self.members.iter().find(|member| member.name == name)
    }

    pub(crate) fn table(&self) -> String {
        table_name(self.record)
    }
}

/// The most hops from a record to others in one path.
const MOST_HOPS: usize = 5;

/// A parsed path such as `owner.code`: the members that lead to other records (`hops`), and the member at its end.
#[derive(Debug)]
pub(crate) struct Path {
    pub(crate) hops: Vec<&'static Member>,
    pub(crate) end: PathEnd,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum PathEnd {
    Id,
    Member(&'static Member),
}

impl Path {
    pub(crate) fn read(kind: &'static Kind, path: &str) -> Option<Path> {
        let (mut kind, mut hops) = (kind, Vec::new());
        let mut names = path.split('.').peekable();
        loop {
            let name = names.next()?;
            let is_last = names.peek().is_none();
            if is_last && name == "id" {
                return Some(Path { hops, end: PathEnd::Id });
            }
            let member = kind.member(name)?;
            if is_last {
                return Some(Path { hops, end: PathEnd::Member(member) });
            }
            if matches!(member.form, Form::OutsideReference)
                && names.next() == Some("id")
                && names.next().is_none()
            {
                return Some(Path { hops, end: PathEnd::Member(member) });
            }
            let (Form::Refdata(next, _)
            | Form::Reference(next)
            | Form::Owned(next, _)
            | Form::Part(next)
            | Form::Parts(next)) = member.form
            else {
                return None;
            };
            hops.push(member);
            if hops.len() > MOST_HOPS {
                return None;
            }
            kind = next;
        }
    }
}
