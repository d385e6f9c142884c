//! Which files of a crate a file imports, read from its text: `use` statements, also those that show something again under
//! another path, and paths that are written out. Text in quotation marks that looks like a path counts as one.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::Tree;

/// The path of a module within its crate; that of the crate itself is empty.
pub(super) type Name = Vec<String>;

pub(super) struct Module<'a> {
    pub(super) path: &'a str,
    /// What the file re-exports, by the name under which it does.
    reexports: BTreeMap<String, Name>,
    imports: Vec<Name>,
    /// The text without comments, tests and `use` statements.
    body: String,
}

/// The modules of the crate in a folder, without those of tests.
pub(super) fn modules<'a>(tree: &'a Tree, folder: &str) -> BTreeMap<Name, Module<'a>> {
    let source = format!("{folder}/src/");
    let files = tree.files_with_ending("rs").filter_map(|(path, text)| {
        let name = module_name(path.strip_prefix(source.as_str())?);
        (!name.iter().any(|part| part.ends_with("tests"))).then_some((name, path, text))
    });
    let files: Vec<(Name, &str, &str)> = files.collect();
    let names: BTreeSet<&Name> = files.iter().map(|(name, ..)| name).collect();
    files.iter().map(|(name, path, text)| (name.clone(), read_module(&names, name, path, text))).collect()
}

fn module_name(path: &str) -> Name {
    let parts = path.trim_end_matches(".rs").split('/').map(str::to_owned);
    let mut name: Name = parts.collect();
    name.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    name
}

fn read_module<'a>(names: &BTreeSet<&Name>, own: &Name, path: &'a str, text: &str) -> Module<'a> {
    let mut module = Module { path, reexports: BTreeMap::new(), imports: Vec::new(), body: String::new() };
    let mut statement: Option<String> = None;
    let mut for_tests = false;
    for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
        let begin = line.trim_start();
        if let Some(more) = &mut statement {
            more.push_str(line);
        } else if begin.starts_with("#[cfg(test)]") {
            for_tests = true;
            continue;
        } else if for_tests && begin.starts_with("mod ") && begin.contains('{') {
            break;
        } else if begin.starts_with("use ") || (begin.starts_with("pub") && begin.contains("use ")) {
            statement = Some(begin.to_owned());
        } else {
            module.body.push_str(line);
            module.body.push('\n');
        }
        if let Some(whole) = statement.take_if(|statement| statement.contains(';'))
            && !for_tests
        {
            let (before, paths) = whole.split_once("use ").unwrap_or_default();
            let mut leaves = Vec::new();
            expand_use(paths.trim_end().trim_end_matches(';'), &[], &mut leaves);
            for leaf in leaves.into_iter().filter_map(|leaf| to_absolute(names, own, &leaf)) {
                if let (true, Some(last)) = (before.starts_with("pub"), leaf.last()) {
                    module.reexports.insert(last.clone(), leaf.clone());
                }
                module.imports.push(leaf);
            }
        }
        for_tests = false;
    }
    let paths = written_paths(&module.body);
    module.imports.extend(paths.iter().filter_map(|path| to_absolute(names, own, path)));
    module
}

/// The paths of a `use` tree: `a::{b, c::d as e}` is `a::b` and `a::c::d`.
fn expand_use(tree: &str, before: &[String], into: &mut Vec<Name>) {
    let tree = tree.trim();
    let (path, list) = tree.split_once('{').map_or((tree, None), |(path, list)| (path, Some(list)));
    let path = path.split(" as ").next().unwrap_or_default();
    let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
    let path: Name = before.iter().cloned().chain(parts.map(str::to_owned)).collect();
    let Some(list) = list else { return into.extend((!path.is_empty()).then_some(path)) };
    let (mut depth, mut from) = (0, 0);
    for (at, sign) in list.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                expand_use(&list[from..at], &path, into);
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// Paths that are written out in a text.
fn written_paths(text: &str) -> Vec<Name> {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == ':';
    let words = text.split(|sign| !is_part(sign)).filter(|word| word.contains("::"));
    let parts = |word: &str| word.split("::").map(str::to_owned).filter(|part| !part.is_empty()).collect();
    words.map(parts).collect()
}

/// A path from the crate on, if it begins in the crate.
fn to_absolute(names: &BTreeSet<&Name>, own: &Name, path: &Name) -> Option<Name> {
    let (first, rest) = path.split_first()?;
    let from = |above: usize, rest: &[String]| Some([&own[..own.len().checked_sub(above)?], rest].concat());
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" if !rest.is_empty() => from(0, rest),
        "super" => {
            let above = path.iter().take_while(|part| *part == "super").count();
            from(above, &path[above..])
        }
        _ => from(0, path).filter(|whole| names.contains(&whole[..=own.len()].to_vec())),
    }
}

/// The modules that a module imports something of.
pub(super) fn imported_modules(
    modules: &BTreeMap<Name, Module>,
    own: &Name,
    module: &Module,
) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    for path in &module.imports {
        let path =
            if path.last().is_some_and(|last| last == "self") { &path[..path.len() - 1] } else { path };
        let (to, item) = resolve_path(modules, path.to_vec());
        if item || to == *own {
            found.insert(to);
            continue;
        }
        // A whole module is imported: what counts is which of its items are used.
        let name = path.last().cloned().unwrap_or_default();
        let taken = written_paths(&module.body).into_iter().filter(|taken| taken[0] == name);
        found.extend(taken.map(|taken| resolve_path(modules, [&to[..], &taken[1..]].concat()).0));
    }
    found
}

/// The module that a path leads to, through re-exports of other modules, and whether the path names an item in that module.
fn resolve_path(modules: &BTreeMap<Name, Module>, mut path: Name) -> (Name, bool) {
    for _ in 0..16 {
        let length = (0..=path.len()).rev().find(|length| modules.contains_key(&path[..*length]));
        let length = length.unwrap_or_default();
        let shown = path.get(length).and_then(|item| modules.get(&path[..length])?.reexports.get(item));
        match shown {
            Some(to) => path = [to, &path[length + 1..]].concat(),
            None => return (path[..length].to_vec(), length < path.len()),
        }
    }
    (path, true)
}
