//! Many PDF files as one, whoever wrote them.

use std::collections::BTreeSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::pages::close;

/// One file of the pages of many.
#[derive(Debug)]
pub struct Merged {
    pub pdf: Vec<u8>,
    /// Which of the files could not be read, by their place among all.
    pub unreadable: Vec<usize>,
}

/// In the order in which they come.
pub fn merge<'f>(title: &str, files: impl IntoIterator<Item = &'f [u8]>) -> Merged {
    let mut all = Document::with_version("1.5");
    let tree = all.new_object_id();
    let (mut kids, mut unreadable) = (Vec::new(), Vec::new());
    for (at, file) in files.into_iter().enumerate() {
        match read(file, all.max_id + 1) {
            Some((document, pages)) => {
                all.max_id = document.max_id;
                for (id, mut page) in pages {
                    page.set("Parent", tree);
                    all.objects.insert(id, Object::Dictionary(page));
                    kids.push(id);
                }
                for (id, object) in document.objects {
                    if !is_of_the_tree(&object) {
                        all.objects.entry(id).or_insert(object);
                    }
                }
            }
            None => unreadable.push(at),
        }
    }
    Merged { pdf: close(all, tree, kids, title), unreadable }
}

/// A file with its objects numbered from `first` on, and its pages as they stand by themselves; `None` if it has none.
fn read(file: &[u8], first: u32) -> Option<(Document, Vec<(ObjectId, Dictionary)>)> {
    let mut document = Document::load_mem(file).ok()?;
    if document.is_encrypted() {
        return None;
    }
    document.renumber_objects_with(first);
    let pages: Option<Vec<(ObjectId, Dictionary)>> =
        document.get_pages().into_values().map(|id| Some((id, whole_page(&document, id)?))).collect();
    pages.filter(|pages| !pages.is_empty()).map(|pages| (document, pages))
}

/// A page with what it has from the tree above it (ISO 32000-1, 7.7.3.4).
fn whole_page(document: &Document, id: ObjectId) -> Option<Dictionary> {
    let mut page = document.get_dictionary(id).ok()?.clone();
    let mut seen = BTreeSet::from([id]);
    let mut above = page.get(b"Parent").and_then(Object::as_reference).ok();
    while let Some(node) = above.filter(|node| seen.insert(*node)) {
        let node = document.get_dictionary(node).ok()?;
        for name in ["Resources", "MediaBox", "CropBox", "Rotate"] {
            if let (false, Ok(value)) = (page.has(name.as_bytes()), node.get(name.as_bytes())) {
                page.set(name, value.clone());
            }
        }
        above = node.get(b"Parent").and_then(Object::as_reference).ok();
    }
    Some(page)
}

fn is_of_the_tree(object: &Object) -> bool {
    let kind = object.as_dict().and_then(|dictionary| dictionary.get(b"Type")).and_then(Object::as_name);
    matches!(kind, Ok(b"Catalog" | b"Pages" | b"Page" | b"Outlines"))
}
