//! Many PDF files as one, whoever wrote them.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use crate::pages::finish_file;

/// The most bytes of a file's compressed lists of objects when unpacked. Those of a thousand pages have some hundred thousand bytes.
const MOST_UNPACKED_BYTES: usize = 4 << 20;

/// Nodes of the tree above a page.
const DEEPEST_PAGE_TREE: usize = 100;

/// One file of the pages of many.
#[derive(Debug)]
pub struct Merged {
    pub pdf: Vec<u8>,
    /// The indexes of the files that could not be read.
    pub unreadable: Vec<usize>,
}

/// Merges PDF files into one, in the order in which they come.
pub fn merge<F: AsRef<[u8]>>(title: &str, files: impl IntoIterator<Item = F>) -> Merged {
    let mut all = Document::with_version("1.5");
    let tree = all.new_object_id();
    let (mut kids, mut unreadable) = (Vec::new(), Vec::new());
    for (at, file) in files.into_iter().enumerate() {
        match read_file(file.as_ref(), all.max_id + 1) {
            Some((document, pages)) => {
                all.max_id = document.max_id;
                for (id, mut page) in pages {
                    page.set("Parent", tree);
                    all.objects.insert(id, Object::Dictionary(page));
                    kids.push(id);
                }
                for (id, object) in document.objects {
                    if !is_page_tree_node(&object) {
                        all.objects.entry(id).or_insert(object);
                    }
                }
            }
            None => unreadable.push(at),
        }
    }
    Merged { pdf: finish_file(all, tree, kids, title), unreadable }
}

/// A file with its objects numbered from `first` on, and its pages as they stand by themselves; `None` if it has none.
fn read_file(file: &[u8], first: u32) -> Option<(Document, Vec<(ObjectId, Dictionary)>)> {
    let limits = LoadOptions { max_decompressed_size: Some(MOST_UNPACKED_BYTES), ..LoadOptions::default() };
    let mut document = Document::load_mem_with_options(file, limits).ok()?;
    if document.is_encrypted() {
        return None;
    }
    document.renumber_objects_with(first);
    let ids: Vec<ObjectId> = document.page_iter().collect();
    let distinct: BTreeSet<&ObjectId> = ids.iter().collect();
    if ids.is_empty() || distinct.len() < ids.len() {
        return None;
    }
    let mut pages = Vec::with_capacity(ids.len());
    for id in ids {
        pages.push((id, page_with_inherited(&mut document, id)?));
    }
    Some((document, pages))
}

/// A page with the attributes that it inherits from the page tree (ISO 32000-1, 7.7.3.4).
fn page_with_inherited(document: &mut Document, id: ObjectId) -> Option<Dictionary> {
    let mut page = document.get_dictionary(id).ok()?.clone();
    let mut seen = BTreeSet::from([id]);
    let mut above = page.get(b"Parent").and_then(Object::as_reference).ok();
    while let Some(node) = above.filter(|node| seen.len() < DEEPEST_PAGE_TREE && seen.insert(*node)) {
        for name in ["Resources", "MediaBox", "CropBox", "Rotate"] {
            if !page.has(name.as_bytes())
                && let Some(value) = inherited_attribute(document, node, name)
            {
                page.set(name, value);
            }
        }
        above = document.get_dictionary(node).ok()?.get(b"Parent").and_then(Object::as_reference).ok();
    }
    Some(page)
}

/// An attribute that the pages below a node of the page tree inherit, as an object that they share.
fn inherited_attribute(document: &mut Document, node: ObjectId, name: &str) -> Option<Object> {
    let value = document.get_dictionary(node).ok()?.get(name.as_bytes()).ok()?.clone();
    if value.as_reference().is_ok() {
        return Some(value);
    }
    let shared = Object::Reference(document.add_object(value));
    document.get_dictionary_mut(node).ok()?.set(name, shared.clone());
    Some(shared)
}

fn is_page_tree_node(object: &Object) -> bool {
    let kind = object.as_dict().and_then(|dictionary| dictionary.get(b"Type")).and_then(Object::as_name);
    matches!(kind, Ok(b"Catalog" | b"Pages" | b"Page" | b"Outlines"))
}
