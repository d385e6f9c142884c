//! Where a server has its knee: the number of users up to which each of them adds to what it does, and beyond which they only wait for
//! each other.
//!
//! What is found are the asymptotic bounds of a closed system: few users, and the throughput is theirs, each as quick as the quickest;
//! many, and it is the server's. The knee is where the two lines meet.

/// The least share of what added users should add to the throughput. Below it, the throughput has stopped growing.
const LEAST_GAIN: f64 = 0.1;
/// Times the quickest: then the time has broken away.
const MOST_SLOWER: f64 = 8.0;
const MOST_ERRORS: f64 = 0.01;
/// Before them nothing is judged.
const LEAST_STEPS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Step {
    pub(crate) users: f64,
    pub(crate) per_second: f64,
    pub(crate) time: f64,
    /// The share of all calls that failed.
    pub(crate) errors: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// More users bring no more.
    Full,
    /// More users bring more, but wait many times as long.
    Slow,
    Failing,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knee {
    pub(crate) users: f64,
    /// The most that there was, a second.
    pub(crate) most: f64,
    /// The throughput that each user adds below the knee.
    pub(crate) each: f64,
    pub(crate) end: End,
}

/// None while it isn't reached; steps are in the order of their users.
pub(crate) fn knee(steps: &[Step]) -> Option<Knee> {
    let last = steps.last()?;
    let before = steps.len().checked_sub(2).map(|at| steps[at]);
    let quickest = steps.iter().map(|step| step.time).fold(f64::MAX, f64::min);
    let gain =
        before.map(|before| (last.per_second / before.per_second - 1.0) / (last.users / before.users - 1.0));
    let enough = steps.len() >= LEAST_STEPS;
    let end = match () {
        () if last.errors > MOST_ERRORS => End::Failing,
        () if enough && gain.is_some_and(|gain| gain < LEAST_GAIN) => End::Full,
        () if enough && last.time > quickest * MOST_SLOWER => End::Slow,
        () => return None,
    };
    // Failed calls do not count as throughput, nor do calls so slow that nobody would wait for them.
    let bearable = if end == End::Slow { quickest * 2.0 } else { f64::MAX };
    let good = || steps.iter().filter(|step| step.errors <= MOST_ERRORS && step.time <= bearable);
    let most = good().map(|step| step.per_second).fold(0.0, f64::max);
    let each = good().map(|step| step.per_second / step.users).fold(0.0, f64::max);
    (each > 0.0).then(|| Knee { users: most / each, most, each, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server of so many equal workers, each done with a call in 10 ms.
    fn at(users: u32, workers: f64) -> Step {
        let per_second = f64::from(users).min(workers) * 100.0;
        Step { users: users.into(), per_second, time: f64::from(users) / per_second * 1000.0, errors: 0.0 }
    }

    fn stepped(of: impl Fn(u32) -> Step) -> (usize, Option<Knee>) {
        let mut steps = Vec::new();
        for power in 0..10 {
            steps.push(of(1 << power));
            if let Some(knee) = knee(&steps) {
                return (steps.len(), Some(knee));
            }
        }
        (steps.len(), None)
    }

    #[test]
    fn a_server_of_six_workers_has_its_knee_at_six_users() {
        let (steps, found) = stepped(|users| at(users, 6.0));
        assert_eq!(found, Some(Knee { users: 6.0, most: 600.0, each: 100.0, end: End::Full }));
        // 1, 2, 4, 8 users still bring more; 16 don't.
        assert_eq!(steps, 5);
    }

    #[test]
    fn a_server_that_is_never_full_has_none() {
        assert_eq!(stepped(|users| at(users, 1e6)), (10, None));
    }

    #[test]
    fn errors_and_times_that_break_away_end_it_too() {
        let failing = |users: u32| Step { errors: if users > 8 { 0.2 } else { 0.0 }, ..at(users, 1e6) };
        let (steps, found) = stepped(failing);
        assert_eq!((steps, found.map(|knee| (knee.end, knee.users))), (5, Some((End::Failing, 8.0))));
        // Each user beyond the fourth brings a quarter of what he should.
        let slow = |users: u32| {
            let users_f = f64::from(users);
            let per_second = users_f.min(4.0) * 100.0 + (users_f - 4.0).max(0.0) * 11.0;
            Step { per_second, time: users_f / per_second * 1000.0, ..at(users, 1.0) }
        };
        let found = stepped(slow).1.unwrap();
        assert!(found.end == End::Slow && (4.0..6.0).contains(&found.users), "{found:?}");
    }
}
