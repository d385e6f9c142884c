//! Timers as pauses.

use super::names::Names;
use super::plan::Element;

/// The shortest and the longest pause, in seconds.
pub(super) fn read(element: &Element<'_>, names: &mut Names) -> (f64, f64) {
    let delay = millis(element, "ConstantTimer.delay", names);
    let range = millis(element, "RandomTimer.range", names);
    match element.kind() {
        "ConstantTimer" => (delay / 1e3, delay / 1e3),
        "UniformRandomTimer" => (delay / 1e3, (delay + range) / 1e3),
        "GaussianRandomTimer" => ((delay - range).max(0.0) / 1e3, (delay + range) / 1e3),
        "ConstantThroughputTimer" => {
            let rate = element.text("throughput");
            names.note(
                element.line,
                format!("ConstantThroughputTimer: {rate} a minute; write rate = ... in the experiment, in transactions a second"),
            );
            (0.0, 0.0)
        }
        kind => {
            names.note(element.line, format!("{kind}: the pause was not read"));
            (0.0, 0.0)
        }
    }
}

/// What is no number is 0 to JMeter.
fn millis(element: &Element<'_>, name: &str, names: &mut Names) -> f64 {
    let text = element.text(name);
    let number = names.number(text);
    if number.is_none() && !text.trim().is_empty() {
        names.note(
            element.line,
            format!("{}: \"{text}\" is no number: JMeter reads it as 0, and so is it here", element.kind()),
        );
    }
    number.unwrap_or(0.0).max(0.0)
}
