//! Splits the fixed fields 006, 007 and 008 into items at positions, by kind of material. Pure; the positions are data files.

use std::collections::HashMap;
use std::sync::LazyLock;

use octavo_marc::Kind;
use serde_json::{Map, Value, json};

use super::refused::{EditorRefusal, illegal_length};

/// The character that the editor shows for a blank.
pub(super) const BLANK: char = '\\';

#[derive(Debug)]
struct Item {
    name: &'static str,
    position: usize,
    length: usize,
    /// The editor gets the text as a list of characters.
    list: bool,
}

#[derive(Debug)]
struct Category {
    code: char,
    name: &'static str,
    length: usize,
}

struct Tables {
    items: HashMap<&'static str, Vec<Item>>,
    categories: Vec<Category>,
    materials: HashMap<char, &'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut items: HashMap<&'static str, Vec<Item>> = HashMap::new();
    for line in include_str!("fixed_items.tsv").lines().skip(1) {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let number = |at: usize| columns.get(at).and_then(|text| text.parse().ok()).unwrap_or(0);
        let item =
            Item { name: columns[1], position: number(2), length: number(3), list: columns.get(4).is_some() };
        items.entry(columns[0]).or_default().push(item);
    }
    let first = |text: &str| text.chars().next().unwrap_or(' ');
    let categories = include_str!("fixed_categories.tsv").lines().skip(1).filter_map(|line| {
        let mut columns = line.split('\t');
        let (code, name, length) = (columns.next()?, columns.next()?, columns.next()?);
        Some(Category { code: first(code), name, length: length.parse().ok()? })
    });
    let materials = include_str!("fixed_materials.tsv").lines().skip(1);
    let materials =
        materials.filter_map(|line| line.split_once('\t')).map(|(code, name)| (first(code), name));
    Tables { items, categories: categories.collect(), materials: materials.collect() }
});

fn items(table: &str) -> &'static [Item] {
    TABLES.items.get(table).map_or(&[], Vec::as_slice)
}

/// The category of a field 007; the last category stands for unknown codes.
fn category(code: char) -> &'static Category {
    let known = TABLES.categories.iter().find(|category| category.code == code);
    known.or(TABLES.categories.last()).unwrap_or(&Category { code: 'b', name: "Unknown", length: 1 })
}

const UNKNOWN_CATEGORY: char = 'b';

fn material_of_006(code: char) -> String {
    format!("material {}", TABLES.materials.get(&code).copied().unwrap_or("unknown"))
}

/// The kind of material that type and level in the leader of a bibliographic record give.
fn material_of_008(kind: char, level: char) -> &'static str {
    match (kind, level) {
        ('a', 'b' | 'i' | 's') | ('s', _) => "material continuing",
        ('a' | 't', _) => "material books",
        ('m', _) => "material files",
        ('e' | 'f', _) => "material maps",
        ('p', _) => "material mixed",
        ('i' | 'j', _) => "material sound",
        ('c' | 'd', _) => "material scores",
        ('g' | 'k' | 'o' | 'r', _) => "material visual",
        _ => "material unknown",
    }
}

const LENGTH_OF_006: usize = 18;
/// The positions of a bibliographic 008 that depend on the kind of material.
const MATERIAL_POSITIONS: std::ops::Range<usize> = 18..35;

fn length_of_008(kind: Kind) -> usize {
    if kind == Kind::Holdings { 32 } else { 40 }
}

fn mask_blanks(text: &str) -> Vec<char> {
    text.chars().map(|char| if char == ' ' { BLANK } else { char }).collect()
}

/// The text, cut or padded with blanks to a length in characters.
fn to_length(text: &str, length: usize) -> Vec<char> {
    let mut content = mask_blanks(text);
    content.resize(length, BLANK);
    content
}

fn characters(content: &[char], position: usize, length: usize) -> String {
    content.iter().skip(position).take(length).collect()
}

/// Adds the items of the content. `first` is the number of the first position in the table: 0 or 1.
fn insert_items(items: &[Item], content: &[char], first: usize, into: &mut Map<String, Value>) {
    for item in items {
        let text = characters(content, item.position - first, item.length);
        let value = match item.list {
            true => json!(text.chars().map(String::from).collect::<Vec<String>>()),
            false => json!(text),
        };
        into.entry(item.name).or_insert(value);
    }
}

pub(super) fn show_006(text: &str) -> Value {
    let content = mask_blanks(text);
    let mut view = Map::new();
    view.insert("Type".to_owned(), json!(characters(&content, 0, 1)));
    insert_items(items(&material_of_006(content.first().copied().unwrap_or(BLANK))), &content, 0, &mut view);
    Value::Object(view)
}

