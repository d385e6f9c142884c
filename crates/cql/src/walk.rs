//! Walking a tree without recursion.
//!
//! A tree may be thousands of nodes deep, and a handler's stack is small: here is the only code that goes
//! through all of a tree, always with a list of its own in place of the stack.

use crate::{Clause, Node, Operator};

impl Node {
    /// The operator and its sides, if this is no clause.
    #[must_use]
    pub fn sides(&self) -> Option<(Operator, &Node, &Node)> {
        match self {
            Self::And(left, right) => Some((Operator::And, left, right)),
            Self::Or(left, right) => Some((Operator::Or, left, right)),
            Self::Not(left, right) => Some((Operator::Not, left, right)),
            Self::Clause(_) => None,
        }
    }

    /// What is joined by `or` here, from left to right, whatever the parentheses; just this node if it is no `or`.
    #[must_use]
    pub fn flatten_or(&self) -> Vec<&Node> {
        self.flatten(Operator::Or)
    }

    /// What is joined by `and` here, from left to right, whatever the parentheses; just this node if it is no `and`.
    #[must_use]
    pub fn flatten_and(&self) -> Vec<&Node> {
        self.flatten(Operator::And)
    }

    /// First what is wanted, then all that is taken away from it: `a not b not c` gives a, b, c.
    #[must_use]
    pub fn flatten_not(&self) -> Vec<&Node> {
        let (mut node, mut found) = (self, Vec::new());
        while let Self::Not(left, right) = node {
            found.push(&**right);
            node = left;
        }
        found.push(node);
        found.reverse();
        found
    }

    fn flatten(&self, operator: Operator) -> Vec<&Node> {
        let (mut pending, mut found) = (vec![self], Vec::new());
        while let Some(node) = pending.pop() {
            match node.sides() {
                Some((same, left, right)) if same == operator => pending.extend([right, left]),
                _ => found.push(node),
            }
        }
        found
    }

    /// Every clause, from left to right.
    #[must_use]
    pub fn clauses(&self) -> Vec<&Clause> {
        let (mut pending, mut found) = (vec![self], Vec::new());
        while let Some(node) = pending.pop() {
            match node {
                Self::Clause(clause) => found.push(clause),
                Self::And(left, right) | Self::Or(left, right) | Self::Not(left, right) => {
                    pending.extend([&**right, &**left]);
                }
            }
        }
        found
    }

    /// Turns every clause into a value and joins the values as the operators say, from left to right.
    /// Ends at the first error.
    ///
    /// # Errors
    /// Only those of the two functions.
    pub fn fold<T, E>(
        &self,
        mut clause: impl FnMut(&Clause) -> Result<T, E>,
        mut join: impl FnMut(Operator, T, T) -> Result<T, E>,
    ) -> Result<T, E> {
        // A clause puts one value on `done`; a join takes its two off it again and puts one back.
        let (mut pending, mut done) = (vec![Step::Read(self)], Vec::new());
        loop {
            let value = match pending.pop() {
                Some(Step::Read(Self::Clause(found))) => clause(found)?,
                Some(Step::Read(node)) => {
                    if let Some((operator, left, right)) = node.sides() {
                        pending.extend([Step::Join(operator), Step::Read(right), Step::Read(left)]);
                    }
                    continue;
                }
                Some(Step::Join(operator)) => match (done.pop(), done.pop()) {
                    (Some(right), Some(left)) => join(operator, left, right)?,
                    _ => unreachable!("both sides come before their operator"),
                },
                None => unreachable!("the last value ends the walk"),
            };
            if pending.is_empty() {
                return Ok(value);
            }
            done.push(value);
        }
    }
}

enum Step<'a> {
    Read(&'a Node),
    Join(Operator),
}

impl Clone for Node {
    fn clone(&self) -> Self {
        let copy = self.fold(
            |clause| Ok::<_, std::convert::Infallible>(Self::Clause(clause.clone())),
            |operator, left, right| Ok(operator.join(left, right)),
        );
        let Ok(copy) = copy;
        copy
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        let mut pending = vec![(self, other)];
        while let Some(pair) = pending.pop() {
            match pair {
                (Self::Clause(a), Self::Clause(b)) if a == b => {}
                (a, b) => match (a.sides(), b.sides()) {
                    (Some((this, left, right)), Some((that, other_left, other_right))) if this == that => {
                        pending.extend([(right, other_right), (left, other_left)]);
                    }
                    _ => return false,
                },
            }
        }
        true
    }
}

impl Eq for Node {}
