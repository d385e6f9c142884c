//! Translates JMeter's thread groups: the number of users, their transactions and the duration.

use std::collections::BTreeSet;

use super::call::SamplerContext;
use super::data;
use super::names::Names;
use super::plan::{Element, FRAGMENT};
use super::scripted::script_text;
use super::steps::PlanReader;
use super::write::{Step, Transaction, collect_assigned_names, has_calls, quote_toml};

/// The duration of plans that name none, in seconds.
const DEFAULT_DURATION: f64 = 600.0;

pub(super) struct ReadGroups {
    pub(super) transactions: Vec<Transaction>,
    users: f64,
    ramp_up: f64,
    duration: f64,
    loops: Option<f64>,
}

struct ThreadGroup {
    users: f64,
    ramp_up: f64,
    duration: Option<f64>,
    loops: Option<f64>,
}

pub(super) fn read_groups<'d>(plan: &'d [Element<'d>], names: &mut Names) -> ReadGroups {
    let all: Vec<&'d Element<'d>> = plan.iter().flat_map(Element::with_descendants).collect();
    let of_kinds = |kinds: [&'static str; 2]| all.iter().filter(move |one| kinds.contains(&one.kind()));
    of_kinds(["Arguments", "TestPlan"]).for_each(|element| names.declare_variables(element));
    of_kinds(["CSVDataSet", "RandomCSVDataSetConfig"])
        .for_each(|element| data::read_data_set(element, names));
    let mut read =
        ReadGroups { transactions: Vec::new(), users: 0.0, ramp_up: 0.0, duration: 0.0, loops: None };
    let mut running = Vec::new();
    for element in all.iter().filter(|element| element.kind().ends_with("ThreadGroup")) {
        match element.kind() {
            "SetupThreadGroup" | "PostThreadGroup" => note_setup_group(element, plan, names),
            _ => running.push(*element),
        }
    }
    if let [_, second, ..] = running.as_slice() {
        let told = "several thread groups: their transactions are drawn in proportion to their users";
        names.note(second.line, told);
    }
    for element in running {
        let group = read_group(element, names);
        let transactions = read_transactions(element, plan, names, group.users.max(1.0));
        if transactions.is_empty() {
            let told = format!("the thread group \"{}\" has no call that was read", element.name());
            names.note(element.line, told);
            continue;
        }
        read.transactions.extend(transactions);
        read.users += group.users;
        read.ramp_up = read.ramp_up.max(group.ramp_up);
        read.duration = read.duration.max(group.duration.unwrap_or(DEFAULT_DURATION));
        read.loops = group.loops;
    }
    make_names_unique(&mut read.transactions);
    let mut all = BTreeSet::new();
    read.transactions.iter().for_each(|one| collect_assigned_names(&one.steps, &mut all));
    names.note_unset_variables(&all);
    read
}

/// Notes the calls and variables of a thread group that runs once before or after the load. Such groups are not imported.
fn note_setup_group<'d>(element: &'d Element<'d>, plan: &'d [Element<'d>], names: &mut Names) {
    if PlanReader::new(names, plan).has_call(element) {
        let told = "what is done once, before or after the load, is left out; users log in by themselves";
        names.note_missing_part(element, told);
    }
    for one in element.with_descendants() {
        for name in super::script::assigned_names(script_text(one)) {
            names.unread_sources.insert(name, (one.line, one.description()));
        }
    }
}

fn read_group(element: &Element<'_>, names: &mut Names) -> ThreadGroup {
    let mut of = |name: &str, default: f64| {
        let text = element.text(name);
        names.parse_number(text).or_else(|| (text.is_empty()).then_some(default)).unwrap_or_else(|| {
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
            ThreadGroup { users, ramp_up, duration: Some(ramp_up + hold), loops: None }
        }
        "UltimateThreadGroup" => {
            let rows = element.parts("ultimatethreadgroupdata");
            let rows: Vec<Vec<f64>> = rows
                .iter()
                .map(|row| row.values().iter().map(|text| names.parse_number(text).unwrap_or(0.0)).collect())
                .collect();
            if rows.len() > 1 {
                names.note(element.line, "UltimateThreadGroup: its rows became one: all users, the longest ramp-up, until the last has ended");
            }
            let most = |of: &dyn Fn(&Vec<f64>) -> f64| rows.iter().map(of).fold(0.0, f64::max);
            let cell = |row: &Vec<f64>, at: usize| row.get(at).copied().unwrap_or(0.0);
            ThreadGroup {
                users: rows.iter().map(|row| cell(row, 0)).sum::<f64>().max(1.0),
                ramp_up: most(&|row| cell(row, 1) + cell(row, 2)),
                duration: Some(most(&|row| cell(row, 1) + cell(row, 2) + cell(row, 3))),
                loops: None,
            }
        }
        _ => {
            let (users, ramp_up) = (of("ThreadGroup.num_threads", 1.0), of("ThreadGroup.ramp_time", 0.0));
            let duration = element
                .is_true("ThreadGroup.scheduler")
                .then(|| of("ThreadGroup.duration", DEFAULT_DURATION));
            let loops = element.parts("ThreadGroup.main_controller");
            let loops = loops
                .iter()
                .map(super::plan::Part::value)
                .find_map(|value| names.parse_number(value))
                .filter(|loops| *loops > 0.0);
            ThreadGroup { users, ramp_up, loops: if duration.is_some() { None } else { loops }, duration }
        }
    }
}

/// The transactions of a thread group. If its loop begins by choosing one of several branches, each branch is a transaction.
fn read_transactions<'d>(
    group: &'d Element<'d>,
    plan: &'d [Element<'d>],
    names: &mut Names,
    share: f64,
) -> Vec<Transaction> {
    let mut reading = PlanReader::new(names, plan);
    // Headers and timers that stand above the group hold for everything in it.
    let mut around = SamplerContext::default();
    for top in plan {
        around = around.with_elements(&top.children, reading.names);
    }
    let mut level = group;
    while let Some(inner) = inner_loop(level, &mut reading) {
        around = around.with_elements(&level.children, reading.names);
        level = inner;
    }
    let entered = reading.names.enter_scope();
    let steps = reading.read_steps(&level.children, &around);
    reading.names.leave_scope(entered);
    if let [Step::Choice(alternatives)] = steps.as_slice() {
        let drawn = alternatives.iter().filter(|one| has_calls(&one.steps)).cloned();
        return drawn.map(|one| Transaction { share: share * one.share / 100.0, ..one }).collect();
    }
    let name = transaction_name(group, level, &mut reading);
    if has_calls(&steps) { vec![Transaction { name, share, steps }] } else { Vec::new() }
}

