/**
 * The server's refusals, each with the messages that stand for it. `{…}` stands for what differs from case to case; the
 * texts of each language (`words/`) use the same names in braces. The first message that matches counts. The messages
 * are FOLIO's: of `crates/circulation`, of the checks of records, and of what staff meet in other crates; those about
 * undoing, merging, trial imports and long lists are Octavo's own.
 */

export const REFUSAL_MESSAGES = {
  // Check-out.
  inactive: ["Cannot check out to inactive user"],
  activityUnknown: [
    "Cannot determine if user is active or not",
    "Cannot determine if user is active.",
    "Cannot determine if user active.",
  ],
  proxyInactive: ["Cannot check out via inactive proxying user"],
  proxyActivityUnknown: ["Cannot determine if proxying user is active or not"],
  proxyInvalid: ["Cannot check out item via proxy when relationship is invalid", "proxyUserId is not valid"],
  proxyThemselves: ["User cannot be proxy for themselves"],
  noServicePoint: ["Check out must be performed at a service point"],
  noPatron: ["Could not find user with matching barcode", "user is not found"],
  noItem: ["No item with barcode {barcode} could be found", "No item with barcode {barcode} exists"],
  noItemOfId: ["No item with ID {id} could be found", "No item with ID {id} exists"],
  alreadyOut: ["Item is already checked out", "Cannot check out item that already has an open loan"],
  notLoanable: ["Item is not loanable"],
  itemLimit: ["Patron has reached maximum limit of {limit} items for {cause}"],
  requestedByOther: [
    "{title} (Barcode: {barcode}) cannot be checked out to user {patron} because it has been requested by another patron",
  ],
  statusBarsCheckOut: ["{title} has the item status {status} and cannot be checked out"],
  statusBarsCheckIn: ["{title} has the item status {status} and cannot be checked in"],
  statusBarsLoan: ["{title} has the item status {status}, loan cannot be created"],
  blockedBorrowing: ["Patron blocked from borrowing"],
  blockedRenewing: ["Patron blocked from renewing"],
  blockedRequesting: ["Patron blocked from requesting"],
  overrideNotPermitted: ["Insufficient override permissions"],
  overrideComment: [
    "Override should be performed with the comment specified",
    "Override renewal request must have a comment",
  ],
  overrideDueDate: ["Override should be performed with due date specified"],
  dueBeforeLoan: ["Due date should be later than loan date"],

  // Due dates, policies and the circulation rules.
  loanOutsideSchedule: ["loan date falls outside of the date ranges in the loan policy"],
  renewalOutsideSchedule: [
    "renewal date falls outside of the date ranges in the loan policy",
    "renewal date falls outside of date ranges in the loan policy",
    "renewal date falls outside of date ranges in fixed loan policy",
  ],
  renewFromUnknown: ["cannot determine when to renew from"],
  noOpeningHours: ["Calendar open periods are not found", "Calendar timetable is absent for requested date"],
  policyGone: ["{kind} {id} could not be found, please check circulation rules"],
  rulesBlank: ["Cannot apply blank circulation rules"],
  rulesNoMatch: ["Executing circulation rules did not find a match"],
  rulesPatronUnknown: ["Unable to apply circulation rules for item with user that is null"],
  rulesNotApplicable: ["Unable to apply circulation rules to {target}"],
  policyUnreadable: [
    'the "{key}" in the loan policy is not recognized',
    'the interval "{interval}" in "{key}" is not recognized',
    'the duration "{duration}" in "{key}" is invalid',
  ],

  // Renewals.
  renewalOfInactive: ["Cannot renew loan when user is inactive or expired", "User is inactive."],
  renewalNoLoan: ["No open loan could be found for item {barcode}"],
  renewalOtherPatron: ["Cannot renew item checked out to different user"],
  renewalIncomplete: ["Renewal request must have {what}"],
  renewalReminded: ["Renewals not allowed for loans with reminders."],
  renewalRecalled: ["items cannot be renewed when there is an active recall request"],
  renewalHeld: ["Items with this loan policy cannot be renewed when there is an active, pending hold request"],
  renewalMost: ["loan at maximum renewal number"],
  notRenewable: ["loan is not renewable"],
  renewalFixedPeriod: [
    "Item's loan policy has fixed profile but alternative renewal period for holds is specified",
    "Item's loan policy has fixed profile but renewal period is specified",
    "Period in RenewalsPolicy is not allowed for policies with Fixed profile",
    "Alternate Renewal Loan Period for Holds is not allowed for policies with Fixed profile",
  ],
  renewalNoChange: ["renewal would not change the due date"],
  renewalDueDateNeeded: [
    "New due date must be specified when due date calculation fails",
    "New due date is required when renewal would not change the due date",
  ],
  renewalOverrideUnneeded: ["Override renewal does not match any of expected cases: {cases}"],

  // Loans.
  loanGone: ['loan record with ID "{id}" cannot be found', "Loan {id} was not found"],
  loanClosed: ["Loan is closed"],
  severalLoans: ["More than one open loan for item {barcode}"],
  dueDateNeeded: ["A new due date is required in order to change the due date"],
  claimedDateNeeded: ["Item claimed returned date is a required field"],
  lostServicePointNeeded: ["A service point is required for item to be declared lost"],
  lostAlready: ["The item is already declared lost"],
  notClaimed: ["Item is not Claimed returned"],
  commentNeeded: ["Comment is a required field"],
  remarkNeeded: [
    "An action of type patronInfoAdded or staffInfoAdded, with associated actionComment, required in order to add info",
  ],
  dateUnreadable: ["Text '{text}' could not be parsed as a date"],
  noteTypeMissing: ["No General note type found"],
  markNotAllowed: ["Item is not allowed to be marked as {status}"],
  // Behind all others that begin so.
  itemIs: ["item is {status}"],
  checkInNoPickup: ["Failed to check in item due to the highest priority request missing a pickup service point"],
  loanStatusUnknown: ['Loan status must be "Open" or "Closed"'],
  loanPatronMissing: ["Open loan must have a user ID"],
  loanServicePointGone: ["Check In Service Point does not exist", "Check Out Service Point does not exist"],
  loanCheckInPointMissing: ["A Closed loan must have a Checkin Service Point"],

  // Fees and fines.
  feeClosed: ["Fee/fine is already closed"],
  feePaidMeanwhile: ["Requested amount exceeds remaining amount"],
  refundTooMuch: ["Refund amount must be greater than zero and less than or equal to Selected amount"],
  amountInvalid: ["Invalid amount entered", "Amount must be positive"],
  feeGone: ["Fee/fine ID {id} not found"],
  feeStatusUnknown: ["{reason} is no payment status"],
  feeOwnerMissing: ["No fee/fine owner found for item's {whose} location"],
  feeTypeMissing: ["Expected automated fee of type {name}"],
  actualCostDone: ["Actual cost record {id} is already {status}"],
  actualCostGone: ["ActualCostRecord {id} was not found"],

  // Requests.
  requestNotAllowed: ["{type} requests are not allowed for this patron and item combination"],
  titleRequestNotAllowed: ["Hold requests are not allowed for this patron and title combination"],
  alreadyRequested: ["This requester already has an open request for {what}"],
  requesterHasIt: [
    "This requester already has this item on loan",
    "This requester already has a loan for one of the instance's items",
  ],
  requestLimit: ["Patron has reached the maximum of {limit} open requests"],
  pickupGone: ["One or more Pickup locations are no longer available", "Pickup service point does not exist"],
  pickupMissing: ["Hold shelf fulfillment requests require a Pickup service point"],
  pickupNotThere: ["Service point is not a pickup location"],
  requesterInactive: ["Inactive users cannot make requests"],
  requesterIncomplete: [
    "A valid user and patron group are required. User is null",
    "A valid patron group is required. PatronGroup ID is null",
  ],
  requestIncomplete: [
    "Cannot create a request with no {what}",
    "Cannot create a request with item ID but no holdings record ID",
    "Cannot create an item level request with no item ID",
    "Cannot create a title level page request for this instance ID with no item ID",
    "Request must have {what}",
  ],
  titleGone: ["Instance does not exist"],
  itemGone: ["Item does not exist"],
  noCopyOnShelf: ["Cannot create page TLR for this instance ID - no pageable available items found"],
  copyOnShelf: ["Hold/Recall title level request not allowed: pageable available item found for instance"],
  nothingToRecall: ["Request has no loan or recallable item"],
  noCopies: ["There are no holdings for this instance", "There are no items for this instance"],
  noCopyRequestable: ["Failed to place a request for the instance. Reasons: {reasons}"],
  requestValueUnknown: [
    "Request level must be one of the following: {known}",
    "Fulfillment preference must be one of the following: {known}",
    "Request status must be one of the following: {known}",
  ],
  requestClosed: ["The Request has already been closed"],
  patronCommentKept: ["Patron comments are not allowed to change"],
  titleRequestsOff: ["Can not process TLR - TLR feature is disabled"],
  moveOfTitleHold: ["Not allowed to move from/to Hold TLR"],
  moveToOtherTitle: ["Request can only be moved to an item with the same instance ID"],
  moveToSame: ["Not allowed to move title level page request to the same item"],
  recordGone: ['{kind} record with ID "{id}" cannot be found'],
  queueOtherKind: ["Refuse to reorder request queue, TLR feature status is {state}."],
  queueChanged: [
    "There is inconsistency between provided reordered queue and existing queue.",
    "Positions must have sequential order.",
  ],
  queueFirst: [
    "Page requests can not be displaced from position 1.",
    "Requests can not be displaced from position 1 when fulfillment begun.",
    "Requests can not be displaced from top positions when fulfillment begun.",
  ],

  // Undoing.
  nothingToUndo: ["Nothing that was done to this loan can be undone"],
  undoTooLate: ["The {what} was more than 24 hours ago and cannot be undone"],
  undoneByClock: ["The {what} was done by the clock and cannot be undone"],
  undoFeeChanged: ["The fee/fine{kind} {id} has changed since: {changed}", "The fee/fine{kind} {id} is gone"],
  undoCharged: ["The loan has been charged since: fee/fine {fee}"],
  undoBuiltUpon: [
    "The {name} {id} has changed since: {changed}",
    "The {name} {id} is gone",
    "The queue is shorter now, nobody can stand at place {after}",
  ],

  // The text of the circulation rules.
  lettersWrong: ["7 letters expected, found only {found}", "Only 7 letters expected, found {found}"],
  letterTwice: ["Duplicate letter {letter}", "Duplicate priority type"],
  rulePolicyMissing: ["Policy missing", "Must contain one of each policy type, missing type {letter}"],
  rulePolicyTwice: ["Only one policy of type {letter} allowed"],
  rulePolicyGone: ["The policy {letter} does not exist"],
  fallbackMissing: ["Must have a fallback policy of type {letter}"],
  fallbackTwice: ["Only one fallback policy of type {letter} is allowed"],

  // Records in general.
  proxyExists: ["Proxy relationship already exists{rest}"],
  noCql: ["Failed to parse cql query{rest}", "CQL error at position {rest}", "CQL Parsing Error for {rest}"],
  indexing: ["The index of {what} is being made: {done} of {of}{rest}"],
  changedMeanwhile: [
    "Cannot update record {id} because it has been changed (optimistic locking): {versions}",
    "ERROR: Cannot update record {id} because it has been changed (optimistic locking): {versions}",
  ],
  needed: ["must not be null", "must not be blank", "must not be empty"],
  malformed: ["must match {pattern}", "size must be between {least} and {most}"],
  least: ["must be greater than or equal to {least}"],
  most: ["must be less than or equal to {most}"],
  unknownMember: ['Unrecognized field "{name}"{rest}'],
  referenceGone: [
    "Cannot set {member} = {value} because it does not exist in {other}.",
    'insert or update on table "{table}" violates foreign key constraint {rest}',
    "statistical code doesn't exist: {rest}",
  ],
  stillUsed: [
    "foreign_key_violation: Key (id)=({value}) is still referenced from table {other}.",
    "Cannot delete {member} = {value} because id is still referenced from table {other}.",
    'update or delete on table "{table}" violates foreign key constraint {rest}',
  ],
  taken: [
    "{key} value already exists in table {table}: {value}",
    "duplicate key value violates unique constraint{rest}",
    "The {policy} policy name entered already exists. Please enter a different name.",
  ],
  barcodeTaken: ["This barcode has already been taken", "Barcode must be unique, {barcode} is already assigned{rest}"],
  userNameTaken: ["User with this username already exists"],
  notFound: ["Not found", "Record Not Found", "Merge with id '{id}' not found"],

  // MARC records in the editor.
  marcNeeded: ["Is required tag"],
  marcOnce: ["Is unique tag"],
  marcEmpty: ["Content couldn't be empty"],
  marcIndicators: ["Should have exactly 2 indicators", "Indicator could have only one-character value"],
  marcLeader: ["Wrong value '{value}', on position {position}. Allowed only: {allowed}"],
  marcLength: ["Invalid {item} field length, must be {length} characters"],
  marcNone: [
    "Error retrieving Record by externalId: '{id}', response code 404, Not Found",
    "Record with id '{id}' was not found",
  ],

  // Records of users, photos, signing in.
  mergeSelf: ["A user cannot be merged with themselves"],
  mergeOwn: ["Your own record cannot be the duplicate"],
  mergeRequests: ["Both have an open request for the same title"],
  mergeLoanRequest: ["One has on loan what the other has requested"],
  mergeUndone: ["The merge was undone before"],
  userGone: ["User with id '{id}' not found", "There is no user with the id {id}"],
  addressTypeGone: [
    "You cannot add addresses with non-existent address types",
    "All addresses types defined for users must be existing",
  ],
  addressTwice: ["Users are limited to one address per addresstype"],
  addressTypeUsed: ["Cannot remove address type '{id}' as it is being used"],
  groupGone: ["Cannot add {group}. Patron group not found"],
  userExists: ["User with this id already exists", "id value already exists"],
  photoTooLarge: ["Requested file size should be within allowed size updated in profile_picture configuration"],
  photoKind: [
    "Requested image should be of supported type-[PNG,JPG,JPEG]",
    "failed to save profile picture Insufficient data provided to detect file type",
  ],
  photosOff: ["Profile picture feature is not enabled for tenant {tenant}"],
  photoGone: [
    "Existing profile picture is not found",
    "No profile picture found for id {path}",
    "Profile picture not found",
  ],
  photoLimit: ["Max file size should not exceed more than 10 megabytes"],
  logInMany: ["Too many attempts; try again in {wait} seconds"],
  logInWrong: ["No credentials match that login"],
  logInInactive: ["User must be flagged as active"],

  // Titles, holdings, items, places.
  hridKept: ["HRID can not be updated", "The hrid field cannot be changed: new={new}, old={old}"],
  claimedNotMissing: ["Claimed returned item cannot be marked as missing"],
  marcGoverns: ["{what} is controlled by MARC record, these fields are blocked and can not be updated: {fields}"],
  titleNeeded: [
    "Title must be provided for an instance",
    "Title is required for unconnected succeeding title",
    "Title is required for unconnected preceding title",
  ],
  statusNeeded: ["Status is a required field"],
  statusUnknown: ["Undefined status specified"],
  moveNothing: ["Item ids aren't specified", "Holdings record ids aren't specified"],
  inventoryGone: [
    "{what} with id={id} not found",
    "Instance not found",
    "Holdings not found",
    "Item not found.",
    "Holdings record not found.",
    "No item found",
  ],
  noteTooLong: ["A note has exceeded the 32,000 character limit."],
  relationEmpty: ["The precedingInstanceId and succeedingInstanceId can't be empty at the same time"],
  locationPoint: ["A location must have at least one Service Point assigned."],
  locationPrimary: ["A Location's Primary Service point must be included as a Service Point."],
  locationPointTwice: ["A Service Point can only appear once on a Location."],
  shelfPeriodNeeded: ["Hold shelf expiry period must be specified when service point can be used for pickup."],
  shelfPeriodUnneeded: ["Hold shelf expiry period cannot be specified when service point cannot be used for pickup"],

  // Imports, their profiles, authorities.
  undoOnce: [
    "Only a job that has ended can be undone, once, and a trial or a job of several files has nothing to undo",
  ],
  trialFileGone: ["The file of the trial is not kept any more. Upload it again"],
  trialOnce: ["Only the file of a trial that has ended can be imported, once"],
  trialLate: ["The job has begun already; a trial is chosen before"],
  uploadsFull: [
    "The uploaded files take more room than the setting upload-space allows",
    "The disk for uploaded files is full",
  ],
  uploadIncomplete: [
    "All files have to be uploaded before they are processed",
    "A file has no job, or was not uploaded",
  ],
  uploadRunning: ["The files are being processed already"],
  uploadBroken: ["Upload stream for file with id '{file}' has been interrupted"],
  profileTaken: ["{what} '{name}' already exists"],
  profileUsed: ["Can not delete profile by id '{id}' cause profile associated with other profiles"],
  profileKinds: [
    "Mapping profile '{name}' can not be linked to this Action profile. ExistingRecordType and FolioRecord types are different",
    "Action profile '{name}' can not be linked to this Mapping profile. FolioRecord and ExistingRecordType types are different",
    "Can not update ActionProfile recordType and linked MappingProfile recordType are different",
    "Can not update MappingProfile recordType and linked ActionProfile recordType are different",
  ],
  modifyAlone: [
    "Modify action cannot be used as a standalone action",
    "Modify action cannot be used right after a Match",
  ],
  updateNeedsMatch: ["ActionProfile with id '{id}' and action UPDATE requires linked MatchProfile"],
  sourceFileTaken: ["Authority source file with the given '{name}' already exists."],
  sourceFileUsed: [
    "Unable to patch. Authority source file source is FOLIO or it has authority references",
    "Unable to delete. Authority source file has referenced authorities",
    "Cannot complete operation on the entity due to it's relation with Authority Archive/Authority.",
  ],
  sourceFileOfFolio: ["Cannot delete Authority source file with source 'folio'"],
  sourceFilePrefix: ["Authority Source File prefix should be non-empty sequence of letters"],
  webAddress: ["URI is not absolute", "unknown protocol: {protocol}"],
  marcLeaderLength: ["Wrong leader length"],
  marcLeaderNumber: ["{start}-{end} positions must be a number"],

  // Policies, fees, notices, notes.
  scheduleOrder: ["Unable to save fixed loan date. {rest}"],
  scheduleNeeded: [
    "Fixed due date cannot be null if loanable is {loanable} and profile is of type fixed",
    "Alternate fixed due date cannot be {schedule} if {rest}",
  ],
  notNegative: ["Quantity must not be negative.", "The value must greater than or equal to 0"],
  noticeUnderWay: ["The notice is still on its way", "The notice is being written or sent at this moment"],
  noticePatronGone: ["The patron is not known any more"],
  noticeNoAddress: ["The patron has no e-mail address"],
  noticeNotWaiting: ["The notice does not wait for anything"],
  noteTypesMost: ["Maximum number of note types allowed is {limit}"],

  // Long lists.
  listsWait: ["Other long lists come first. Please try again in a moment, or ask for fewer records at once"],
  listTooLong: ["These are too many records for one answer. Please ask for fewer at once, by limit and offset"],
} as const satisfies Record<string, readonly string[]>;

