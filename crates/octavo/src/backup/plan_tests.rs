use super::*;

fn parse_moment(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn day(number: i64) -> Timestamp {
    parse_moment("2026-11-01T02:00:00Z") + SignedDuration::from_hours(24 * number)
}

/// A backup of day `number`. Its log begins in log file `10 * number`, and it needs the log up to the next file.
fn backup(number: u64, parent: Option<u64>) -> BackupSummary {
    let began = day(number.cast_signed());
    BackupSummary {
        name: format!("b{number}"),
        parent: parent.map(|parent| format!("b{parent}")),
        started: began,
        ended: began + SignedDuration::from_mins(10),
        from_lsn: Lsn(number * 10 * SEGMENT_BYTES + 40),
        to_lsn: Lsn((number * 10 + 1) * SEGMENT_BYTES + 80),
    }
}

fn log_segments(parts: &[std::ops::RangeInclusive<u64>]) -> LogSegments {
    parts.iter().cloned().flatten().map(|number| (number, false)).collect()
}

#[test]
fn places_and_files_of_the_log_have_postgresqls_names() {
    let place: Lsn = "16/B374D848".parse().unwrap();
    assert_eq!(place.to_string(), "16/B374D848");
    assert_eq!(segment_name(1, segment_of(place)), "0000000100000016000000B3");
    assert_eq!(parse_segment_name("0000000100000016000000B3"), Some((1, 0x16B3, false)));
    assert_eq!(parse_segment_name("0000000100000016000000B3.partial"), Some((1, 0x16B3, true)));
    for other in ["00000002.history", "0000000100000016000000B", "archive_status", "0000000100000016000000BX"]
    {
        assert_eq!(parse_segment_name(other), None, "{other}");
    }
    for wrong in ["", "0", "0/", "0/X", "1/2/3"] {
        assert!(wrong.parse::<Lsn>().is_err(), "{wrong}");
    }
}

#[test]
fn the_last_backup_before_the_moment_is_restored_with_the_log_behind_it() {
    let all = [backup(1, None), backup(2, None), backup(3, None)];
    let full = log_segments(&[10..=38]);
    let choice = |to: Option<Timestamp>| {
        choose(&all, &full, to).map(|choice| (choice.backup.name.as_str(), choice.log))
    };
    assert_eq!(choice(None), Ok(("b3", (30, 38))));
    // In the middle of the second day: the log up to the third backup's is enough.
    assert_eq!(choice(Some(day(2) + SignedDuration::from_hours(5))), Ok(("b2", (20, 31))));
    // While the second backup was being made.
    assert_eq!(choice(Some(day(2) + SignedDuration::from_mins(5))), Ok(("b1", (10, 21))));
    assert_eq!(choice(Some(day(1) + SignedDuration::from_mins(10))), Ok(("b1", (10, 21))));
    assert_eq!(choice(Some(day(1))), Err(CannotRestore::TooEarly(all[0].ended)));
    assert_eq!(choose(&[], &full, None), Err(CannotRestore::NoBackup));
}

#[test]
fn a_gap_in_the_log_is_seen() {
    let all = [backup(1, None), backup(2, None)];
    let gap = log_segments(&[10..=14, 17..=28]);
    let first = choose(&all, &gap, Some(day(1) + SignedDuration::from_hours(1))).unwrap();
    assert_eq!((first.log, first.reaches_archive_end), ((10, 14), false));
    assert!(choose(&all, &gap, None).unwrap().reaches_archive_end);
    let without = log_segments(&[10..=28]);
    let without: LogSegments = without.into_iter().filter(|(number, _)| *number != 21).collect();
    assert_eq!(
        choose(&all, &without, None),
        Err(CannotRestore::MissingSegment { backup: "b2".to_owned(), number: 21 })
    );
    assert!(
        CannotRestore::MissingSegment { backup: "b2".to_owned(), number: 21 }
            .message(1)
            .contains("000000010000000000000015")
    );
}

#[test]
fn every_moment_of_the_days_kept_can_be_restored() {
    let all: Vec<BackupSummary> = (1..=9).map(|number| backup(number, None)).collect();
    let now = day(9) + SignedDuration::from_hours(1);
    // Three days back is the sixth day, an hour after its backup.
    let gone = outdated(&all, 3, now);
    assert_eq!(gone.names, ["b1", "b2", "b3", "b4", "b5"]);
    assert_eq!(gone.log_before, Some(60));
    // A minute before the sixth backup ended, the fifth is needed.
    assert_eq!(outdated(&all, 3, day(9) + SignedDuration::from_mins(9)).log_before, Some(50));
    for (days, now) in [(0, now), (30, now), (3, day(2))] {
        assert_eq!(
            outdated(&all, days, now),
            Outdated { names: Vec::new(), log_before: None },
            "{days} {now}"
        );
    }
}

#[test]
fn what_an_incremental_backup_is_made_from_stays() {
    let all = [backup(1, None), backup(2, Some(1)), backup(3, Some(2)), backup(4, None), backup(5, Some(4))];
    let gone = |days, now| outdated(&all, days, now).names;
    assert_eq!(gone(2, day(5) + SignedDuration::from_hours(1)), [""; 0]);
    assert_eq!(gone(1, day(5) + SignedDuration::from_hours(1)), ["b1", "b2", "b3"]);
    let names: Vec<&str> = chain(&all, "b3").iter().map(|whole| whole.name.as_str()).collect();
    assert_eq!(names, ["b3", "b2", "b1"]);
    // The function also ends if a chain of backups refers to itself.
    assert_eq!(chain(&[backup(1, Some(2)), backup(2, Some(1))], "b1").len(), 2);
}

#[test]
fn a_backup_is_a_full_one_if_the_last_full_one_is_old_or_an_incremental_one_failed() {
    let all = [backup(1, None), backup(2, Some(1)), backup(3, Some(2))];
    for (days, failed, at, expected) in [
        (7, None, day(4), Some("b3")),
        (7, None, day(8), None),
        (0, None, day(400), Some("b3")),
        (0, Some("b3"), day(400), None),
        (7, Some("b3"), day(4), None),
        // Another backup has been made since the failure.
        (7, Some("b2"), day(4), Some("b3")),
    ] {
        let parent = incremental_parent(&all, days, failed, at);
        assert_eq!(parent.as_deref(), expected, "{days} {failed:?} {at}");
    }
    assert_eq!(incremental_parent(&[], 7, None, day(1)), None);
    // The full backup is gone.
    assert_eq!(incremental_parent(&all[1..], 7, None, day(4)), None);
}

#[test]
fn a_backup_is_due_at_the_times_of_day() {
    let times: Vec<Time> = ["02:00", "14:30"].iter().map(|time| time.parse().unwrap()).collect();
    let due = |last: &str, now: &str| {
        due_since(&times, Some(parse_moment(last)), parse_moment("2026-01-01T00:00:00Z"), parse_moment(now))
    };
    for (last, now, expected) in [
        ("2026-11-28T02:00:03Z", "2026-11-28T14:29:59Z", None),
        ("2026-11-28T02:00:03Z", "2026-11-28T14:30:00Z", Some("2026-11-28T14:30:00Z")),
        ("2026-11-28T02:00:03Z", "2026-11-29T09:00:00Z", Some("2026-11-28T14:30:00Z")),
        ("2026-11-28T14:30:03Z", "2026-11-29T01:59:00Z", None),
        ("2026-11-20T02:00:00Z", "2026-11-29T01:59:00Z", Some("2026-11-22T02:00:00Z")),
        // The clock was wrong.
        ("2027-11-20T02:00:00Z", "2026-11-29T01:59:00Z", Some("2026-01-01T00:00:00Z")),
    ] {
        assert_eq!(due(last, now), expected.map(parse_moment), "{last} {now}");
    }
    let running = parse_moment("2026-11-28T09:00:00Z");
    assert_eq!(due_since(&times, None, running, parse_moment("2026-11-28T09:00:05Z")), Some(running));
}
