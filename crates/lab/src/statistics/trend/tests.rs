use crate::chance::SeededRandom;

use super::*;

fn normal(chance: &mut SeededRandom) -> f64 {
    (0..12).map(|_| chance.fraction()).sum::<f64>() - 6.0
}

/// Two hours, a value every 12 s.
fn two_hours(mut value: impl FnMut(f64) -> f64) -> Vec<(f64, f64)> {
    (0..600).map(|at| f64::from(at) * 12.0).map(|seconds| (seconds, value(seconds))).collect()
}

/// Noise in which each value remembers the one before.
fn remembering(chance: &mut SeededRandom, memory: f64, scatter: f64) -> impl FnMut() -> f64 + use<'_> {
    let mut last = 0.0;
    move || {
        last = last * memory + normal(chance) * scatter * (1.0 - memory * memory).sqrt();
        last
    }
}

#[test]
fn a_leak_is_found_whatever_lies_over_it() {
    let mut chance = SeededRandom::new(1);
    let found = (0..20).filter(|_| {
        // 15 MB an hour over 100 MB, with noise that remembers for a minute, and a sawtooth.
        let mut noise = remembering(&mut chance, 0.8, 2.0);
        let leak = two_hours(|at| 100.0 + at / 240.0 + noise() + at % 60.0 / 20.0);
        let told = trend(&leak, 4.0, 30);
        assert!(matches!(told.verdict, TrendVerdict::Grows | TrendVerdict::TooShort), "{told:?}");
        told.verdict == TrendVerdict::Grows
    });
    assert!(found.count() >= 19);
}

#[test]
fn noise_is_no_leak() {
    for memory in [0.0, 0.8, 0.98] {
        let mut chance = SeededRandom::new(2);
        // Twenty reports with ten series each.
        for attempt in 0..20 * 10 {
            let mut noise = remembering(&mut chance, memory, 20.0);
            let told = trend(&two_hours(|_| 100.0 + noise()), 4.0, 30);
            let quiet = matches!(told.verdict, TrendVerdict::Steady | TrendVerdict::TooShort);
            assert!(quiet, "attempt {attempt}, {memory}: {told:?}");
        }
    }
}

#[test]
fn what_warms_up_jumps_once_or_has_teeth_is_no_leak() {
    let mut chance = SeededRandom::new(3);
    for attempt in 0..20 {
        let mut noise = remembering(&mut chance, 0.5, 1.0);
        let warming = two_hours(|at| 150.0 - 80.0 * (-at / 900.0).exp() + noise());
        let jump = two_hours(|at| if at < 2000.0 { 80.0 } else { 130.0 } + noise());
        let teeth = two_hours(|at| 100.0 + at % 900.0 / 15.0 + noise());
        for (what, points) in [("warming", warming), ("jump", jump), ("teeth", teeth)] {
            assert_ne!(trend(&points, 4.0, 30).verdict, TrendVerdict::Grows, "attempt {attempt}: {what}");
        }
    }
}

#[test]
fn what_does_not_move_is_steady_and_what_was_hardly_seen_is_too_short() {
    let mut chance = SeededRandom::new(4);
    let mut noise = remembering(&mut chance, 0.5, 2.0);
    let steady = two_hours(|_| 100.0 + noise());
    let told = trend(&steady, 4.0, 30);
    assert_eq!(told.verdict, TrendVerdict::Steady, "{told:?}");
    assert!(told.bounds.0 < 0.0 && told.bounds.1 > 0.0 || told.per_hour.abs() < 1.0);
    assert_eq!(trend(&two_hours(|_| 5.0), 2.0, 30).verdict, TrendVerdict::Steady);
    assert_eq!(trend(&steady[..30], 4.0, 30).verdict, TrendVerdict::TooShort);
    assert_eq!(trend(&[], 4.0, 30).verdict, TrendVerdict::TooShort);
    assert_eq!(trend(&two_hours(|at| 200.0 - at / 72.0), 4.0, 30).verdict, TrendVerdict::Falls);
}

#[test]
fn the_bounds_hold_the_truth_about_as_often_as_they_say() {
    let mut chance = SeededRandom::new(5);
    for memory in [0.0, 0.9] {
        let held = (0..200).filter(|_| {
            let mut noise = remembering(&mut chance, memory, 3.0);
            let (low, high) = trend(&two_hours(|at| 50.0 + at / 720.0 + noise()), 4.0, 1).bounds;
            (low..=high).contains(&5.0)
        });
        let held = held.count();
        assert!((180..=200).contains(&held), "{memory}: {held} of 200");
    }
}
