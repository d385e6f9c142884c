//! One rule line: criteria joined by `+`, then perhaps policies.

use super::RulesError;
use super::cursor::Cursor;
use super::syntax::{Criterium, Names, PolicyList, Rule};
use super::token::Kind;

type Parsed<T> = Result<T, RulesError>;

/// Reads up to and with the line's end. FOLIO's parser looks over the whole line before it enters it, so
/// a line that fits no form is reported first, and names or policies that are missing only then.
pub(super) fn parse(cursor: &mut Cursor<'_>) -> Parsed<Rule> {
    let start = cursor.index();
    let mut complaint = None;
    let rule = rule(cursor, start, &mut complaint)?;
    match complaint {
        Some(complaint) => Err(complaint),
        None => Ok(rule),
    }
}

fn rule(cursor: &mut Cursor<'_>, start: usize, complaint: &mut Option<RulesError>) -> Parsed<Rule> {
    let mut criteria = vec![criterium(cursor, start, complaint)?];
    while cursor.is_at(Kind::Plus) {
        cursor.advance();
        criteria.push(criterium(cursor, start, complaint)?);
    }
    let policies = match cursor.kind() {
        Kind::Colon => Some(policies(cursor, complaint)),
        _ => None,
    };
    if !cursor.is_at(Kind::Newline) {
        return Err(cursor.no_alternative(start));
    }
    cursor.advance();
    Ok(Rule { criteria, policies, has_block: false })
}

fn criterium(cursor: &mut Cursor<'_>, start: usize, complaint: &mut Option<RulesError>) -> Parsed<Criterium> {
    if !cursor.is_at(Kind::CriteriumLetter) {
        return Err(cursor.no_alternative(start));
    }
    let letter = cursor.advance();
    let names = match cursor.kind() {
        Kind::All => {
            cursor.advance();
            Names::All
        }
        Kind::Name => any_of(cursor, complaint),
        Kind::Not => none_of(cursor, start, complaint)?,
        _ => {
            complaint.get_or_insert_with(|| cursor.error_here("Name missing."));
            Names::AnyOf(Vec::new())
        }
    };
    Ok(Criterium { letter, names })
}

const MIXED: &str = "A '!' must precede each name or no name.";

fn any_of(cursor: &mut Cursor<'_>, complaint: &mut Option<RulesError>) -> Names {
    let mut names = Vec::new();
    while cursor.is_at(Kind::Name) {
        names.push(cursor.advance());
    }
    if cursor.is_at(Kind::Not) {
        cursor.advance();
        skip_mixed(cursor, complaint);
    }
    Names::AnyOf(names)
}

fn none_of(cursor: &mut Cursor<'_>, start: usize, complaint: &mut Option<RulesError>) -> Parsed<Names> {
    let mut names = Vec::new();
    while cursor.is_at(Kind::Not) {
        cursor.advance();
        if !cursor.is_at(Kind::Name) {
            return Err(cursor.no_alternative(start));
        }
        names.push(cursor.advance());
    }
    if cursor.is_at(Kind::Name) {
        cursor.advance();
        skip_mixed(cursor, complaint);
    }
    Ok(Names::NoneOf(names))
}

fn skip_mixed(cursor: &mut Cursor<'_>, complaint: &mut Option<RulesError>) {
    complaint.get_or_insert_with(|| cursor.error_here(MIXED));
    while matches!(cursor.kind(), Kind::Name | Kind::Not) {
        cursor.advance();
    }
}

fn policies(cursor: &mut Cursor<'_>, complaint: &mut Option<RulesError>) -> PolicyList {
    let at = cursor.advance();
    let mut policies = Vec::new();
    if !cursor.is_at(Kind::PolicyType) {
        complaint.get_or_insert_with(|| cursor.error_here("Policy missing after ':'"));
    }
    while cursor.is_at(Kind::PolicyType) {
        let letter = cursor.advance();
        if cursor.is_at(Kind::Name) {
            policies.push((letter, cursor.advance()));
        } else {
            complaint.get_or_insert_with(|| cursor.error_here("Name missing."));
        }
    }
    PolicyList { at, policies }
}
