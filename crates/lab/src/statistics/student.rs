//! Student's and the normal distribution: how likely a mean of measurements lies so far from zero by chance.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The two-sided p-value: the probability of a value of at least `t` on either side, with `freedom` degrees of freedom.
pub(super) fn two_sided_p_value(t: f64, freedom: f64) -> f64 {
    if !t.is_finite() {
        return 0.0;
    }
    2.0 * student_distribution(freedom).cdf(-t.abs())
}

/// The critical value of Student's distribution: values beyond it, on either side, have this probability.
pub(super) fn critical_value(chance: f64, freedom: f64) -> f64 {
    -student_distribution(freedom).inverse_cdf(chance / 2.0)
}

/// The share of a normal distribution beyond a value, on one side.
pub(super) fn normal_tail(value: f64) -> f64 {
    Normal::standard().cdf(-value)
}

/// Callers have at least one degree of freedom.
fn student_distribution(freedom: f64) -> StudentsT {
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
                (critical_value(chance, freedom) - t).abs() < 0.002,
                "{chance} {freedom}: {}",
                critical_value(chance, freedom)
            );
            assert!((two_sided_p_value(t, freedom) / chance - 1.0).abs() < 0.002, "{chance} {freedom}");
        }
        assert!((two_sided_p_value(0.0, 5.0) - 1.0).abs() < 1e-9);
    }
}