/// The controller that contains the group's real loop: an endless loop (JMeter runs what precedes it once, and never what follows it), or a
/// controller that is the only element and adds nothing.
fn inner_loop<'d>(level: &'d Element<'d>, reading: &mut PlanReader<'_, 'd>) -> Option<&'d Element<'d>> {
    let inside: Vec<&'d Element<'d>> =
        level.children.iter().filter(|child| child.kind() != FRAGMENT && reading.has_call(child)).collect();
    let endless = inside.iter().position(|child| {
        let loops = reading.names.parse_number(child.text("LoopController.loops"));
        child.kind() == "LoopController" && loops.is_some_and(|loops| loops < 0.0)
    });
    if let Some(at) = endless {
        for before in &inside[..at] {
            let told = "what stands before the endless loop is left out; each user does it once";
            reading.names.note_missing_part(before, told);
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

fn transaction_name<'d>(
    group: &'d Element<'d>,
    level: &'d Element<'d>,
    reading: &mut PlanReader<'_, 'd>,
) -> String {
    let inside: Vec<&Element<'d>> =
        level.children.iter().filter(|child| child.kind() != FRAGMENT && reading.has_call(child)).collect();
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

/// Makes the names of transactions unique.
fn make_names_unique(transactions: &mut [Transaction]) {
    for at in 1..transactions.len() {
        let (before, rest) = transactions.split_at_mut(at);
        if before.iter().any(|other| other.name == rest[0].name) {
            rest[0].name = format!("{} ({})", rest[0].name, at + 1);
        }
    }
}

impl ReadGroups {
    pub(super) fn experiment_toml(&self, name: &str, about: &str) -> String {
        let users = self.users.round().max(1.0);
        let mut text = format!(
            "about = {}\nworkflow = {}\nduration = \"{} s\"\n",
            quote_toml(about),
            quote_toml(name),
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
