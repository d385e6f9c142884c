//! What a patron may do, as the fourteen letters of SIP2's patron status, and the reasons for what is denied.

use octavo_cql::quote_term;
use octavo_engine::Method;
use octavo_kernel::{Outcome, parse_time};
use serde_json::Value;

use crate::desk::{Desk, MOST_RECORDS};

/// Places of the letters.
const CHARGE: usize = 0;
const RENEWAL: usize = 1;
const RECALL: usize = 2;
const HOLD: usize = 3;
const TOO_MANY_CHARGED: usize = 5;
const TOO_MANY_OVERDUE: usize = 6;
const TOO_MANY_LOST: usize = 9;
const EXCESSIVE_FINES: usize = 10;
const EXCESSIVE_FEES: usize = 11;
const RECALL_OVERDUE: usize = 12;

/// Further letters for conditions of automated blocks, whose ids are the same in every tenant of FOLIO.
const BY_CONDITION: [(&str, &[usize]); 6] = [
    ("3d7c52dc-c732-4223-8bf8-e5917801386f", &[TOO_MANY_CHARGED]),
    ("72b67965-5b73-4840-bc0b-be8f3f6e047e", &[TOO_MANY_LOST]),
    ("584fbd4f-6a34-4730-a6ca-73a6a6a9d845", &[TOO_MANY_OVERDUE]),
    ("e5b45031-a202-4abb-917b-e1df9346fe2c", &[RECALL_OVERDUE]),
    ("08530ac4-07f2-48e6-9dda-a97bc2bf7053", &[RECALL_OVERDUE]),
    ("cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a", &[EXCESSIVE_FINES, EXCESSIVE_FEES]),
];

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    denied: [bool; 14],
    pub(super) why: Vec<String>,
}

/// The most messages about blocks that one answer shows.
const MAX_MESSAGES: usize = 5;

impl Standing {
    pub(super) async fn load(desk: &Desk<'_>, patron: &str) -> Outcome<Standing> {
        let mut standing = Standing::default();
        let manual = format!("userId=={}", quote_term(patron));
        let manual = desk.find("/manualblocks", "manualblocks", &manual, MOST_RECORDS).await?;
        let expired = |block: &Value| {
            block["expirationDate"].as_str().and_then(parse_time).is_some_and(|expires| expires <= desk.now)
        };
        for block in manual.records.iter().filter(|block| !expired(block)) {
            let told = ["patronMessage", "desc"]
                .iter()
                .find_map(|name| block[*name].as_str().filter(|text| !text.is_empty()));
            standing.add(["borrowing", "renewals", "requests"].map(|name| block[name] == true), told, &[]);
        }
        let path = format!("/automated-patron-blocks/{patron}");
        // edge-sip2 names another permission for these than FOLIO asks for, so a user who was made for it lacks it.
        match desk.call(Method::Get, &path, None).await {
            Ok(automated) => standing.add_automated(&automated),
            Err(fault) if fault.status == 403 => {}
            Err(fault) => return Err(fault),
        }
        Ok(standing)
    }

    fn add_automated(&mut self, blocks: &Value) {
        for block in blocks["automatedPatronBlocks"].as_array().into_iter().flatten() {
            let denied = ["blockBorrowing", "blockRenewals", "blockRequests"].map(|name| block[name] == true);
            let condition = BY_CONDITION.iter().find(|(id, _)| block["patronBlockConditionId"] == *id);
            self.add(denied, block["message"].as_str(), condition.map_or(&[], |(_, letters)| letters));
        }
    }

    fn add(&mut self, [borrowing, renewals, requests]: [bool; 3], told: Option<&str>, more: &[usize]) {
        if !(borrowing || renewals || requests) {
            return;
        }
        for (place, denied) in
            [(CHARGE, borrowing), (RENEWAL, renewals), (RECALL, requests), (HOLD, requests)]
        {
            self.denied[place] |= denied;
        }
        for place in more {
            self.denied[*place] = true;
        }
        if self.why.len() < MAX_MESSAGES {
            self.why.push(
                told.filter(|text| !text.is_empty()).unwrap_or("There are blocks on this account").to_owned(),
            );
        }
    }

    /// `Y` where something is denied, else a space.
    pub(super) fn letters(&self) -> String {
        self.denied.iter().map(|denied| if *denied { 'Y' } else { ' ' }).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_block_denies_what_it_says_and_names_its_cause() {
        let mut standing = Standing::default();
        assert_eq!(standing.letters(), " ".repeat(14));
        standing.add([false, false, false], Some("None"), &[]);
        assert_eq!(standing, Standing::default());
        standing.add([false, true, false], None, &[]);
        assert_eq!(standing.letters(), " Y            ");
        standing.add_automated(&json!({"automatedPatronBlocks": [{
            "patronBlockConditionId": "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a", "blockBorrowing": true, "blockRenewals": false,
            "blockRequests": true, "message": "You owe too much",
        }]}));
        assert_eq!(standing.letters(), "YYYY      YY  ");
        assert_eq!(standing.why, ["There are blocks on this account", "You owe too much"]);
    }
}
