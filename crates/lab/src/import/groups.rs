//! Thread groups: how many users do what, and how long.

use std::collections::BTreeSet;

use super::call::Around;
use super::data;
use super::names::Names;
use super::plan::{Element, FRAGMENT};
use super::scripted::script_of;
use super::steps::Reading;
use super::write::{Step, Transaction, calls, given, quoted};

/// The duration of plans that name none, in seconds.
const DURATION: f64 = 600.0;

pub(super) struct Read {
    pub(super) transactions: Vec<Transaction>,
    users: f64,
    ramp_up: f64,
    duration: f64,
    loops: Option<f64>,
}

struct Group {
    users: f64,
    ramp_up: f64,
    duration: Option<f64>,
    loops: Option<f64>,
}

pub(super) fn read<'d>(plan: &'d [Element<'d>], names: &mut Names) -> Read {
    let all: Vec<&'d Element<'d>> = plan.iter().flat_map(Element::all).collect();
    let of_kinds = |kinds: [&'static str; 2]| all.iter().filter(move |one| kinds.contains(&one.kind()));
    of_kinds(["Arguments", "TestPlan"]).for_each(|element| names.declare(element));
    of_kinds(["CSVDataSet", "RandomCSVDataSetConfig"]).for_each(|element| data::read(element, names));
    let mut read = Read { transactions: Vec::new(), users: 0.0, ramp_up: 0.0, duration: 0.0, loops: None };
    let mut running = Vec::new();
    for element in all.iter().filter(|element| element.kind().ends_with("ThreadGroup")) {
        match element.kind() {
            "SetupThreadGroup" | "PostThreadGroup" => once(element, plan, names),
            _ => running.push(*element),
        }
    }
    if let [_, second, ..] = running.as_slice() {
        let told = "several thread groups: their transactions are drawn in proportion to their users";
        names.note(second.line, told);
    }
    for element in running {
        let group = group(element, names);
        let transactions = transactions(element, plan, names, group.users.max(1.0));
        if transactions.is_empty() {
            let told = format!("the thread group \"{}\" has no call that was read", element.name());
            names.note(element.line, told);
            continue;
        }
        read.transactions.extend(transactions);
        read.users += group.users;
        read.ramp_up = read.ramp_up.max(group.ramp_up);
        read.duration = read.duration.max(group.duration.unwrap_or(DURATION));
        read.loops = group.loops;
    }
    tell_apart(&mut read.transactions);
    let mut all = BTreeSet::new();
    read.transactions.iter().for_each(|one| given(&one.steps, &mut all));
    names.settle(&all);
    read
}

/// Tells what a thread group that is done once, before or after the load, would do or give.
fn once<'d>(element: &'d Element<'d>, plan: &'d [Element<'d>], names: &mut Names) {
    if Reading::new(names, plan).sends(element) {
        let told = "what is done once, before or after the load, is left out; users log in by themselves";
        names.lack_of(element, told);
    }
    for one in element.all() {
        for name in super::script::given(script_of(one)) {
            names.unread.insert(name, (one.line, one.called()));
        }
    }
}

fn group(element: &Element<'_>, names: &mut Names) -> Group {
    let mut of = |name: &str, default: f64| {
        let text = element.text(name);
        names.number(text).or_else(|| (text.is_empty()).then_some(default)).unwrap_or_else(|| {
            names.note(element.line, format!("{name} is {text}: {default} is written instead"));
            default
        })
    };
    match element.kind() {
        "ConcurrencyThreadGroup" | "ArrivalsThreadGroup" => {
            let seconds = if element.text("Unit") == "S" { 1.0 } else { 60.0 };
            let (users, ramp_up, hold) =
                (of("TargetLevel", 1.0), of("RampUp", 0.0) * seconds, of("Hold", 1.0) * seconds);
            if element.kind() == "ArrivalsThreadGroup" {
                let told = "its arrivals became users; write rate = ... in the experiment";
                names.note(element.line, format!("ArrivalsThreadGroup: {told}"));
            }
            Group { users, ramp_up, duration: Some(ramp_up + hold), loops: None }
        }
        "UltimateThreadGroup" => {
            let rows = element.parts("ultimatethreadgroupdata");
            let rows: Vec<Vec<f64>> = rows
                .iter()
                .map(|row| row.values().iter().map(|text| names.number(text).unwrap_or(0.0)).collect())
                .collect();
            if rows.len() > 1 {
                names.note(element.line, "UltimateThreadGroup: its rows became one: all users, the longest ramp-up, until the last has ended");
            }
            let most = |of: &dyn Fn(&Vec<f64>) -> f64| rows.iter().map(of).fold(0.0, f64::max);
            let cell = |row: &Vec<f64>, at: usize| row.get(at).copied().unwrap_or(0.0);
            Group {
                users: rows.iter().map(|row| cell(row, 0)).sum::<f64>().max(1.0),
                ramp_up: most(&|row| cell(row, 1) + cell(row, 2)),
                duration: Some(most(&|row| cell(row, 1) + cell(row, 2) + cell(row, 3))),
                loops: None,
            }
        }
        _ => {
            let (users, ramp_up) = (of("ThreadGroup.num_threads", 1.0), of("ThreadGroup.ramp_time", 0.0));
            let duration = element.is("ThreadGroup.scheduler").then(|| of("ThreadGroup.duration", DURATION));
            let loops = element.parts("ThreadGroup.main_controller");
            let loops = loops
                .iter()
                .map(super::plan::Part::value)
                .find_map(|value| names.number(value))
                .filter(|loops| *loops > 0.0);
            Group { users, ramp_up, loops: if duration.is_some() { None } else { loops }, duration }
        }
    }
}

/// A group's loop; where it begins by drawing one of several branches, each of these is a transaction.
fn transactions<'d>(
    group: &'d Element<'d>,
    plan: &'d [Element<'d>],
    names: &mut Names,
    share: f64,
) -> Vec<Transaction> {
    let mut reading = Reading::new(names, plan);
    // Headers and timers that stand above the group hold for everything in it.
    let mut around = Around::default();
    for top in plan {
        around = around.with(&top.children, reading.names);
    }
    let mut level = group;
    while let Some(inner) = inner_loop(level, &mut reading) {
        around = around.with(&level.children, reading.names);
        level = inner;
    }
    let entered = reading.names.enter();
    let steps = reading.list(&level.children, &around);
    reading.names.leave(entered);
    if let [Step::Choice(alternatives)] = steps.as_slice() {
        let drawn = alternatives.iter().filter(|one| calls(&one.steps)).cloned();
        return drawn.map(|one| Transaction { share: share * one.share / 100.0, ..one }).collect();
    }
    let name = name(group, level, &mut reading);
    if calls(&steps) { vec![Transaction { name, share, steps }] } else { Vec::new() }
}

