//! Declares, once for each record type, which members of a record name a person, and makes the SQL that removes them.
//!
//! When a loan is anonymised or a user is deleted, the declarations of all record types are applied. A test fails for a record
//! type that has a member about a person and does not declare what happens to it.

/// Which members of a record type are about persons. `metadata`, which names the staff who made and changed a record, is not listed.
#[derive(Debug, Clone, Copy)]
pub struct Persons {
    /// Members that name a person, or hold data about a person.
    pub members: &'static [Member],
    /// Members whose names look as if they named a person, but do not, such as the barcode of an item.
    pub not_persons: &'static [&'static str],
    /// What happens to the records when a loan is anonymised. In its SQL `t` is the record and `l` is the loan, with the columns `id`
    /// and `"userId"`.
    pub on_loan_anonymised: ErasureRule,
    /// What happens to the records when users are deleted. In its SQL `t` is the record and `$1` the list of the users' ids.
    pub on_user_deleted: ErasureRule,
    /// What happens to a user's records when that user is merged, as a duplicate, into another user.
    pub on_user_merged: MergeRule,
    /// An SQL condition over `t` for records that the library still needs, such as an open request. These records keep the patron's
    /// id when a user is deleted or a loan is anonymised.
    pub needed_while: Option<&'static str>,
    /// Which records are disclosed to a person who asks what data the library holds about them.
    pub disclosure: DisclosureRule,
    /// Members that are never disclosed to anybody, such as the hash of a password.
    pub secret: &'static [&'static str],
}