pub(super) fn show_007(text: &str) -> Value {
    let content = mask_blanks(text);
    let category = category(content.first().copied().unwrap_or(BLANK));
    let mut view = Map::new();
    view.insert("$categoryName".to_owned(), json!(category.name));
    if category.code == UNKNOWN_CATEGORY {
        view.insert("Category".to_owned(), json!(characters(&content, 0, 1)));
        view.insert("Value".to_owned(), json!(content.iter().collect::<String>()));
    } else {
        insert_items(items(&format!("007 {}", category.code)), &content, 0, &mut view);
    }
    Value::Object(view)
}

/// The items of a field 008. `at` gives the character of the leader at a position.
pub(super) fn show_008(kind: Kind, text: &str, at: impl Fn(usize) -> char) -> Value {
    let content = to_length(text, length_of_008(kind));
    let mut view = Map::new();
    match kind {
        Kind::Holdings => insert_items(items("holdings"), &content, 0, &mut view),
        Kind::Authority => insert_items(items("authority"), &content, 0, &mut view),
        Kind::Bibliographic => {
            let level = if at(7) == ' ' { BLANK } else { at(7) };
            view.insert("Type".to_owned(), json!(at(6).to_string()));
            view.insert("BLvl".to_owned(), json!(level.to_string()));
            insert_items(items("bibliographic"), &content, 1, &mut view);
            insert_items(items(material_of_008(at(6), at(7))), &content[MATERIAL_POSITIONS], 1, &mut view);
        }
    }
    Value::Object(view)
}

/// Writes the items of the view into a text of blanks.
fn restore_items(
    items: &[Item],
    view: &Value,
    length: usize,
    first: usize,
) -> Result<Vec<char>, EditorRefusal> {
    let mut content = vec![' '; length];
    for item in items {
        let text = match &view[item.name] {
            Value::Null => continue,
            Value::Array(parts) => parts.iter().map(text_of).collect(),
            value => text_of(value),
        };
        if text.chars().count() != item.length {
            return Err(illegal_length(item.name, item.length));
        }
        let places = content.iter_mut().skip(item.position - first);
        for (place, char) in places.zip(text.chars()) {
            *place = if char == BLANK { ' ' } else { char };
        }
    }
    Ok(content)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn first_char(view: &Value, name: &str) -> Result<char, EditorRefusal> {
    let text = view[name].as_str().unwrap_or_default();
    text.chars().next().ok_or_else(|| illegal_length(name, 1))
}

pub(super) fn restore_006(view: &Value) -> Result<String, EditorRefusal> {
    let code = first_char(view, "Type")?;
    let mut content = restore_items(items(&material_of_006(code)), view, LENGTH_OF_006, 0)?;
    content[0] = if code == BLANK { ' ' } else { code };
    Ok(content.into_iter().collect())
}

pub(super) fn restore_007(view: &Value) -> Result<String, EditorRefusal> {
    let category = category(first_char(view, "Category")?);
    if category.code == UNKNOWN_CATEGORY {
        return Ok(text_of(&view["Value"]).replace(BLANK, " "));
    }
    let content = restore_items(items(&format!("007 {}", category.code)), view, category.length, 0)?;
    Ok(content.into_iter().collect())
}

/// The field 008 from its items. `today` is the date as `yymmdd`; it replaces a date of entry that is not valid.
pub(super) fn restore_008(kind: Kind, view: &Value, today: &str) -> Result<String, EditorRefusal> {
    let (entered, table, first) = match kind {
        Kind::Bibliographic => ("Entered", "bibliographic", 1),
        Kind::Holdings => ("Date Ent", "holdings", 0),
        Kind::Authority => ("Date Ent", "authority", 0),
    };
    let mut view = view.clone();
    let is_date = |text: &str| {
        text.len() == today.len() && text != "000000" && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !view[entered].as_str().is_some_and(is_date) {
        view[entered] = json!(today);
    }
    let mut content = restore_items(items(table), &view, length_of_008(kind), first)?;
    if kind == Kind::Bibliographic {
        let material = material_of_008(first_char(&view, "Type")?, first_char(&view, "BLvl")?);
        let specific = restore_items(items(material), &view, MATERIAL_POSITIONS.len(), 1)?;
        content[MATERIAL_POSITIONS].copy_from_slice(&specific);
    }
    Ok(content.into_iter().collect())
}

#[cfg(test)]
mod tests;