/// A controller that is the group's own loop: JMeter does what stands before an endless one once, and never comes to what
/// follows it; or one that stands alone and adds nothing.
fn inner_loop<'d>(level: &'d Element<'d>, reading: &mut Reading<'_, 'd>) -> Option<&'d Element<'d>> {
    let inside: Vec<&'d Element<'d>> =
        level.children.iter().filter(|child| child.kind() != FRAGMENT && reading.sends(child)).collect();
    let endless = inside.iter().position(|child| {
        let loops = reading.names.number(child.text("LoopController.loops"));
        child.kind() == "LoopController" && loops.is_some_and(|loops| loops < 0.0)
    });
    if let Some(at) = endless {
        for before in &inside[..at] {
            let told = "what stands before the endless loop is left out; each user does it once";
            reading.names.lack_of(before, told);
        }
        return Some(inside[at]);
    }
    match inside.as_slice() {
        [one] if one.kind() == "GenericController" => {
            let scripts = level.children.iter().any(|child| child.kind().ends_with("Sampler"));
            (!scripts).then_some(*one)
        }
        _ => None,
    }
}

fn name<'d>(group: &'d Element<'d>, level: &'d Element<'d>, reading: &mut Reading<'_, 'd>) -> String {
    let inside: Vec<&Element<'d>> =
        level.children.iter().filter(|child| child.kind() != FRAGMENT && reading.sends(child)).collect();
    let controllers = inside.iter().filter(|child| child.kind() == "TransactionController");
    let controllers: Vec<&str> = controllers.map(|child| child.name()).collect();
    match controllers.as_slice() {
        [name] if inside.len() == 1 => (*name).to_owned(),
        [_, _, ..] => {
            let (all, name) = (controllers.join("\", \""), group.name());
            let told = format!("\"{all}\" follow one another: they are one transaction here, \"{name}\"");
            reading.names.note(group.line, told);
            name.to_owned()
        }
        _ => group.name().to_owned(),
    }
}

/// No two of one name.
fn tell_apart(transactions: &mut [Transaction]) {
    for at in 1..transactions.len() {
        let (before, rest) = transactions.split_at_mut(at);
        if before.iter().any(|other| other.name == rest[0].name) {
            rest[0].name = format!("{} ({})", rest[0].name, at + 1);
        }
    }
}

impl Read {
    pub(super) fn experiment(&self, name: &str, about: &str) -> String {
        let users = self.users.round().max(1.0);
        let mut text = format!(
            "about = {}\nworkflow = {}\nduration = \"{} s\"\n",
            quoted(about),
            quoted(name),
            self.duration
        );
        text.push_str(&format!("\n[[test]]\nname = \"{users} users\"\nusers = {users}\n"));
        if self.ramp_up > 0.0 {
            text.push_str(&format!("ramp-up = \"{} s\"\n", self.ramp_up));
        }
        if let Some(loops) = self.loops {
            text.push_str(&format!("loops = {loops}\n"));
        }
        text
    }
}
