//! Tokens to syntax.
//!
//! FOLIO generates its parser from a grammar with ANTLR 4, and shows librarians ANTLR's own messages
//! (`mismatched input`, `extraneous input`, `missing ... at`, `no viable alternative at input`). Which of
//! them appears depends on where ANTLR looks ahead: over a whole rule line at once, one word at a time
//! elsewhere. The reading here fails at the same places with the same words.

use super::RulesError;
use super::cursor::Cursor;
use super::syntax::{File, LinePriority, PolicyList, Priority, Slot, Statement};
use super::token::{Kind, Token};
use super::{line, token};

type Parsed<T> = Result<T, RulesError>;

pub(super) fn parse(source: &str, tokens: &[Token]) -> Parsed<File> {
    let mut cursor = Cursor::new(source, tokens);
    cursor.enter(&[Kind::Priority, Kind::Newline])?;
    let start = cursor.index();
    cursor.expect(Kind::Priority, &[Kind::Colon])?;
    if !cursor.is_at(Kind::Colon) {
        return Err(cursor.no_alternative(start));
    }
    cursor.advance();
    match cursor.kind() {
        Kind::FirstLine => first_line_file(&mut cursor),
        Kind::LastLine | Kind::Criterium | Kind::NumberOfCriteria | Kind::CriteriumLetter => {
            other_file(&mut cursor)
        }
        _ => Err(cursor.no_alternative(start)),
    }
}

/// `priority: first-line`: the fallback policy closes the file.
fn first_line_file(cursor: &mut Cursor<'_>) -> Parsed<File> {
    cursor.advance();
    let mut body = Vec::new();
    let follow = [Kind::FallbackPolicy, Kind::CriteriumLetter, Kind::Newline];
    rules(cursor, &mut body, Kind::FallbackPolicy, &follow)?;
    body.push(fallback(cursor)?);
    match cursor.kind() {
        Kind::End => Ok(File { priority: Priority::FirstLine, body }),
        Kind::CriteriumLetter => {
            Err(cursor
                .error_here("For 'priority: first-line' the fallback-policy must be after the last rule."))
        }
        _ => Err(cursor.no_alternative(cursor.index())),
    }
}

fn other_file(cursor: &mut Cursor<'_>) -> Parsed<File> {
    let priority = priority(cursor)?;
    let follow = [Kind::FallbackPolicy, Kind::Newline];
    cursor.enter(&follow)?;
    while cursor.is_at(Kind::Newline) {
        cursor.advance();
        cursor.repeat(&follow)?;
    }
    let mut body = vec![fallback(cursor)?];
    rules(cursor, &mut body, Kind::End, &[Kind::CriteriumLetter, Kind::Newline, Kind::End])?;
    Ok(File { priority, body })
}

fn priority(cursor: &mut Cursor<'_>) -> Parsed<Priority> {
    match cursor.kind() {
        Kind::LastLine => {
            cursor.advance();
            Ok(Priority::LastLine)
        }
        Kind::CriteriumLetter => {
            Ok(Priority::Letters(letters(cursor, &[Kind::FallbackPolicy, Kind::Newline])?))
        }
        _ => slots(cursor),
    }
}

/// ANTLR reads up to the word that tells two slots from three before it settles, so that whatever is
/// wrong until there has no viable alternative.
fn slots(cursor: &mut Cursor<'_>) -> Parsed<Priority> {
    let start = cursor.index();
    let viable = |result: Parsed<Slot>, cursor: &Cursor<'_>| result.map_err(|_| cursor.no_alternative(start));
    let mut slots = vec![{
        let first = slot(cursor);
        viable(first, cursor)?
    }];
    if !cursor.is_at(Kind::Comma) {
        return Err(cursor.no_alternative(start));
    }
    cursor.advance();
    if matches!(cursor.kind(), Kind::Criterium | Kind::NumberOfCriteria) {
        slots.push(slot(cursor)?);
        cursor.expect(Kind::Comma, &[Kind::FirstLine, Kind::LastLine])?;
    } else if !matches!(cursor.kind(), Kind::FirstLine | Kind::LastLine) {
        return Err(cursor.no_alternative(start));
    }
    let line =
        cursor.expect_any(&[Kind::FirstLine, Kind::LastLine], &[Kind::FallbackPolicy, Kind::Newline])?;
    let line = match line.kind {
        Kind::FirstLine => LinePriority::FirstLine,
        _ => LinePriority::LastLine,
    };
    Ok(Priority::Slots(slots, line))
}

