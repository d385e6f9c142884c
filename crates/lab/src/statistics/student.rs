//! Student's and the normal distribution: how likely a mean of measurements lies so far from zero by chance.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Two-sided: the chance of a value of `t` or beyond on either side, with so many degrees of freedom.
pub(super) fn chance_beyond(t: f64, freedom: f64) -> f64 {
    if !t.is_finite() {
        return 0.0;
    }
    2.0 * students(freedom).cdf(-t.abs())
}

/// The value beyond which, on either side, lies this chance.
pub(super) fn quantile(chance: f64, freedom: f64) -> f64 {
    -students(freedom).inverse_cdf(chance / 2.0)
}

/// The share of a normal distribution beyond a value, on one side.
pub(super) fn normal_beyond(value: f64) -> f64 {
    Normal::standard().cdf(-value)
}

/// Callers have at least one degree of freedom.
fn students(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).expect("degrees of freedom above 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from the tables of textbooks.
    #[test]
    fn values_are_those_of_the_tables() {
        for (chance, freedom, t) in [
            (0.05, 1.0, 12.706),
            (0.05, 4.0, 2.776),
            (0.01, 4.0, 4.604),
            (0.05, 9.0, 2.262),
            (0.01, 30.0, 2.750),
            (0.05, 1000.0, 1.962),
        ] {
            assert!(
                (quantile(chance, freedom) - t).abs() < 0.002,
                "{chance} {freedom}: {}",
                quantile(chance, freedom)
            );
            assert!((chance_beyond(t, freedom) / chance - 1.0).abs() < 0.002, "{chance} {freedom}");
        }
        assert!((chance_beyond(0.0, 5.0) - 1.0).abs() < 1e-9);
    }
}
