//! Thread groups: how many users do what, and how long.

use std::collections::BTreeSet;

use super::names::{Csv, Names};
use super::plan::Element;
use super::steps::{Around, FRAGMENT, Reading, nested};
use super::write::{Step, Transaction, quoted};

/// Of plans that don't say.
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
    let all: Vec<&Element<'_>> = plan.iter().flat_map(Element::all).collect();
    for element in &all {
        match element.kind() {
            "Arguments" | "TestPlan" => names.declare(element),
            _ => {}
        }
    }
    for element in all
        .iter()
        .filter(|element| element.kind() == "CSVDataSet" || element.kind() == "RandomCSVDataSetConfig")
    {
        csv(element, names);
    }
    let mut read = Read { transactions: Vec::new(), users: 0.0, ramp_up: 0.0, duration: 0.0, loops: None };
    let groups: Vec<&'d Element<'d>> = plan
        .iter()
        .flat_map(Element::all)
        .filter(|element| element.kind().ends_with("ThreadGroup"))
        .collect();
    let mut running = Vec::new();
    for element in groups {
        match element.kind() {
            "SetupThreadGroup" | "PostThreadGroup" => once(element, names),
            _ => running.push(element),
        }
    }
    if running.len() > 1 {
        names.note(
            running[1].line,
            "several thread groups: their transactions are drawn in proportion to their users",
        );
    }
    for element in running {
        let group = group(element, names);
        let transactions = transactions(element, plan, names, group.users.max(1.0));
        if transactions.is_empty() {
            names.note(
                element.line,
                format!("the thread group \"{}\" has no call that was read", element.name()),
            );
            continue;
        }
        read.transactions.extend(transactions);
        read.users += group.users;
        read.ramp_up = read.ramp_up.max(group.ramp_up);
        read.duration = read.duration.max(group.duration.unwrap_or(DURATION));
        read.loops = group.loops;
    }
    tell_apart(&mut read.transactions);
    read
}

/// What is done once before or after the load.
fn once(element: &Element<'_>, names: &mut Names) {
    let calls = element.all().into_iter().filter(|one| one.kind().starts_with("HTTPSampler"));
    if calls.into_iter().any(|call| !call.text("HTTPSampler.path").contains("/authn/login")) {
        let kind = element.kind();
        names.note(
            element.line,
            format!(
                "{kind} \"{}\": what is done once is left out; users log in by themselves",
                element.name()
            ),
        );
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
                names.note(
                    element.line,
                    "ArrivalsThreadGroup: its arrivals became users; write rate = ... in the experiment",
                );
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

/// Those that a throughput controller gives shares to; else the group's whole loop is one.
fn transactions<'d>(
    group: &'d Element<'d>,
    plan: &'d [Element<'d>],
    names: &mut Names,
    share: f64,
) -> Vec<Transaction> {
    let mut reading = Reading { names, plan, depth: 0 };
    // What stands above holds for everything below it.
    let mut around = Around::default();
    for top in plan {
        around = reading.around(&top.children, &around);
    }
    let mut level = group;
    let inner = loop {
        let inner: Vec<&'d Element<'d>> = level.children.iter().filter(|child| has_calls(child)).collect();
        let endless = inner.len() == 1 && is_endless(inner[0]);
        if !endless {
            break inner;
        }
        around = reading.around(&level.children, &around);
        level = inner[0];
    };
    if inner.len() > 1 && inner.iter().all(|child| is_drawn(child)) {
        around = reading.around(&level.children, &around);
        let drawn = inner.iter().map(|child| {
            let text = child.text("ThroughputController.percentThroughput");
            let percent = reading.names.number(text).unwrap_or(100.0 / inner.len() as f64);
            one(named(child), &child.children, &mut reading, &around, share * percent / 100.0)
        });
        return drawn.filter(|one| !one.steps.is_empty()).collect();
    }
    let controllers: Vec<&str> = inner
        .iter()
        .filter(|child| child.kind() == "TransactionController")
        .map(|child| child.name())
        .collect();
    let name = match controllers.as_slice() {
        [name] if inner.len() == 1 => (*name).to_owned(),
        [_, _, ..] => {
            let (all, name) = (controllers.join("\", \""), group.name());
            let told = format!("\"{all}\" follow one another: they are one transaction here, \"{name}\"");
            reading.names.note(group.line, told);
            name.to_owned()
        }
        _ => group.name().to_owned(),
    };
    let whole = one(name, &level.children, &mut reading, &around, share);
    if whole.steps.is_empty() { Vec::new() } else { vec![whole] }
}

fn one<'d>(
    name: String,
    elements: &'d [Element<'d>],
    reading: &mut Reading<'_, 'd>,
    around: &Around,
    share: f64,
) -> Transaction {
    let entered = reading.names.enter();
    let mut steps = nested(reading.list(elements, around));
    if steps.iter().all(|step| matches!(step, Step::Think(..))) {
        steps.clear();
    }
    reading.names.leave(entered);
    Transaction { name, share, steps }
}

/// Done in so many of a hundred loops.
fn is_drawn(element: &Element<'_>) -> bool {
    element.kind() == "ThroughputController" && element.text("ThroughputController.style") == "1"
}

/// Of a controller that only draws, the name of what it draws.
fn named(element: &Element<'_>) -> String {
    match element.children.iter().filter(|child| has_calls(child)).collect::<Vec<_>>().as_slice() {
        [one] if one.kind() == "TransactionController" => one.name().to_owned(),
        _ => element.name().to_owned(),
    }
}

fn has_calls(element: &Element<'_>) -> bool {
    element.kind() != FRAGMENT
        && element
            .all()
            .iter()
            .any(|one| one.kind().starts_with("HTTPSampler") || one.kind() == "ModuleController")
}

/// A controller that adds nothing to the group's own loop.
fn is_endless(element: &Element<'_>) -> bool {
    match element.kind() {
        "GenericController" => true,
        "LoopController" => {
            element.is("LoopController.continue_forever")
                || matches!(element.text("LoopController.loops"), "-1" | "1" | "")
        }
        _ => false,
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

fn csv(element: &Element<'_>, names: &mut Names) {
    let file = names.resolved(element.text("filename"));
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let columns: Vec<String> = names
        .resolved(element.text("variableNames"))
        .split(',')
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    if columns.is_empty() || file.is_empty() {
        names.note(
            element.line,
            format!(
                "CSVDataSet \"{}\": which columns its file has is only known from the file",
                element.name()
            ),
        );
        return;
    }
    let stem = file.split('.').next().unwrap_or_default().to_owned();
    let mut feeder = if stem.is_empty() { columns[0].clone() } else { stem };
    while names.csv.iter().any(|other| other.feeder == feeder) {
        feeder.push('2');
    }
    let delimiter = match element.text("delimiter") {
        "\\t" => '\t',
        text => text.chars().next().unwrap_or(','),
    };
    let (has_head, once) = (element.is("ignoreFirstLine"), element.text("recycle") == "false");
    names.csv.push(Csv {
        feeder,
        file,
        delimiter,
        columns,
        has_head,
        once,
        used: BTreeSet::new(),
        line: element.line,
    });
}

impl Csv {
    /// As the laboratory reads it: with commas, the names first.
    pub(super) fn with_head(&self, rows: &str) -> String {
        let mut text = self.columns.join(",");
        text.push('\n');
        for row in rows.lines().skip(usize::from(self.has_head)).filter(|row| !row.trim().is_empty()) {
            text.push_str(&row.replace(self.delimiter, ","));
            text.push('\n');
        }
        text
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
