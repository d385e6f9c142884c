//! Errors that the grammar allows and FOLIO refuses, in the order in which FOLIO finds them.

use super::syntax::{File, PolicyList, Priority, Rule, Slot, Statement};
use super::token::Token;
use super::{PolicyKind, RulesError};

type Checked = Result<(), RulesError>;

struct Checker<'a> {
    source: &'a str,
    exists: &'a dyn Fn(PolicyKind, &str) -> bool,
}

pub(super) fn check(source: &str, file: &File, exists: &dyn Fn(PolicyKind, &str) -> bool) -> Checked {
    let checker = Checker { source, exists };
    checker.priority(&file.priority)?;
    for statement in &file.body {
        match statement {
            Statement::Rule(rule) => checker.rule(rule)?,
            Statement::Fallback { at, policies } => {
                checker.fallback(at, policies)?;
                checker.policies(policies)?;
            }
            Statement::Indentation(_) => {}
        }
    }
    Ok(())
}

impl Checker<'_> {
    fn priority(&self, priority: &Priority) -> Checked {
        match priority {
            Priority::Letters(letters) => self.seven_letters(letters, &mut Vec::new()),
            Priority::Slots(slots, _) => {
                let mut seen = Vec::new();
                for letters in slots.iter().filter_map(|slot| slot.letters.as_ref()) {
                    self.seven_letters(letters, &mut seen)?;
                }
                self.different_slots(slots)
            }
            Priority::FirstLine | Priority::LastLine => Ok(()),
        }
    }

    /// Refuses a letter that this list or an earlier one has `seen`.
    fn seven_letters<'b>(&'b self, letters: &[Token], seen: &mut Vec<&'b str>) -> Checked {
        let found = letters.len();
        if found != 7 {
            let message = if found < 7 {
                format!("7 letters expected, found only {found}")
            } else {
                format!("Only 7 letters expected, found {found}")
            };
            return Err(error_after(&letters[0], message));
        }
        for letter in letters {
            let text = letter.text(self.source);
            if seen.contains(&text) {
                return Err(error_after(letter, format!("Duplicate letter {text}")));
            }
            seen.push(text);
        }
        Ok(())
    }

    fn different_slots(&self, slots: &[Slot]) -> Checked {
        match slots {
            [first, second] if first.at.kind == second.at.kind => {
                Err(error_after(&second.at, "Duplicate priority type"))
            }
            _ => Ok(()),
        }
    }

    fn rule(&self, rule: &Rule) -> Checked {
        match &rule.policies {
            None if !rule.has_block => Err(error_after(&rule.criteria[0].letter, "Policy missing")),
            None => Ok(()),
            Some(policies) => self.policies(policies),
        }
    }

    fn policies(&self, policies: &PolicyList) -> Checked {
        for kind in PolicyKind::ALL {
            let letter = kind.letter();
            let mut names = self.names(policies, kind);
            let Some(name) = names.next() else {
                let message = format!("Must contain one of each policy type, missing type {letter}");
                return Err(error_before(&policies.at, message));
            };
            if names.next().is_some() {
                return Err(error_before(&policies.at, format!("Only one policy of type {letter} allowed")));
            }
            if !(self.exists)(kind, name) {
                return Err(error_before(&policies.at, format!("The policy {letter} does not exist")));
            }
        }
        Ok(())
    }

    fn fallback(&self, at: &Token, policies: &PolicyList) -> Checked {
        for kind in PolicyKind::ALL {
            let letter = kind.letter();
            match self.names(policies, kind).count() {
                0 => return Err(error_before(at, format!("Must have a fallback policy of type {letter}"))),
                1 => {}
                _ => {
                    let message = format!("Only one fallback policy of type {letter} is allowed");
                    return Err(error_before(at, message));
                }
            }
        }
        Ok(())
    }

    fn names<'b>(&'b self, policies: &'b PolicyList, kind: PolicyKind) -> impl Iterator<Item = &'b str> {
        policies
            .policies
            .iter()
            .filter(move |(letter, _)| PolicyKind::from_letter(letter.text(self.source)) == Some(kind))
            .map(|(_, name)| name.text(self.source))
    }
}

fn error_after(token: &Token, message: impl Into<String>) -> RulesError {
    RulesError::new(message, token.line, token.column + 1)
}

/// FOLIO forgets to add one to the column of errors about policies.
fn error_before(token: &Token, message: impl Into<String>) -> RulesError {
    RulesError::new(message, token.line, token.column)
}
