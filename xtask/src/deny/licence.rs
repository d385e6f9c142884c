//! SPDX licence expressions, as far as crates use them: `A OR B`, `A AND B`, `A WITH exception`, parentheses,
//! and the older `A/B` for `A OR B`.

/// Whether the licences that `allowed` accepts satisfy the expression.
pub(super) fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = ExpressionParser { words: spaced.split_whitespace().collect(), next: 0, allowed };
    let answer = words.any_of()?;
    match words.peek() {
        None => Ok(answer),
        Some(word) => Err(format!("{word} is one too many")),
    }
}

struct ExpressionParser<'a> {
    words: Vec<&'a str>,
    next: usize,
    allowed: &'a dyn Fn(&str) -> bool,
}

impl<'a> ExpressionParser<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    fn accept(&mut self, word: &str) -> bool {
        let here = self.peek() == Some(word);
        self.next += usize::from(here);
        here
    }

    fn any_of(&mut self) -> Result<bool, String> {
        let mut answer = self.all_of()?;
        while self.accept("OR") {
            answer |= self.all_of()?;
        }
        Ok(answer)
    }

    fn all_of(&mut self) -> Result<bool, String> {
        let mut answer = self.licence()?;
        while self.accept("AND") {
            answer &= self.licence()?;
        }
        Ok(answer)
    }

    fn licence(&mut self) -> Result<bool, String> {
        if self.accept("(") {
            let answer = self.any_of()?;
            return if self.accept(")") { Ok(answer) } else { Err("a parenthesis stays open".into()) };
        }
        let licence = self.licence_name()?;
        if self.accept("WITH") {
            let exception = self.licence_name()?;
            return Ok((self.allowed)(&format!("{licence} WITH {exception}")));
        }
        Ok((self.allowed)(licence))
    }

    fn licence_name(&mut self) -> Result<&'a str, String> {
        match self.peek() {
            Some(word) if !["OR", "AND", "WITH", "(", ")"].contains(&word) => {
                self.next += 1;
                Ok(word)
            }
            Some(word) => Err(format!("a licence is missing before {word}")),
            None => Err("a licence is missing at its end".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_mit_and_bsd(expression: &str) -> Result<bool, String> {
        is_allowed(expression, &|one| {
            ["MIT", "BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"].contains(&one)
        })
    }

    #[test]
    fn one_allowed_alternative_is_enough_and_every_condition_is_needed() {
        for (expression, answer) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0/MIT", true),
            ("MIT AND BSD-3-Clause", true),
            ("MIT AND GPL-3.0", false),
            ("MIT OR GPL-3.0 AND GPL-2.0", true),
            ("(MIT OR GPL-3.0) AND GPL-2.0", false),
            ("(MIT OR Apache-2.0) AND BSD-3-Clause", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
        ] {
            assert_eq!(with_mit_and_bsd(expression), Ok(answer), "{expression}");
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for bad in ["", "MIT OR", "(MIT", "MIT BSD-3-Clause", "AND MIT", "MIT WITH"] {
            assert!(with_mit_and_bsd(bad).is_err(), "{bad}");
        }
    }
}
