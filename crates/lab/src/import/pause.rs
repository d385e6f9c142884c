//! Translates JMeter's timers to pauses.

use super::names::Names;
use super::plan::Element;

/// The shortest and the longest pause, in seconds.
pub(super) fn read_pause(element: &Element<'_>, names: &mut Names) -> (f64, f64) {
    let delay = timer_millis(element, "ConstantTimer.delay", names);
    let range = timer_millis(element, "RandomTimer.range", names);
    match element.kind() {
        "ConstantTimer" => (delay / 1e3, delay / 1e3),
        "UniformRandomTimer" => (delay / 1e3, (delay + range) / 1e3),
        "GaussianRandomTimer" => ((delay - range).max(0.0) / 1e3, (delay + range) / 1e3),
        "ConstantThroughputTimer" => {
            let rate = element.text("throughput");
            let told =
                format!("{rate} a minute; write rate = ... in the experiment, in transactions a second");
            names.note(element.line, format!("ConstantThroughputTimer: {told}"));
            (0.0, 0.0)
        }
        kind => {
            names.note(element.line, format!("{kind}: the pause was not read"));
            (0.0, 0.0)
        }
    }
}

/// The milliseconds of a timer. JMeter reads a text that is no number as 0.
fn timer_millis(element: &Element<'_>, name: &str, names: &mut Names) -> f64 {
    let text = element.text(name);
    let number = names.parse_number(text);
    if number.is_none() && !text.trim().is_empty() {
        let told = format!("\"{text}\" is no number: JMeter reads it as 0, and so is it here");
        names.note(element.line, format!("{}: {told}", element.kind()));
    }
    number.unwrap_or(0.0).max(0.0)
}
