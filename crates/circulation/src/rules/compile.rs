//! Syntax to the table of rules: scores, inherited criteria, names as numbers.

use std::collections::HashMap;
use std::sync::Arc;

use super::PolicyKind;
use super::matching::{AppliedConditions, Condition, Line, PolicyIds, Rule, Rules, field_index};
use super::syntax::{Criterium, File, LinePriority, Names, PolicyList, Priority, Statement};
use super::token::Token;

/// The text must have passed the check.
pub(super) fn compile(source: &str, file: &File) -> Rules {
    let mut compiler = Compiler {
        source,
        scoring: Scoring::from_priority(source, &file.priority),
        names: HashMap::new(),
        table: Rules { text: source.into(), ..Rules::default() },
        open: Vec::new(),
        indentation: 0,
    };
    for statement in &file.body {
        match statement {
            Statement::Indentation(indentation) => compiler.indentation = *indentation,
            Statement::Fallback { policies, .. } => compiler.rule(None, UsedCriteria::default(), policies),
            Statement::Rule(rule) => {
                let (index, used) = compiler.line(&rule.criteria);
                if let Some(policies) = &rule.policies {
                    compiler.rule(Some(index), used, policies);
                }
            }
        }
    }
    let mut table = compiler.table;
    table.names = compiler.names.into_iter().map(|(name, number)| (name.into(), number)).collect();
    table.rules.sort_by_key(|rule| std::cmp::Reverse(rule.score));
    table
}

struct Compiler<'a> {
    source: &'a str,
    scoring: Scoring<'a>,
    names: HashMap<&'a str, u32>,
    table: Rules,
    /// The lines that enclose the current one: indentation, index, criteria used so far.
    open: Vec<(u32, usize, UsedCriteria)>,
    indentation: u32,
}

/// The criteria of a rule and of the lines that enclose it, as far as scores depend on them.
#[derive(Debug, Clone, Copy, Default)]
struct UsedCriteria {
    /// Bits by [`field_index`], the four kinds of place as one.
    kinds: u8,
    highest_letter: i64,
}

impl UsedCriteria {
    const PLACE: usize = 3;

    fn with(mut self, letter: &str, priority: i64) -> Self {
        self.kinds |= 1 << field_index(letter).min(Self::PLACE);
        self.highest_letter = self.highest_letter.max(priority);
        self
    }

    fn has(self, letter: &str) -> bool {
        self.kinds & (1 << field_index(letter)) != 0
    }
}

impl<'a> Compiler<'a> {
    fn line(&mut self, criteria: &[Criterium]) -> (usize, UsedCriteria) {
        while self.open.last().is_some_and(|(indentation, ..)| *indentation >= self.indentation) {
            self.open.pop();
        }
        let (parent, mut used) = match self.open.last() {
            Some((_, index, used)) => (Some(*index), *used),
            None => (None, UsedCriteria::default()),
        };
        let mut conditions = Vec::with_capacity(criteria.len());
        for criterium in criteria {
            let letter = criterium.letter.text(self.source);
            used = used.with(letter, self.scoring.letter(letter));
            let (names, negated) = match &criterium.names {
                Names::All => continue,
                Names::AnyOf(names) => (names, false),
                Names::NoneOf(names) => (names, true),
            };
            let names = names.iter().map(|name| self.number(name)).collect();
            conditions.push(Condition { field: field_index(letter), names, negated });
        }
        let index = self.table.lines.len();
        self.table.lines.push(Line { parent, conditions });
        self.open.push((self.indentation, index, used));
        (index, used)
    }

    fn number(&mut self, name: &Token) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(name.text(self.source)).or_insert(next)
    }

    fn rule(&mut self, line_index: Option<usize>, used: UsedCriteria, policies: &PolicyList) {
        let line = policies.at.line;
        self.table.rules.push(Rule {
            line_index,
            score: self.scoring.score(line, used),
            line,
            policies: Arc::new(policy_ids(self.source, policies)),
            applied: AppliedConditions {
                material_type: used.has("m"),
                loan_type: used.has("t"),
                patron_group: used.has("g"),
            },
        });
    }
}

fn policy_ids(source: &str, list: &PolicyList) -> PolicyIds {
    let mut ids = PolicyIds::default();
    for (letter, name) in &list.policies {
        let slot = match PolicyKind::from_letter(letter.text(source)) {
            Some(PolicyKind::Loan) => &mut ids.loan,
            Some(PolicyKind::Request) => &mut ids.request,
            Some(PolicyKind::Notice) => &mut ids.notice,
            Some(PolicyKind::OverdueFine) => &mut ids.overdue,
            Some(PolicyKind::LostItemFee) => &mut ids.lost_item,
            None => continue,
        };
        name.text(source).clone_into(slot);
    }
    ids
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Factor {
    None,
    Criterium,
    NumberOfCriteria,
}

struct Scoring<'a> {
    first: Factor,
    second: Factor,
    line: LinePriority,
    /// The letters of criteria, the most significant first.
    letters: Vec<&'a str>,
}

const SECOND_SLOT: i64 = 10_000_000;
const FIRST_SLOT: i64 = 100_000_000;
const LAST_POSSIBLE_LINE: i64 = 10_000_000;

impl<'a> Scoring<'a> {
    fn from_priority(source: &'a str, priority: &Priority) -> Self {
        let plain = |line| Scoring { first: Factor::None, second: Factor::None, line, letters: Vec::new() };
        let texts = |letters: &[Token]| letters.iter().map(|letter| letter.text(source)).collect();
        match priority {
            Priority::FirstLine => plain(LinePriority::FirstLine),
            Priority::LastLine => plain(LinePriority::LastLine),
            Priority::Letters(letters) => Scoring {
                first: Factor::Criterium,
                second: Factor::NumberOfCriteria,
                line: LinePriority::LastLine,
                letters: texts(letters),
            },
            Priority::Slots(slots, line) => {
                let factor = |index: usize| match slots[index].letters {
                    Some(_) => Factor::Criterium,
                    None => Factor::NumberOfCriteria,
                };
                let letters = slots.iter().find_map(|slot| slot.letters.as_deref());
                Scoring {
                    first: if slots.len() == 2 { factor(0) } else { Factor::None },
                    second: factor(slots.len() - 1),
                    line: *line,
                    letters: letters.map(texts).unwrap_or_default(),
                }
            }
        }
    }

    /// 7 for the first letter down to 1 for the last; 0 where the priority names no letters.
    fn letter(&self, letter: &str) -> i64 {
        self.letters.iter().position(|own| *own == letter).map_or(0, |place| 7 - place as i64)
    }

    fn score(&self, line: u32, used: UsedCriteria) -> i64 {
        let line = match self.line {
            LinePriority::LastLine => i64::from(line),
            LinePriority::FirstLine => LAST_POSSIBLE_LINE - i64::from(line),
        };
        let factor = |factor| match factor {
            Factor::None => 0,
            Factor::Criterium => used.highest_letter,
            Factor::NumberOfCriteria => i64::from(used.kinds.count_ones()),
        };
        line + factor(self.second) * SECOND_SLOT + factor(self.first) * FIRST_SLOT
    }
}