export type RefusalKey = keyof typeof REFUSAL_MESSAGES;

/**
 * Codes that are enough to recognise a refusal. FOLIO has codes for few refusals, and `-1` for many that have nothing
 * in common.
 */
export const REFUSAL_CODES: Readonly<Record<string, RefusalKey>> = {
  ITEM_ALREADY_REQUESTED: "alreadyRequested",
  INSTANCE_ALREADY_REQUESTED: "alreadyRequested",
  ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED: "alreadyRequested",
  REQUEST_LEVEL_IS_NOT_ALLOWED: "requestValueUnknown",
  FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED: "requestValueUnknown",
  REQUEST_ALREADY_CLOSED: "requestClosed",
  REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN: "requesterHasIt",
  REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED: "pickupGone",
  CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID: "requestIncomplete",
  USER_CANNOT_BE_PROXY_FOR_THEMSELVES: "proxyThemselves",
  HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT: "pickupMissing",
  SERVICE_POINT_IS_NOT_PICKUP_LOCATION: "pickupNotThere",
  REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS: "requesterHasIt",
  REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION: "titleRequestNotAllowed",
  HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND: "copyOnShelf",
  REQUEST_LIMIT_REACHED: "requestLimit",
  MOVING_REQUEST_TO_THE_SAME_ITEM: "moveToSame",
  ITEM_HAS_OPEN_LOAN: "alreadyOut",
  ITEM_NOT_LOANABLE: "notLoanable",
  USER_BARCODE_NOT_FOUND: "noPatron",
  ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE: "itemLimit",
  ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE: "itemLimit",
  ITEM_LIMIT_PATRON_GROUP_LOAN_TYPE: "itemLimit",
  ITEM_LIMIT_MATERIAL_TYPE_LOAN_TYPE: "itemLimit",
  ITEM_LIMIT_MATERIAL_TYPE: "itemLimit",
  ITEM_LIMIT_LOAN_TYPE: "itemLimit",
};
