//! Where records speak of persons, said once for each record type; from it comes the SQL by which they forget them.
//!
//! A loan that is anonymised, a user who is deleted: whoever carries it out goes over all record types and does what each one
//! says of itself. A test refuses a record type that has a member for a person and does not say what becomes of it.

use crate::RecordType;

/// What the records of a type know of persons, besides `metadata`: who of the staff made and changed them.
#[derive(Debug, Clone, Copy)]
pub struct Persons {
    /// Members that name a person or tell something about one.
    pub members: &'static [Member],
    /// Members that look like it and are not: the barcode of an item.
    pub others: &'static [&'static str],
    /// When a loan forgets its patron. In conditions `t` is the record and `l` the loan, with its `id` and `"userId"`.
    pub of_loan: Fate,
    /// When a user is deleted. In conditions `t` is the record and `$1` the list of the users' ids.
    pub of_user: Fate,
    /// An SQL condition over `t`: somebody still works with the record, and it forgets nothing yet.
    pub needed: Option<&'static str>,
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
    /// Who did or wrote it. Staff answer for what they do: this stays, as `metadata` does.
    Staff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Id,
    Barcode,
    Name,
    /// Mail, telephone, e-mail.
    Address,
    /// Words that may say anything.
    Text,
    /// Of these together.
    All,
}

/// What becomes of records.
#[derive(Debug, Clone, Copy)]
pub enum Fate {
    /// They stay as they are, for this reason.
    Stay(&'static str),
    /// Those of this condition are deleted.
    Go(&'static str),
    /// Those of this condition lose the members that are a patron's.
    Forget(&'static str),
    /// Statements of their own.
    Do(&'static [&'static str]),
}

impl Persons {
    /// Its records speak of nobody.
    pub const NOBODY: Persons = Persons {
        members: &[],
        others: &[],
        of_loan: Fate::Stay("they are about nobody"),
        of_user: Fate::Stay("they are about nobody"),
        needed: None,
    };

    /// Records of a user, found by this condition, that are of no use without them; they are about no loan.
    pub const fn of_user(members: &'static [Member], found: &'static str) -> Persons {
        Persons {
            members,
            of_loan: Fate::Stay("they are about no loan"),
            of_user: Fate::Go(found),
            ..Persons::NOBODY
        }
    }

    /// Records that tell which of the staff did something.
    pub const fn of_staff(members: &'static [Member]) -> Persons {
        const WHY: Fate = Fate::Stay("staff answer for what they do");
        Persons { members, of_loan: WHY, of_user: WHY, ..Persons::NOBODY }
    }

    /// SQL for what becomes of records: of a loan's, where `source` gives the loans; of a user's, where it is `None`.
    pub fn statements(&self, record: &RecordType, fate: Fate, source: Option<&str>) -> Vec<String> {
        let table = crate::table_name(record);
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

    /// The document without what it says of a patron.
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

    /// The id of a patron.
    pub const fn id(path: &'static str) -> Member {
        Member::patron(path, What::Id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: RecordType = RecordType {
        table: "letter",
        persons: Some(&Persons {
            members: &[
                Member::id("recipientId"),
                Member::patron("to.address", What::Address),
                Member::staff("byUserId", What::Id),
            ],
            of_loan: Fate::Forget("t.\"loanId\" = l.id"),
            of_user: Fate::Go("t.\"recipientId\" = any($1)"),
            needed: Some("t.status = 'pending'"),
            ..Persons::NOBODY
        }),
        ..RecordType::BASE
    };

    #[test]
    fn a_declaration_becomes_the_sql_by_which_records_forget() {
        let persons = LETTER.persons.unwrap();
        assert_eq!(
            persons.statements(&LETTER, persons.of_loan, Some("loans l")),
            ["update \"letter\" t\n\
              set doc = (t.doc::jsonb #- '{recipientId}' #- '{to,address}')::json\n\
              from loans l\n\
              where (t.\"loanId\" = l.id)\n  \
                and not (t.status = 'pending')"]
        );
        assert_eq!(
            persons.statements(&LETTER, persons.of_user, None),
            [
                "delete from \"letter\" t\nwhere (t.\"recipientId\" = any($1))\n  and not (t.status = 'pending')"
            ]
        );
        assert!(persons.statements(&LETTER, Fate::Stay("for a reason"), None).is_empty());
    }
}
