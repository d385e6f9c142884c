//! Which members of a record name a person, declared once for each record type, and the SQL that removes them.
//!
//! When a loan is anonymised or a user is deleted, the declarations of all record types are carried out. A test refuses a record type that has a member for a person and does not say what becomes of it.

/// Which members of a record type are about persons. `metadata`, which names the staff who made and changed a record, is not listed.
#[derive(Debug, Clone, Copy)]
pub struct Persons {
    /// Members that name a person or tell something about one.
    pub members: &'static [Member],
    /// Members that look as if they named a person and do not, such as the barcode of an item.
    pub others: &'static [&'static str],
    /// What happens to records when a loan is anonymised. In SQL `t` is the record and `l` the loan, with its `id` and `"userId"`.
    pub of_loan: Fate,
    /// What happens to records when users are deleted. In SQL `t` is the record and `$1` the list of the users' ids.
    pub of_user: Fate,
    /// What happens to a user's records when the user turns out to be a duplicate of another.
    pub of_duplicate: Merged,
    /// An SQL condition over `t` for records that are still needed, such as an open request: they keep their patron.
    pub needed: Option<&'static str>,
    /// Which records are given to a person who asks what is kept about them.
    pub told: Told,
    /// Members that nobody is given, such as the hash of a password.
    pub secret: &'static [&'static str],
}

