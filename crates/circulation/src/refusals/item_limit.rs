//! The limit of the loan policy for items of a kind that a patron has at once.
//!
//! A limit applies only if the rule that chose the policy has a material type or loan type; loans of the same types are counted.

use octavo_kernel::Refusal;

use crate::facts::{Facts, Item, OpenLoanSummary};
use crate::policy::GoverningLoanPolicy;
use crate::rules::AppliedConditions;
use crate::status::RefusalCode;

pub(crate) fn refuse_item_limit_reached(
    facts: &Facts,
    item: &Item,
    governing: &GoverningLoanPolicy<'_>,
    item_barcode: &str,
) -> Option<Refusal> {
    let limit = governing.policy.item_limit()?;
    let (cause, code) = limit_cause(governing.conditions)?;
    let counts = |loan: &&OpenLoanSummary| counts_toward_limit(loan, item, governing.conditions);
    let count: usize = facts.open_loans_of_patron.iter().filter(counts).map(|loans| loans.count).sum();
    let message = format!("Patron has reached maximum limit of {limit} items for {cause}");
    (count as i64 >= limit).then(|| {
        Refusal::new(message)
            .about("itemBarcode", item_barcode)
            .about("itemLimit", limit.to_string())
            .code(code)
    })
}

fn counts_toward_limit(loan: &OpenLoanSummary, item: &Item, conditions: AppliedConditions) -> bool {
    let same = |own: Option<&str>, loaned: &Option<String>| own.is_some() && own == loaned.as_deref();
    !loan.claimed_returned
        && (!conditions.material_type || same(item.material_type_id(), &loan.material_type_id))
        && (!conditions.loan_type || same(item.loan_type_id(), &loan.loan_type_id))
}

fn limit_cause(conditions: AppliedConditions) -> Option<(&'static str, RefusalCode)> {
    let AppliedConditions { patron_group, material_type, loan_type } = conditions;
    Some(match (patron_group, material_type, loan_type) {
        (true, true, true) => (
            "combination of patron group, material type and loan type",
            RefusalCode::LimitOfPatronGroupMaterialTypeLoanType,
        ),
        (true, true, false) => {
            ("combination of patron group and material type", RefusalCode::LimitOfPatronGroupMaterialType)
        }
        (true, false, true) => {
            ("combination of patron group and loan type", RefusalCode::LimitOfPatronGroupLoanType)
        }
        (false, true, true) => {
            ("combination of material type and loan type", RefusalCode::LimitOfMaterialTypeLoanType)
        }
        (false, true, false) => ("material type", RefusalCode::LimitOfMaterialType),
        (false, false, true) => ("loan type", RefusalCode::LimitOfLoanType),
        (_, false, false) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_combination_of_criteria_has_its_words() {
        for (group, material, loan, expected) in [
            (true, true, true, Some(RefusalCode::LimitOfPatronGroupMaterialTypeLoanType)),
            (true, true, false, Some(RefusalCode::LimitOfPatronGroupMaterialType)),
            (true, false, true, Some(RefusalCode::LimitOfPatronGroupLoanType)),
            (false, true, true, Some(RefusalCode::LimitOfMaterialTypeLoanType)),
            (false, true, false, Some(RefusalCode::LimitOfMaterialType)),
            (false, false, true, Some(RefusalCode::LimitOfLoanType)),
            (true, false, false, None),
            (false, false, false, None),
        ] {
            let conditions =
                AppliedConditions { patron_group: group, material_type: material, loan_type: loan };
            assert_eq!(limit_cause(conditions).map(|(_, code)| code), expected);
        }
    }

    #[test]
    fn loans_count_by_the_criteria_of_the_rule() {
        let item = Item {
            record: serde_json::json!({"materialTypeId": "book", "permanentLoanTypeId": "short"}).into(),
            ..Item::default()
        };
        let loan = |material: &str, loan_type: &str, claimed_returned| OpenLoanSummary {
            count: 1,
            material_type_id: Some(material.into()),
            loan_type_id: Some(loan_type.into()),
            claimed_returned,
        };
        let by_material = AppliedConditions { material_type: true, ..AppliedConditions::default() };
        let by_both = AppliedConditions { material_type: true, loan_type: true, patron_group: false };
        for (loan, conditions, expected) in [
            (loan("book", "long", false), by_material, true),
            (loan("book", "long", false), by_both, false),
            (loan("book", "short", false), by_both, true),
            (loan("dvd", "short", false), by_material, false),
            (loan("book", "short", true), by_material, false),
        ] {
            assert_eq!(counts_toward_limit(&loan, &item, conditions), expected, "{loan:?}");
        }
    }
}
