//! The words that circulation gives to templates: which tokens mean something in a patron notice.

use crate::parse::Template;

const USER: &str = "\
    firstName preferredFirstName lastName middleName barcode barcodeImage patronGroup departments \
    addressType addressLine1 addressLine2 city region postalCode countryId primaryDeliveryAddressType \
    primaryAddressLine1 primaryAddressLine2 primaryCity primaryStateProvRegion primaryZipPostalCode \
    primaryCountry";

const ITEM: &str = "\
    title primaryContributor allContributors barcode barcodeImage status enumeration volume chronology \
    yearCaption materialType loanType copy numberOfPieces displaySummary descriptionOfPieces \
    effectiveLocationSpecific effectiveLocationLibrary effectiveLocationCampus effectiveLocationInstitution \
    effectiveLocationDiscoveryDisplayName effectiveLocationPrimaryServicePointName callNumber \
    callNumberPrefix callNumberSuffix lastCheckedInDateTime fromServicePoint toServicePoint";

const LOAN: &str = "\
    initialBorrowDate initialBorrowDateTime dueDate dueDateTime checkedInDate checkedInDateTime \
    numberOfRenewalsTaken numberOfRenewalsAllowed numberOfRenewalsRemaining additionalInfo";

const REQUEST: &str = "\
    requestID servicePointPickup requestDate requestDateTime requestExpirationDate requestExpirationDateTime \
    holdShelfExpirationDate holdShelfExpirationDateTime additionalInfo reasonForCancellation \
    deliveryAddressType patronComments";

const FEE_CHARGE: &str = "\
    owner type paymentStatus amount remainingAmount chargeDate chargeDateTime additionalInfo";

const FEE_ACTION: &str = "type actionDate actionDateTime amount remainingAmount additionalInfo";

/// Objects by name, with their words.
const OBJECTS: &[(&str, &str)] = &[
    ("user", USER),
    ("requester", USER),
    ("borrower", USER),
    ("item", ITEM),
    ("loan", LOAN),
    ("request", REQUEST),
    ("feeCharge", FEE_CHARGE),
    ("feeAction", FEE_ACTION),
];

/// Lists of such objects, in notices about several loans.
const LISTS: &[&str] = &["loans", "feeCharges"];

/// Whether a name, with the sections around it, is one that circulation fills in.
pub fn token_is_known(name: &str) -> bool {
    let inner = LISTS.iter().find_map(|list| match name.strip_prefix(list)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    });
    let known = |name: &str| match name.split_once('.') {
        None => {
            name == "currentDateTime"
                || name == "currentDate"
                || OBJECTS.iter().any(|(object, _)| *object == name)
        }
        Some((object, word)) => OBJECTS
            .iter()
            .any(|(known, words)| *known == object && words.split(' ').any(|known| known == word)),
    };
    inner.map_or_else(|| known(name), |inner| inner.is_empty() || known(inner))
}

/// The names in a template that no notice of circulation fills in.
pub fn unknown_tokens(template: &Template) -> Vec<String> {
    template.names().into_iter().filter(|name| !token_is_known(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_tokens_are_found() {
        let text = "{{user.firstname}} {{user.firstName}} {{#loans}}{{item.title}}{{loan.dueDateTime}}{{book}}{{/loans}}{{#feeCharges}}{{feeCharge.amount}}{{/feeCharges}}";
        let template = Template::parse(text).unwrap();
        assert_eq!(unknown_tokens(&template), ["loans.book", "user.firstname"]);
    }
}
