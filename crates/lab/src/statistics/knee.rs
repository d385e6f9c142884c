//! Finds the knee of a server: the number of users up to which each user adds to the throughput, and beyond which they only wait for each
//! other.
//!
//! The method uses the asymptotic bounds of a closed system. With few users the throughput grows with their number, at the quickest
//! measured time; with many users it is the server's maximum. The knee is where these two lines meet.

/// The least share of what added users should add to the throughput. Below it, the throughput has stopped growing.
const LEAST_GAIN: f64 = 0.1;
/// A time that is so many times the quickest ends the search.
const MOST_SLOWDOWN: f64 = 8.0;
const MOST_ERRORS: f64 = 0.01;
/// The least number of steps before the search may end.
const LEAST_STEPS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LoadStep {
    pub(crate) users: f64,
    pub(crate) per_second: f64,
    pub(crate) time: f64,
    /// The share of all calls that failed.
    pub(crate) errors: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KneeEnd {
    /// The throughput stopped growing.
    Full,
    /// The throughput still grows, but the times are many times as long.
    Slow,
    Failing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knee {
    pub(crate) users: f64,
    /// The highest throughput, in transactions a second.
    pub(crate) most_per_second: f64,
    /// The throughput that each user adds below the knee.
    pub(crate) per_second_per_user: f64,
    pub(crate) end: KneeEnd,
}

/// Finds the knee; None if it is not reached yet. The steps are ordered by their number of users.
pub(crate) fn find_knee(steps: &[LoadStep]) -> Option<Knee> {
    let last = steps.last()?;
    let before = steps.len().checked_sub(2).map(|at| steps[at]);
    let quickest = steps.iter().map(|step| step.time).fold(f64::MAX, f64::min);
    let gain =
        before.map(|before| (last.per_second / before.per_second - 1.0) / (last.users / before.users - 1.0));
    let enough = steps.len() >= LEAST_STEPS;
    let end = match () {
        () if last.errors > MOST_ERRORS => KneeEnd::Failing,
        () if enough && gain.is_some_and(|gain| gain < LEAST_GAIN) => KneeEnd::Full,
        () if enough && last.time > quickest * MOST_SLOWDOWN => KneeEnd::Slow,
        () => return None,
    };
    // Failed calls do not count as throughput, nor do calls so slow that nobody would wait for them.
    let bearable = if end == KneeEnd::Slow { quickest * 2.0 } else { f64::MAX };
    let good = || steps.iter().filter(|step| step.errors <= MOST_ERRORS && step.time <= bearable);
    let most = good().map(|step| step.per_second).fold(0.0, f64::max);
    let each = good().map(|step| step.per_second / step.users).fold(0.0, f64::max);
    (each > 0.0).then(|| Knee { users: most / each, most_per_second: most, per_second_per_user: each, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server of so many equal workers, each done with a call in 10 ms.
    fn load_step(users: u32, workers: f64) -> LoadStep {
        let per_second = f64::from(users).min(workers) * 100.0;
        LoadStep {
            users: users.into(),
            per_second,
            time: f64::from(users) / per_second * 1000.0,
            errors: 0.0,
        }
    }

    fn stepped(of: impl Fn(u32) -> LoadStep) -> (usize, Option<Knee>) {
        let mut steps = Vec::new();
        for power in 0..10 {
            steps.push(of(1 << power));
            if let Some(knee) = find_knee(&steps) {
                return (steps.len(), Some(knee));
            }
        }
        (steps.len(), None)
    }

    #[test]
    fn a_server_of_six_workers_has_its_knee_at_six_users() {
        let (steps, found) = stepped(|users| load_step(users, 6.0));
        assert_eq!(
            found,
            Some(Knee { users: 6.0, most_per_second: 600.0, per_second_per_user: 100.0, end: KneeEnd::Full })
        );
        // 1, 2, 4, 8 users still bring more; 16 don't.
        assert_eq!(steps, 5);
    }

    #[test]
    fn a_server_that_is_never_full_has_none() {
        assert_eq!(stepped(|users| load_step(users, 1e6)), (10, None));
    }

    #[test]
    fn errors_and_times_that_break_away_end_it_too() {
        let failing =
            |users: u32| LoadStep { errors: if users > 8 { 0.2 } else { 0.0 }, ..load_step(users, 1e6) };
        let (steps, found) = stepped(failing);
        assert_eq!((steps, found.map(|knee| (knee.end, knee.users))), (5, Some((KneeEnd::Failing, 8.0))));
        // Each user beyond the fourth brings a quarter of what he should.
        let slow = |users: u32| {
            let users_f = f64::from(users);
            let per_second = users_f.min(4.0) * 100.0 + (users_f - 4.0).max(0.0) * 11.0;
            LoadStep { per_second, time: users_f / per_second * 1000.0, ..load_step(users, 1.0) }
        };
        let found = stepped(slow).1.unwrap();
        assert!(found.end == KneeEnd::Slow && (4.0..6.0).contains(&found.users), "{found:?}");
    }
}
