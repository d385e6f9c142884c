//! Normal hours cut at midnight: what is open on each day of the week.

use jiff::civil::{Time, Weekday};

use crate::NormalHours;
use crate::day::LAST_MINUTE;

/// A part of normal hours that lies within one day.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub(crate) start: Time,
    pub(crate) end: Time,
    /// Which of the normal hours it is a part of.
    pub(crate) normal_hours_index: usize,
}

/// By day, Monday first; the slices of a day are in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Week([Vec<Slice>; 7]);

impl Week {
    pub(crate) fn from_normal_hours(hours: &[NormalHours]) -> Week {
        let mut week = Week::default();
        for (of, hours) in hours.iter().enumerate() {
            week.add(of, hours);
        }
        for day in &mut week.0 {
            day.sort_by_key(|slice| (slice.start, slice.end));
        }
        week
    }

    fn add(&mut self, of: usize, hours: &NormalHours) {
        let (start, end) = (hours.start_time, hours.end_time);
        let mut put = |day: Weekday, start: Time, end: Time| {
            self.0[index(day)].push(Slice { start, end, normal_hours_index: of });
        };
        if hours.start_day == hours.end_day && start <= end {
            put(hours.start_day, start, end);
            return;
        }
        // On the day after the first, and so on round the week.
        put(hours.start_day, start, LAST_MINUTE);
        let mut day = hours.start_day.next();
        while day != hours.end_day {
            put(day, Time::midnight(), LAST_MINUTE);
            day = day.next();
        }
        put(day, Time::midnight(), end);
    }

    pub(crate) fn slices_on(&self, day: Weekday) -> &[Slice] {
        &self.0[index(day)]
    }

    pub(crate) fn slices_by_day(&self) -> impl Iterator<Item = &[Slice]> {
        self.0.iter().map(Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

fn index(day: Weekday) -> usize {
    usize::from(day.to_monday_zero_offset().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use jiff::civil::time;

    use super::*;

    const M: Time = Time::constant(0, 0, 0, 0);

    /// The slices, day by day: Mon, Tue, ...
    fn slices(start_day: Weekday, from: Time, end_day: Weekday, to: Time) -> Vec<Vec<(Time, Time)>> {
        let hours = NormalHours { start_day, start_time: from, end_day, end_time: to };
        let week = Week::from_normal_hours(&[hours]);
        week.slices_by_day().map(|day| day.iter().map(|slice| (slice.start, slice.end)).collect()).collect()
    }

    #[test]
    fn hours_are_cut_at_midnight() {
        use Weekday::{Friday, Monday, Sunday, Tuesday};
        let (nine, six, full) = (time(9, 0, 0, 0), time(18, 0, 0, 0), (M, LAST_MINUTE));
        let closed = Vec::new;
        let one_day = slices(Tuesday, nine, Tuesday, six);
        let expected =
            [closed(), vec![(nine, six)], closed(), closed(), closed(), closed(), closed()].to_vec();
        assert_eq!(one_day, expected);
        let one_minute = slices(Tuesday, nine, Tuesday, nine);
        assert_eq!(one_minute[1], [(nine, nine)]);
        let round_the_end_of_the_week = slices(Friday, nine, Monday, six);
        let expected =
            [vec![(M, six)], closed(), closed(), closed(), vec![(nine, LAST_MINUTE)], vec![full], vec![full]];
        assert_eq!(round_the_end_of_the_week, expected.to_vec());
        let all_week = slices(Sunday, six, Sunday, nine);
        let mut expected = vec![vec![full]; 6];
        expected.push(vec![(M, nine), (six, LAST_MINUTE)]);
        assert_eq!(all_week, expected);
    }
}
