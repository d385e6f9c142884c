use super::*;

fn moment_of(count: u64, average: f64) -> Moment {
    Moment { count, errors: 0, average: Some(average), p95: Some(average * 2.0) }
}

/// A stretch of an hour that began so many hours after midnight, with calls of so many milliseconds and so much memory at its end.
fn stretch(hour: u32, average: f64, memory: f64) -> Results {
    let call = Summary {
        name: "GET /items".to_owned(),
        count: 100,
        average,
        min: average / 2.0,
        max: average * 3.0,
        p95: average * 2.0,
        line: vec![moment_of(50, average), moment_of(50, average)],
        spread: vec![(1.0, 40), (2.0, 60)],
        ..Summary::default()
    };
    let series = Series {
        source: "process".to_owned(),
        subject: "octavo".to_owned(),
        measure: "memory".to_owned(),
        unit: "MB".to_owned(),
        points: vec![(0.0, memory - 1.0), (3600.0, memory)],
    };
    let run = Run {
        test: "30 users".to_owned(),
        users: 30,
        planned_seconds: 3600.0,
        seconds: 3600.0,
        step: 1800.0,
        calls: vec![call],
        series: vec![series],
        server_requests: Some(100),
        ..Run::default()
    };
    Results {
        experiment: "longevity".to_owned(),
        started: format!("2026-11-28T{hour:02}:00:00Z"),
        server_started: Some(1_000.0),
        runs: vec![run],
        ..Results::default()
    }
}

#[test]
fn stretches_stand_on_one_axis_of_time() {
    // In any order; between the second and the third an hour passes.
    let whole =
        join_results(vec![stretch(3, 4.0, 103.0), stretch(0, 1.0, 100.0), stretch(1, 1.0, 101.0)]).unwrap();
    let run = &whole.runs[0];
    assert_eq!((run.seconds, run.planned_seconds, run.step), (4.0 * 3600.0, 3.0 * 3600.0, 1800.0));
    let call = &run.calls[0];
    assert_eq!((call.count, call.average, call.min, call.max, call.p95), (300, 2.0, 0.5, 12.0, 4.0));
    let counts: Vec<u64> = call.line.iter().map(|moment| moment.count).collect();
    assert_eq!(counts, [50, 50, 50, 50, 0, 0, 50, 50]);
    assert_eq!(call.line[4].average, None);
    assert_eq!(call.spread, [(1.0, 120), (2.0, 180)]);
    let points = &run.series[0].points;
    assert_eq!(points.len(), 6);
    assert_eq!((points[2], points[5]), ((3600.0, 100.0), (4.0 * 3600.0, 103.0)));
    assert_eq!(run.server_requests, Some(300));
    assert!(run.notes[0].contains("3.0 hours of load in 4.0 hours"), "{:?}", run.notes);
}

#[test]
fn only_stretches_of_the_same_server_process_are_joined() {
    type Change = fn(&mut Results);
    let cases: [(Change, &str); 5] = [
        (|other| other.experiment = "renewals".to_owned(), "the same experiment"),
        (|other| other.version = "2".to_owned(), "the same version"),
        (|other| other.server_started = Some(2_000.0), "the same start of the server"),
        (|other| other.runs[0].users = 8, "no test"),
        (|other| other.started = "2026-11-28T00:30:00Z".to_owned(), "at the same time"),
    ];
    for (change, said) in cases {
        let mut other = stretch(1, 1.0, 100.0);
        change(&mut other);
        let refused = join_results(vec![stretch(0, 1.0, 100.0), other]).unwrap_err();
        assert!(format!("{refused:#}").contains(said), "{refused:#}");
    }
}