fn slot(cursor: &mut Cursor<'_>) -> Parsed<Slot> {
    let at = cursor.advance();
    cursor.forget_loop();
    match at.kind {
        Kind::NumberOfCriteria => Ok(Slot { at, letters: None }),
        _ => {
            cursor.expect(Kind::Open, &[Kind::CriteriumLetter])?;
            let letters = letters(cursor, &[Kind::Close])?;
            cursor.expect(Kind::Close, &[Kind::Comma])?;
            Ok(Slot { at, letters: Some(letters) })
        }
    }
}

/// `end` is what may come after the last letter.
fn letters(cursor: &mut Cursor<'_>, end: &[Kind]) -> Parsed<Vec<token::Token>> {
    let follow = [&[Kind::Comma, Kind::CriteriumLetter], end].concat();
    let mut letters = vec![cursor.expect(Kind::CriteriumLetter, &follow)?];
    while matches!(cursor.kind(), Kind::Comma | Kind::CriteriumLetter) {
        cursor.forget_loop();
        if cursor.is_at(Kind::Comma) {
            cursor.advance();
        }
        letters.push(cursor.expect(Kind::CriteriumLetter, &follow)?);
    }
    cursor.end_loop(&follow);
    Ok(letters)
}

fn fallback(cursor: &mut Cursor<'_>) -> Parsed<Statement> {
    let at = cursor.expect(Kind::FallbackPolicy, &[Kind::Colon, Kind::Newline])?;
    cursor.enter(&[Kind::Colon, Kind::Newline])?;
    if cursor.is_at(Kind::Newline) {
        cursor.advance();
        return Err(cursor.error_here("Policy missing"));
    }
    let policies = fallback_policies(cursor)?;
    cursor.expect(Kind::Newline, &[Kind::CriteriumLetter, Kind::Newline, Kind::End])?;
    Ok(Statement::Fallback { at, policies })
}

fn fallback_policies(cursor: &mut Cursor<'_>) -> Parsed<PolicyList> {
    let at = cursor.advance();
    let mut policies = Vec::new();
    if !cursor.is_at(Kind::PolicyType) {
        return Err(cursor.error_here("Policy missing after ':'"));
    }
    while cursor.is_at(Kind::PolicyType) {
        let letter = cursor.advance();
        match cursor.kind() {
            Kind::Name => policies.push((letter, cursor.advance())),
            Kind::PolicyType | Kind::Newline => return Err(cursor.error_here("Name missing.")),
            _ => return Err(cursor.no_alternative(cursor.index())),
        }
    }
    cursor.end_loop(&[Kind::PolicyType, Kind::Newline]);
    Ok(PolicyList { at, policies })
}

/// Rule lines with their blocks, up to and without `last`.
fn rules(cursor: &mut Cursor<'_>, body: &mut Vec<Statement>, last: Kind, follow: &[Kind]) -> Parsed<()> {
    let mut depth = 0;
    let mut first_in_block = true;
    loop {
        let expected: &[Kind] = match (depth, first_in_block) {
            (0, _) => follow,
            (_, true) => &[Kind::CriteriumLetter],
            (_, false) => &[Kind::Dedent, Kind::CriteriumLetter],
        };
        if first_in_block {
            cursor.enter(expected)?;
        } else {
            cursor.repeat(expected)?;
        }
        match cursor.kind() {
            Kind::CriteriumLetter => {
                let mut rule = line::parse(cursor)?;
                rule.has_block = cursor.is_at(Kind::Indent);
                body.push(Statement::Rule(rule));
                first_in_block = cursor.is_at(Kind::Indent);
                if first_in_block {
                    body.push(Statement::Indentation(cursor.advance().indentation));
                    depth += 1;
                }
            }
            Kind::Dedent => {
                body.push(Statement::Indentation(cursor.advance().indentation));
                depth -= 1;
            }
            Kind::Newline => {
                let start = cursor.index();
                cursor.advance();
                if !expected.contains(&cursor.kind()) {
                    return Err(cursor.no_alternative(start));
                }
                first_in_block = false;
            }
            kind if kind == last => return Ok(()),
            _ => return Err(cursor.mismatch(expected)),
        }
    }
}