/// Which records are given to a person who asks what is kept about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Those that `of_user` deletes or changes by a condition.
    AsForgotten,
    /// Those that satisfy this SQL condition, in which `t` is the record and `$1` the list of the person's ids.
    Where(&'static str),
    /// None; the text is the reason.
    Not(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct Member {
    pub path: &'static str,
    pub whose: Whose,
    pub what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    Patron,
    /// The member of the staff who did or wrote something. Staff answer for what they do: the member stays, as `metadata` does.
    Staff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Id,
    Barcode,
    Name,
    /// Postal address, telephone number, e-mail address.
    Address,
    /// Free text, which may contain anything.
    Text,
    /// An object with several of these.
    All,
}

/// What happens to records when a loan is anonymised or a user is deleted.
#[derive(Debug, Clone, Copy)]
pub enum Fate {
    /// The records stay as they are; the text is the reason.
    Stay(&'static str),
    /// Records that satisfy this SQL condition are deleted.
    Go(&'static str),
    /// Records that satisfy this SQL condition lose their members about a patron.
    Forget(&'static str),
    /// These SQL statements are run.
    Do(&'static [&'static str]),
}

/// What happens to the records of a user who is merged, as the duplicate, with another.
#[derive(Debug, Clone, Copy)]
pub enum Merged {
    /// They stay with the duplicate; the text is the reason.
    Stay(&'static str),
    /// They go over to the user who is kept.
    Move(&'static [Moved]),
}

/// Records that go over from one user to another. In SQL `t` is the record, `$1` the id of the user who has it and `$2` the id of the
/// user who gets it.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// The member that holds the user's id.
    pub member: &'static str,
    /// An SQL condition for the records.
    pub found: &'static str,
    /// SQL for the document after that, as `jsonb`, if more changes than the id in `member`.
    pub document: Option<&'static str>,
}

impl Moved {
    pub const fn new(member: &'static str, found: &'static str) -> Moved {
        Moved { member, found, document: None }
    }

    /// SQL that moves the records in a table, whose name is quoted, and answers with their ids. If `back` is set, only those of the
    /// ids in `$3` are moved.
    pub fn statement(&self, table: &str, back: bool) -> String {
        let path = self.member.replace('.', ",");
        let changed = format!("jsonb_set(t.doc::jsonb, '{{{path}}}', to_jsonb($2::uuid))");
        let document = self.document.unwrap_or(&changed);
        let among = if back { "\n  and t.id = any($3)" } else { "" };
        let found = self.found;
        format!("update {table} t\nset doc = ({document})::json\nwhere ({found}){among}\nreturning t.id")
    }
}

const NOBODY: &str = "they are about nobody";

impl Persons {
    /// For a record type without members about persons.
    pub const NOBODY: Persons = Persons {
        members: &[],
        others: &[],
        of_loan: Fate::Stay(NOBODY),
        of_user: Fate::Stay(NOBODY),
        of_duplicate: Merged::Stay(NOBODY),
        needed: None,
        told: Told::AsForgotten,
        secret: &[],
    };

    /// For records that belong to a user and are deleted with them, such as log-ins; `found` is the SQL condition. They are about no loan.
    pub const fn of_user(members: &'static [Member], found: &'static str) -> Persons {
        Persons {
            members,
            of_loan: Fate::Stay("they are about no loan"),
            of_user: Fate::Go(found),
            of_duplicate: Merged::Stay("they belong to the user's record itself"),
            ..Persons::NOBODY
        }
    }

    /// For records that name the staff who did something, and no patron.
    pub const fn of_staff(members: &'static [Member]) -> Persons {
        const WHY: &str = "staff answer for what they do";
        Persons {
            members,
            told: Told::Not("they are records of the library, and name who of its staff has worked on them"),
            of_loan: Fate::Stay(WHY),
            of_user: Fate::Stay(WHY),
            of_duplicate: Merged::Stay(WHY),
            ..Persons::NOBODY
        }
    }

    /// The SQL that carries out a fate in a table, whose name is quoted. `source` is the SQL that gives the anonymised loans, or `None` if users are deleted.
    pub fn statements(&self, table: &str, fate: Fate, source: Option<&str>) -> Vec<String> {
        let unless = self.needed.map(|needed| format!("\n  and not ({needed})")).unwrap_or_default();
        match fate {
            Fate::Stay(_) => Vec::new(),
            Fate::Go(found) => {
                let using = source.map(|source| format!("\nusing {source}")).unwrap_or_default();
                vec![format!("delete from {table} t{using}\nwhere ({found}){unless}")]
            }
            Fate::Forget(found) => {
                let from = source.map(|source| format!("\nfrom {source}")).unwrap_or_default();
                let forgotten = self.forgotten();
                vec![format!("update {table} t\nset doc = {forgotten}{from}\nwhere ({found}){unless}")]
            }
            Fate::Do(statements) => statements.iter().map(|sql| (*sql).to_owned()).collect(),
        }
    }

    /// The SQL condition for the records that a person is given; the reason if there are none.
    pub fn found(&self) -> Result<&'static str, &'static str> {
        match (self.told, self.of_user) {
            (Told::Where(found), _) | (Told::AsForgotten, Fate::Go(found) | Fate::Forget(found)) => Ok(found),
            (Told::Not(why), _) | (Told::AsForgotten, Fate::Stay(why)) => Err(why),
            (Told::AsForgotten, Fate::Do(_)) => Err("nothing says how they are found"),
        }
    }

    /// SQL for the document without its members about a patron.
    pub fn forgotten(&self) -> String {
        let removed = self.members.iter().filter(|member| member.whose == Whose::Patron);
        let removed = removed.map(|member| format!(" #- '{{{}}}'", member.path.replace('.', ",")));
        format!("(t.doc::jsonb{})::json", removed.collect::<String>())
    }
}

impl Member {
    pub const fn patron(path: &'static str, what: What) -> Member {
        Member { path, whose: Whose::Patron, what }
    }

    pub const fn staff(path: &'static str, what: What) -> Member {
        Member { path, whose: Whose::Staff, what }
    }

    pub const fn id(path: &'static str) -> Member {
        Member::patron(path, What::Id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "\"letter\"";

    const PERSONS: Persons = Persons {
        members: &[
            Member::id("recipientId"),
            Member::patron("to.address", What::Address),
            Member::staff("byUserId", What::Id),
        ],
        of_loan: Fate::Forget("t.\"loanId\" = l.id"),
        of_user: Fate::Go("t.\"recipientId\" = any($1)"),
        needed: Some("t.status = 'pending'"),
        ..Persons::NOBODY
    };

    #[test]
    fn records_are_moved_to_another_user_and_back() {
        let moved = Moved::new("to.userId", "t.\"userId\" = $1");
        assert_eq!(
            moved.statement(LETTER, true),
            "update \"letter\" t\n\
             set doc = (jsonb_set(t.doc::jsonb, '{to,userId}', to_jsonb($2::uuid)))::json\n\
             where (t.\"userId\" = $1)\n  \
               and t.id = any($3)\n\
             returning t.id"
        );
        let whole = Moved { document: Some("t.doc::jsonb"), ..moved };
        assert_eq!(
            whole.statement(LETTER, false),
            "update \"letter\" t\nset doc = (t.doc::jsonb)::json\nwhere (t.\"userId\" = $1)\nreturning t.id"
        );
    }

    #[test]
    fn a_person_is_given_what_is_forgotten_with_them_unless_it_is_said_otherwise() {
        assert_eq!(PERSONS.found(), Ok("t.\"recipientId\" = any($1)"));
        let elsewhere = Persons { told: Told::Where("t.id = any($1)"), ..PERSONS };
        assert_eq!(elsewhere.found(), Ok("t.id = any($1)"));
        assert_eq!(Persons { told: Told::Not("for a reason"), ..PERSONS }.found(), Err("for a reason"));
        assert_eq!(Persons::NOBODY.found(), Err(NOBODY));
    }

    #[test]
    fn a_declaration_becomes_the_sql_by_which_records_forget() {
        let persons = PERSONS;
        assert_eq!(
            persons.statements(LETTER, persons.of_loan, Some("loans l")),
            ["update \"letter\" t\n\
              set doc = (t.doc::jsonb #- '{recipientId}' #- '{to,address}')::json\n\
              from loans l\n\
              where (t.\"loanId\" = l.id)\n  \
                and not (t.status = 'pending')"]
        );
        assert_eq!(
            persons.statements(LETTER, persons.of_user, None),
            [
                "delete from \"letter\" t\nwhere (t.\"recipientId\" = any($1))\n  and not (t.status = 'pending')"
            ]
        );
        assert!(persons.statements(LETTER, Fate::Stay("for a reason"), None).is_empty());
    }
}
