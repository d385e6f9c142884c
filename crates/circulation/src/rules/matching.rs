//! Rules sorted by score, and the test whether one matches.
//!
//! Names are numbers here. Seven look-ups turn the question into numbers once; testing a rule then
//! compares numbers and allocates nothing.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::PolicyKind;

/// The facts that the rules compare, as ids of records; empty where one is not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Criteria<'a> {
    pub material_type: &'a str,
    pub loan_type: &'a str,
    pub patron_group: &'a str,
    pub location: &'a str,
    pub library: &'a str,
    pub campus: &'a str,
    pub institution: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub policies: Arc<PolicyIds>,
    /// The line on which the rule's policies begin, from 1.
    pub line: u32,
    pub score: i64,
    pub applied: AppliedConditions,
}

/// The five policies that a rule sets at once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyIds {
    pub loan: String,
    pub request: String,
    pub notice: String,
    pub overdue: String,
    pub lost_item: String,
}

impl PolicyIds {
    pub fn id_of_kind(&self, kind: PolicyKind) -> &str {
        match kind {
            PolicyKind::Loan => &self.loan,
            PolicyKind::Request => &self.request,
            PolicyKind::Notice => &self.notice,
            PolicyKind::OverdueFine => &self.overdue,
            PolicyKind::LostItemFee => &self.lost_item,
        }
    }
}

/// The kinds of criteria of the matching rule and of the lines that enclose it. Item limits depend on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedConditions {
    pub material_type: bool,
    pub loan_type: bool,
    pub patron_group: bool,
}

/// The index of the fact that a letter of a criterium compares.
pub(super) fn field_index(letter: &str) -> usize {
    "mtgscba".find(letter).unwrap_or(0)
}

impl Criteria<'_> {
    /// The values in the order of [`field_index`].
    fn values(&self) -> [&str; 7] {
        [
            self.material_type,
            self.loan_type,
            self.patron_group,
            self.location,
            self.library,
            self.campus,
            self.institution,
        ]
    }
}

/// Rules that are ready to match.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub(super) text: Arc<str>,
    pub(super) names: HashMap<Box<str>, u32>,
    pub(super) lines: Vec<Line>,
    /// The highest score first.
    pub(super) rules: Vec<Rule>,
}

/// The criteria of one line of the text; those of the lines that enclose it are its parents'.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub parent: Option<usize>,
    pub conditions: Vec<Condition>,
}

#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub field: usize,
    pub names: Box<[u32]>,
    pub negated: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// None for the fallback.
    pub line_index: Option<usize>,
    pub score: i64,
    pub line: u32,
    pub policies: Arc<PolicyIds>,
    pub applied: AppliedConditions,
}

/// The number of names that are not in the rules.
const UNNAMED: u32 = u32::MAX;

impl Rules {
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The rule that applies. `None` cannot happen: the fallback matches everything.
    pub fn best_match(&self, criteria: &Criteria<'_>) -> Option<Match> {
        let question = self.criteria_numbers(criteria);
        self.rules.iter().find(|rule| self.matches(rule, &question)).map(Rule::to_match)
    }

    /// Every rule that matches, the highest score first.
    pub fn all_matches(&self, criteria: &Criteria<'_>) -> Vec<Match> {
        let question = self.criteria_numbers(criteria);
        self.rules.iter().filter(|rule| self.matches(rule, &question)).map(Rule::to_match).collect()
    }

    /// Every policy that the rules name, in the order of the text and perhaps more than once.
    pub fn policy_ids(&self) -> impl Iterator<Item = (PolicyKind, &str)> {
        let mut rules: Vec<&Rule> = self.rules.iter().collect();
        rules.sort_by_key(|rule| rule.line);
        rules.into_iter().flat_map(|rule| PolicyKind::ALL.map(|kind| (kind, rule.policies.id_of_kind(kind))))
    }

    /// Whether a rule that is `wanted` can apply to an item of these types, whoever and wherever it is lent to.
    pub fn may_apply(
        &self,
        material_type: &str,
        loan_type: &str,
        wanted: impl Fn(&PolicyIds, AppliedConditions) -> bool,
    ) -> bool {
        let question = self.criteria_numbers(&Criteria { material_type, loan_type, ..Criteria::default() });
        let open = |condition: &Condition| condition.field > field_index("t") || condition.holds(&question);
        self.rules.iter().any(|rule| wanted(&rule.policies, rule.applied) && self.holds(rule, open))
    }

    fn criteria_numbers(&self, criteria: &Criteria<'_>) -> [u32; 7] {
        criteria.values().map(|value| self.names.get(value).copied().unwrap_or(UNNAMED))
    }

    fn matches(&self, rule: &Rule, question: &[u32; 7]) -> bool {
        self.holds(rule, |condition| condition.holds(question))
    }

    /// Every condition of a rule's line and of those that enclose it.
    fn holds(&self, rule: &Rule, holds: impl Fn(&Condition) -> bool) -> bool {
        let mut next = rule.line_index;
        while let Some(index) = next {
            let line = &self.lines[index];
            if !line.conditions.iter().all(&holds) {
                return false;
            }
            next = line.parent;
        }
        true
    }
}

impl Condition {
    fn holds(&self, question: &[u32; 7]) -> bool {
        self.names.contains(&question[self.field]) != self.negated
    }
}

impl Rule {
    fn to_match(&self) -> Match {
        Match {
            policies: Arc::clone(&self.policies),
            line: self.line,
            score: self.score,
            applied: self.applied,
        }
    }
}