/// Which records are given to a person who asks what is kept about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisclosureRule {
    /// The records that `on_user_deleted` deletes or anonymises by an SQL condition.
    AsErased,
    /// Those that satisfy this SQL condition, in which `t` is the record and `$1` the list of the person's ids.
    Where(&'static str),
    /// No records; the text is the reason.
    Nothing(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct Member {
    pub path: &'static str,
    pub role: PersonRole,
    pub data: PersonalData,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonRole {
    Patron,
    /// The member of staff who did or wrote something. Staff are accountable for their work, so this member stays in the record when
    /// the user is deleted, as `metadata` does.
    Staff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonalData {
    Id,
    Barcode,
    Name,
    /// Postal address, telephone number, e-mail address.
    Address,
    /// Free text, which may contain anything.
    Text,
    /// An object with several kinds of personal data.
    All,
}

/// What happens to records when a loan is anonymised or a user is deleted.
#[derive(Debug, Clone, Copy)]
pub enum ErasureRule {
    /// The records stay unchanged; the text is the reason.
    Keep(&'static str),
    /// The records that satisfy this SQL condition are deleted.
    DeleteWhere(&'static str),
    /// In the records that satisfy this SQL condition, the members about a patron are removed.
    AnonymiseWhere(&'static str),
    /// These SQL statements are run.
    Run(&'static [&'static str]),
}

/// What happens to the records of a user who is merged, as a duplicate, into another user.
#[derive(Debug, Clone, Copy)]
pub enum MergeRule {
    /// The records keep the id of the duplicate; the text is the reason.
    Keep(&'static str),
    /// The records are transferred to the user who is kept.
    Move(&'static [RecordTransfer]),
}

/// Records that are transferred from one user to another. In SQL `t` is the record, `$1` the id of the user who has the record and
/// `$2` the id of the user who gets it.
#[derive(Debug, Clone, Copy)]
pub struct RecordTransfer {
    /// The member that holds the user's id.
    pub member: &'static str,
    /// An SQL condition that selects the records to transfer.
    pub condition: &'static str,
    /// SQL for the document after the transfer, as `jsonb`. `None` if only the id in `member` changes.
    pub document: Option<&'static str>,
}

impl RecordTransfer {
    pub const fn new(member: &'static str, found: &'static str) -> RecordTransfer {
        RecordTransfer { member, condition: found, document: None }
    }

    /// SQL that transfers the records of a table, whose quoted name is `table`, and returns their ids. If `back` is true, only records
    /// whose ids are in `$3` are transferred: this undoes a merge.
    pub fn statement(&self, table: &str, back: bool) -> String {
        let path = self.member.replace('.', ",");
        let changed = format!("jsonb_set(t.doc::jsonb, '{{{path}}}', to_jsonb($2::uuid))");
        let document = self.document.unwrap_or(&changed);
        let among = if back { "\n  and t.id = any($3)" } else { "" };
        let found = self.condition;
        format!("update {table} t\nset doc = ({document})::json\nwhere ({found}){among}\nreturning t.id")
    }
}

const NOBODY: &str = "they are about nobody";

impl Persons {
    /// The declaration of a record type without members about persons.
    pub const NOBODY: Persons = Persons {
        members: &[],
        not_persons: &[],
        on_loan_anonymised: ErasureRule::Keep(NOBODY),
        on_user_deleted: ErasureRule::Keep(NOBODY),
        on_user_merged: MergeRule::Keep(NOBODY),
        needed_while: None,
        disclosure: DisclosureRule::AsErased,
        secret: &[],
    };

    /// The declaration of records that belong to a user and are deleted with the user, such as log-ins. `found` is the SQL condition
    /// that selects them. They are not about loans.
    pub const fn deleted_with_user(members: &'static [Member], found: &'static str) -> Persons {
        Persons {
            members,
            on_loan_anonymised: ErasureRule::Keep("they are about no loan"),
            on_user_deleted: ErasureRule::DeleteWhere(found),
            on_user_merged: MergeRule::Keep("they belong to the user's record itself"),
            ..Persons::NOBODY
        }
    }

    /// The declaration of records that name the member of staff who did something, and no patron.
    pub const fn naming_staff(members: &'static [Member]) -> Persons {
        const WHY: &str = "staff answer for what they do";
        Persons {
            members,
            disclosure: DisclosureRule::Nothing(
                "they are records of the library, and name who of its staff has worked on them",
            ),
            on_loan_anonymised: ErasureRule::Keep(WHY),
            on_user_deleted: ErasureRule::Keep(WHY),
            on_user_merged: MergeRule::Keep(WHY),
            ..Persons::NOBODY
        }
    }

    /// The SQL statements that apply an erasure rule to a table, whose quoted name is `table`. `source` is the SQL that selects the
    /// anonymised loans, or `None` if users are deleted.
    pub fn erasure_statements(&self, table: &str, fate: ErasureRule, source: Option<&str>) -> Vec<String> {
        let unless = self.needed_while.map(|needed| format!("\n  and not ({needed})")).unwrap_or_default();
        match fate {
            ErasureRule::Keep(_) => Vec::new(),
            ErasureRule::DeleteWhere(found) => {
                let using = source.map(|source| format!("\nusing {source}")).unwrap_or_default();
                vec![format!("delete from {table} t{using}\nwhere ({found}){unless}")]
            }
            ErasureRule::AnonymiseWhere(found) => {
                let from = source.map(|source| format!("\nfrom {source}")).unwrap_or_default();
                let forgotten = self.anonymised_sql();
                vec![format!("update {table} t\nset doc = {forgotten}{from}\nwhere ({found}){unless}")]
            }
            ErasureRule::Run(statements) => statements.iter().map(|sql| (*sql).to_owned()).collect(),
        }
    }

    /// The SQL condition for the records that are disclosed to a person who asks; the reason if none are disclosed.
    pub fn disclosure_condition(&self) -> Result<&'static str, &'static str> {
        match (self.disclosure, self.on_user_deleted) {
            (DisclosureRule::Where(found), _)
            | (
                DisclosureRule::AsErased,
                ErasureRule::DeleteWhere(found) | ErasureRule::AnonymiseWhere(found),
            ) => Ok(found),
            (DisclosureRule::Nothing(why), _) | (DisclosureRule::AsErased, ErasureRule::Keep(why)) => {
                Err(why)
            }
            (DisclosureRule::AsErased, ErasureRule::Run(_)) => Err("nothing says how they are found"),
        }
    }

    /// SQL for the document without its members about a patron.
    pub fn anonymised_sql(&self) -> String {
        let removed = self.members.iter().filter(|member| member.role == PersonRole::Patron);
        let removed = removed.map(|member| format!(" #- '{{{}}}'", member.path.replace('.', ",")));
        format!("(t.doc::jsonb{})::json", removed.collect::<String>())
    }
}

impl Member {
    pub const fn patron(path: &'static str, what: PersonalData) -> Member {
        Member { path, role: PersonRole::Patron, data: what }
    }

    pub const fn staff(path: &'static str, what: PersonalData) -> Member {
        Member { path, role: PersonRole::Staff, data: what }
    }

    pub const fn patron_id(path: &'static str) -> Member {
        Member::patron(path, PersonalData::Id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: &str = "\"letter\"";

    const PERSONS: Persons = Persons {
        members: &[
            Member::patron_id("recipientId"),
            Member::patron("to.address", PersonalData::Address),
            Member::staff("byUserId", PersonalData::Id),
        ],
        on_loan_anonymised: ErasureRule::AnonymiseWhere("t.\"loanId\" = l.id"),
        on_user_deleted: ErasureRule::DeleteWhere("t.\"recipientId\" = any($1)"),
        needed_while: Some("t.status = 'pending'"),
        ..Persons::NOBODY
    };

    #[test]
    fn records_are_moved_to_another_user_and_back() {
        let moved = RecordTransfer::new("to.userId", "t.\"userId\" = $1");
        assert_eq!(
            moved.statement(LETTER, true),
            "update \"letter\" t\n\
             set doc = (jsonb_set(t.doc::jsonb, '{to,userId}', to_jsonb($2::uuid)))::json\n\
             where (t.\"userId\" = $1)\n  \
               and t.id = any($3)\n\
             returning t.id"
        );
        let whole = RecordTransfer { document: Some("t.doc::jsonb"), ..moved };
        assert_eq!(
            whole.statement(LETTER, false),
            "update \"letter\" t\nset doc = (t.doc::jsonb)::json\nwhere (t.\"userId\" = $1)\nreturning t.id"
        );
    }

    #[test]
    fn a_person_is_given_what_is_forgotten_with_them_unless_it_is_said_otherwise() {
        assert_eq!(PERSONS.disclosure_condition(), Ok("t.\"recipientId\" = any($1)"));
        let elsewhere = Persons { disclosure: DisclosureRule::Where("t.id = any($1)"), ..PERSONS };
        assert_eq!(elsewhere.disclosure_condition(), Ok("t.id = any($1)"));
        assert_eq!(
            Persons { disclosure: DisclosureRule::Nothing("for a reason"), ..PERSONS }.disclosure_condition(),
            Err("for a reason")
        );
        assert_eq!(Persons::NOBODY.disclosure_condition(), Err(NOBODY));
    }

    #[test]
    fn a_declaration_becomes_the_sql_by_which_records_forget() {
        let persons = PERSONS;
        assert_eq!(
            persons.erasure_statements(LETTER, persons.on_loan_anonymised, Some("loans l")),
            ["update \"letter\" t\n\
              set doc = (t.doc::jsonb #- '{recipientId}' #- '{to,address}')::json\n\
              from loans l\n\
              where (t.\"loanId\" = l.id)\n  \
                and not (t.status = 'pending')"]
        );
        assert_eq!(
            persons.erasure_statements(LETTER, persons.on_user_deleted, None),
            [
                "delete from \"letter\" t\nwhere (t.\"recipientId\" = any($1))\n  and not (t.status = 'pending')"
            ]
        );
        assert!(persons.erasure_statements(LETTER, ErasureRule::Keep("for a reason"), None).is_empty());
    }
}
