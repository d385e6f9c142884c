//! Barcodes are unique among the items of a tenant.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::document::text;
use super::progress::Progress;
use super::stop::StepResult;
use crate::journal::Entity;
use crate::need::Need;

impl Progress {
    /// For each item whether its barcode is taken: by a stored item, by one that is to be stored, or by an earlier item of the list.
    pub(super) fn barcodes_taken(
        &mut self,
        items: &[(Option<Uuid>, &Map<String, Value>)],
    ) -> StepResult<Vec<bool>> {
        let barcodes: Vec<Option<&str>> = items.iter().map(|(_, item)| text(item, "barcode")).collect();
        let asked: Vec<(String, Option<Uuid>)> = items
            .iter()
            .zip(&barcodes)
            .filter_map(|((id, _), barcode)| barcode.map(|barcode| (barcode.to_owned(), *id)))
            .collect();
        let stored = if asked.is_empty() { Vec::new() } else { self.ask_texts(Need::Barcodes(asked))? };
        let planned = |barcode: &str, but: Option<Uuid>| {
            let mut items = self.writes.documents(Entity::Item);
            items.any(|(id, item)| Some(id) != but && item["barcode"].as_str() == Some(barcode))
        };
        let taken = barcodes.iter().enumerate().map(|(place, barcode)| {
            barcode.is_some_and(|barcode| {
                stored.iter().any(|taken| taken == barcode)
                    || barcodes[..place].contains(&Some(barcode))
                    || planned(barcode, items[place].0)
            })
        });
        Ok(taken.collect())
    }
}

pub(super) fn barcode_taken_message(item: &Map<String, Value>) -> String {
    let barcode = text(item, "barcode").unwrap_or_default();
    format!("Barcode must be unique, {barcode} is already assigned to another item")
}
