/**
 * Texts in the server's decisions that are no refusals themselves: parts of refusals, of records and notes, and names.
 */

export const OTHER_TEXTS: ReadonlySet<string> = new Set([
  "{to} : {text}",
  "Claimed returned item marked declared lost",
  "a user with null value as patronGroupId",
  "an item with null value as locationId",
  "an item which loan type can not be determined",
  "an item with null value as materialTypeId",
  "Claimed returned item marked missing",
  "check-out without item or patron was not refused",
  "there are too few ids for the actions",
  "Lost item fee",
  "Lost item processing fee",
  "by record",
  "Loan policy",
  "Overdue fine policy",
  "Lost item fee policy",
  "Request policy",
  "combination of patron group, material type and loan type",
  "combination of patron group and material type",
  "combination of patron group and loan type",
  "combination of material type and loan type",
  "material type",
  "loan type",
  "checked out",
  "checked in",
  "{} has the item status {} and cannot be {done}",
  "item instance requester proxy loan pickupServicePoint deliveryAddress requestProcessingParameters searchIndex queueEstimate awaitingPickupRequestClosedDate",
  "this instance",
  "one of the instance's items",
]);

/** The same in the files of other crates that staff meet. */
export const OTHER_TEXTS_OF_MODULES: ReadonlySet<string> = new Set([
  "duplicateUserId must be a UUID",
  // Of the server itself: they are shown as they are.
  "Error encrypting profile picture data",
  "Data integrity check failed, POST and GET must use an identical key",
  "Encryption key is null",
  "{to} is a required field",
  "a file has no job",
]);
