//! Student's distribution: how likely a mean of few measurements lies so far from zero by chance.

/// Two-sided: the chance of a value of `t` or beyond on either side, with so many degrees of freedom.
pub(super) fn chance_beyond(t: f64, freedom: f64) -> f64 {
    if !t.is_finite() {
        return 0.0;
    }
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The value beyond which, on either side, lies this chance.
pub(super) fn quantile(chance: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if chance_beyond(middle, freedom) > chance { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The regularised incomplete beta function, by its continued fraction (Lentz's method).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    let front = (log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp();
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let tiny = 1e-300;
    let away = |value: f64| if value.abs() < tiny { tiny } else { value };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..300 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-13 {
            break;
        }
    }
    front * fraction / a
}

/// Lanczos' approximation.
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 6] = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.120_865_097_386_617_9e-2,
        -0.539_523_938_495_3e-5,
    ];
    let near = x + 5.5;
    let near = near - (x + 0.5) * near.ln();
    let series =
        TERMS.iter().zip(1..).fold(1.000_000_000_190_015, |sum, (term, at)| sum + term / (x + f64::from(at)));
    -near + (2.506_628_274_631_000_5 * series / x).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tables that are in every textbook.
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
