/**
 * FOLIO's records as this server declares them, and what its lists answer: generated from `/octavo/openapi.json` by
 * `make generated`; a test holds it in step. Answers of calls with code of their own stand in `records.ts`.
 */

export interface ActualCostRecord {
  additionalInfoForPatron?: string;
  additionalInfoForStaff?: string;
  expirationDate?: string;
  feeFine: {
    accountId?: string;
    billedAmount?: number;
    owner: string;
    ownerId: string;
    type: string;
    typeId: string;
  };
  id: string;
  instance: {
    contributors?: {
      name: string;
    }[];
    id: string;
    identifiers?: {
      identifierType: string;
      identifierTypeId: string;
      value: string;
    }[];
    title: string;
  };
  item: {
    barcode?: string;
    chronology?: string;
    copyNumber?: string;
    displaySummary?: string;
    effectiveCallNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    effectiveLocation?: string;
    effectiveLocationId?: string;
    enumeration?: string;
    holdingsRecordId: string;
    id: string;
    loanType: string;
    loanTypeId: string;
    materialType: string;
    materialTypeId: string;
    permanentLocation?: string;
    permanentLocationId?: string;
    volume?: string;
  };
  loan: {
    id: string;
  };
  lossDate: string;
  lossType: "Aged to lost" | "Declared lost";
  metadata?: Metadata;
  status: "Open" | "Billed" | "Cancelled" | "Expired";
  user: {
    barcode?: string;
    firstName?: string;
    id: string;
    lastName: string;
    middleName?: string;
    patronGroup?: string;
    patronGroupId?: string;
  };
}

export interface AddressType {
  addressType: string;
  desc?: string;
  id: string;
  metadata?: Metadata;
}

export interface AlternativeTitleType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface BoundWithPart {
  holdingsRecordId: string;
  id: string;
  itemId: string;
  metadata?: Metadata;
}

export interface CallNumberType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface Campus {
  code: string;
  id: string;
  institutionId: string;
  metadata?: Metadata;
  name: string;
}

export interface CancellationReason {
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  publicDescription?: string;
  requiresAdditionalInformation?: boolean;
  source?: string;
}

export interface CheckIn {
  id: string;
  itemId: string;
  itemLocationId?: string;
  itemStatusPriorToCheckIn?: string;
  occurredDateTime: string;
  performedByUserId: string;
  requestQueueSize?: number;
  servicePointId: string;
}

export interface CirculationItem {
  barcode?: string;
  dcbItem?: boolean;
  effectiveLocationId?: string;
  holdingsRecordId?: string;
  id: string;
  instanceTitle?: string;
  lendingLibraryCode?: string;
  materialTypeId?: string;
  permanentLoanTypeId?: string;
  pickupLocation?: string;
  status?: {
    date?: string;
    name?: "Aged to lost" | "Available" | "Awaiting delivery" | "Awaiting pickup" | "Checked out" | "Claimed returned" | "Declared lost" | "Lost and paid" | "Long missing" | "Missing" | "In process" | "In process (non-requestable)" | "In transit" | "Intellectual item" | "On order" | "Order closed" | "Paged" | "Restricted" | "Unavailable" | "Unknown" | "Withdrawn";
  };
}

export interface ClassificationType {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface CommentSetting {
  id: string;
  metadata?: Metadata;
  paid?: boolean;
  refunded?: boolean;
  transferredManually?: boolean;
  waived?: boolean;
}

export interface ConfigurationEntry {
  code?: string;
  configName: string;
  default?: boolean;
  description?: string;
  enabled?: boolean;
  id: string;
  metadata?: Metadata;
  module: string;
  userId?: string;
  value?: string;
}

export interface ContributorNameType {
  id: string;
  metadata?: Metadata;
  name: string;
  ordering?: string;
  source?: string;
}

export interface ContributorType {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source: unknown;
}

export interface Department {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
  usageNumber?: number;
}

export interface EMail {
  attachments?: {
    contentId?: string;
    contentType: string;
    data: string;
    description?: string;
    disposition?: string;
    name: string;
  }[];
  attemptCount?: number;
  body: string;
  date?: string;
  from?: string;
  header: string;
  id: string;
  message?: string;
  metadata?: Metadata;
  notificationId: string;
  outputFormat?: string;
  shouldRetry?: boolean;
  status?: "DELIVERED" | "FAILURE" | "PROCESSING";
  to: string;
}

export interface ElectronicAccessRelationship {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface EventConfiguration {
  active: boolean;
  id: string;
  metadata?: unknown;
  name: string;
  templates?: {
    deliveryChannel: string;
    outputFormat: string;
    templateId: string;
  }[];
}

export interface FeeFineAccount {
  amount: number;
  barcode?: string;
  callNumber?: string;
  contributors?: {
    name: string;
  }[];
  dateCreated?: string;
  dateUpdated?: string;
  dueDate?: string;
  feeFineId: string;
  feeFineOwner?: string;
  feeFineType?: string;
  holdingsRecordId?: string;
  id: string;
  instanceId?: string;
  itemId?: string;
  itemStatus?: {
    name: string;
  };
  loanId?: string;
  loanPolicyId?: string;
  location?: string;
  lostItemFeePolicyId?: string;
  materialType?: string;
  materialTypeId?: string;
  metadata?: Metadata;
  overdueFinePolicyId?: string;
  ownerId: string;
  paymentStatus: {
    name: "Outstanding" | "Paid partially" | "Paid fully" | "Waived partially" | "Waived fully" | "Transferred partially" | "Transferred fully" | "Refunded partially" | "Refunded fully" | "Credited fully" | "Credited partially" | "Cancelled item returned" | "Cancelled item renewed" | "Cancelled item declared lost" | "Cancelled as error" | "Suspended claim returned";
  };
  processId?: string;
  remaining: number;
  returnedDate?: string;
  status: {
    name: string;
  };
  title?: string;
  userId: string;
}

export interface FeeFineAction {
  accountId: string;
  amountAction?: number;
  balance?: number;
  comments?: string;
  createdAt?: string;
  dateAction?: string;
  id: string;
  notify?: boolean;
  originalCreatedAt?: string;
  paymentMethod?: string;
  source?: string;
  transactionInformation?: string;
  typeAction?: string;
  userId: string;
}

export interface FeeFineOwner {
  defaultActionNoticeId?: string;
  defaultChargeNoticeId?: string;
  desc?: string;
  id: string;
  metadata?: Metadata;
  owner?: string;
  servicePointOwner?: {
    label?: string;
    value: string;
  }[];
}

export interface FeeFineType {
  actionNoticeId?: string;
  automatic: boolean;
  chargeNoticeId?: string;
  defaultAmount?: number;
  feeFineType: string;
  id: string;
  metadata?: Metadata;
  ownerId?: string;
}

export interface FixedDueDateSchedule {
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  schedules?: {
    due: string;
    from: string;
    to: string;
  }[];
}

export interface HoldingsNoteType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface HoldingsRecord {
  _version?: number;
  acquisitionFormat?: string;
  acquisitionMethod?: string;
  administrativeNotes?: string[];
  callNumber?: string;
  callNumberPrefix?: string;
  callNumberSuffix?: string;
  callNumberTypeId?: string;
  copyNumber?: string;
  digitizationPolicy?: string;
  discoverySuppress?: boolean;
  effectiveLocationId?: string;
  electronicAccess?: {
    linkText?: string;
    materialsSpecification?: string;
    publicNote?: string;
    relationshipId?: string;
    uri: string;
  }[];
  formerIds?: string[];
  holdingsStatements?: {
    note?: string;
    staffNote?: string;
    statement?: string;
  }[];
  holdingsStatementsForIndexes?: {
    note?: string;
    staffNote?: string;
    statement?: string;
  }[];
  holdingsStatementsForSupplements?: {
    note?: string;
    staffNote?: string;
    statement?: string;
  }[];
  holdingsTypeId?: string;
  hrid?: string;
  id: string;
  illPolicyId?: string;
  instanceId: string;
  metadata?: Metadata;
  notes?: {
    holdingsNoteTypeId?: string;
    note?: string;
    staffOnly?: boolean;
  }[];
  numberOfItems?: string;
  permanentLocationId: string;
  receiptStatus?: string;
  receivingHistory?: {
    displayType?: string;
    entries?: {
      chronology?: string;
      enumeration?: string;
      publicDisplay?: boolean;
    }[];
  };
  retentionPolicy?: string;
  shelvingTitle?: string;
  sourceId?: string;
  statisticalCodeIds?: string[];
  tags?: {
    tagList?: string[];
  };
  temporaryLocationId?: string;
}

export interface HoldingsRecordsSource {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: "folio" | "local" | "consortium";
}

export interface HoldingsType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface ILLPolicy {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface IdentifierType {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface Instance {
  _version?: number;
  administrativeNotes?: string[];
  alternativeTitles?: {
    alternativeTitle?: string;
    alternativeTitleTypeId?: string;
    authorityId?: string;
  }[];
  catalogedDate?: string;
  classifications?: {
    classificationNumber: string;
    classificationType?: Record<string, unknown>;
    classificationTypeId: string;
  }[];
  contributors?: {
    authorityId?: string;
    contributorNameType?: Record<string, unknown>;
    contributorNameTypeId: string;
    contributorTypeId?: string;
    contributorTypeText?: string;
    name: string;
    primary?: boolean;
  }[];
  discoverySuppress?: boolean;
  editions?: string[];
  electronicAccess?: {
    linkText?: string;
    materialsSpecification?: string;
    publicNote?: string;
    relationshipId?: string;
    uri: string;
  }[];
  holdingsRecords2?: unknown[];
  hrid?: string;
  id: string;
  identifiers?: {
    identifierTypeId: string;
    identifierTypeObject?: Record<string, unknown>;
    value: string;
  }[];
  indexTitle?: string;
  instanceFormatIds?: string[];
  instanceFormats?: unknown[];
  instanceTypeId: string;
  languages?: string[];
  matchKey?: string;
  metadata?: Metadata;
  modeOfIssuanceId?: string;
  natureOfContentTermIds?: string[];
  notes?: {
    instanceNoteTypeId?: string;
    note?: string;
    staffOnly?: boolean;
  }[];
  physicalDescriptions?: string[];
  previouslyHeld?: boolean;
  publication?: {
    dateOfPublication?: string;
    place?: string;
    publisher?: string;
    role?: string;
  }[];
  publicationFrequency?: string[];
  publicationPeriod?: {
    end?: number;
    start?: number;
  };
  publicationRange?: string[];
  series?: {
    authorityId?: string;
    value: string;
  }[];
  source: string;
  sourceRecordFormat?: "MARC-JSON";
  staffSuppress?: boolean;
  statisticalCodeIds?: string[];
  statusId?: string;
  statusUpdatedDate?: string;
  subjects?: {
    authorityId?: string;
    value: string;
  }[];
  tags?: {
    tagList?: string[];
  };
  title: string;
}

export interface InstanceFormat {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface InstanceNoteType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface InstanceRelationship {
  id: string;
  instanceRelationshipTypeId: string;
  metadata?: Metadata;
  subInstanceId: string;
  superInstanceId: string;
}

export interface InstanceRelationshipType {
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface InstanceStatus {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface InstanceType {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source: unknown;
}

export interface Institution {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface Item {
  _version?: number;
  accessionNumber?: string;
  administrativeNotes?: string[];
  barcode?: string;
  chronology?: string;
  circulationNotes?: {
    date?: string;
    id?: string;
    note?: string;
    noteType?: "Check in" | "Check out";
    source?: {
      id?: string;
      personal?: {
        firstName?: string;
        lastName?: string;
      };
    };
    staffOnly?: boolean;
  }[];
  copyNumber?: string;
  descriptionOfPieces?: string;
  discoverySuppress?: boolean;
  displaySummary?: string;
  effectiveCallNumberComponents?: {
    callNumber?: string;
    prefix?: string;
    suffix?: string;
    typeId?: string;
  };
  effectiveLocationId?: string;
  effectiveShelvingOrder?: string;
  electronicAccess?: {
    linkText?: string;
    materialsSpecification?: string;
    publicNote?: string;
    relationshipId?: string;
    uri: string;
  }[];
  enumeration?: string;
  formerIds?: string[];
  holdingsRecord2?: Record<string, unknown>;
  holdingsRecordId: string;
  hrid?: string;
  id: string;
  inTransitDestinationServicePointId?: string;
  itemDamagedStatusDate?: string;
  itemDamagedStatusId?: string;
  itemIdentifier?: string;
  itemLevelCallNumber?: string;
  itemLevelCallNumberPrefix?: string;
  itemLevelCallNumberSuffix?: string;
  itemLevelCallNumberTypeId?: string;
  lastCheckIn?: {
    dateTime?: string;
    servicePointId?: string;
    staffMemberId?: string;
  };
  materialType?: Record<string, unknown>;
  materialTypeId: string;
  metadata?: Metadata;
  missingPieces?: string;
  missingPiecesDate?: string;
  notes?: {
    itemNoteType?: Record<string, unknown>;
    itemNoteTypeId?: string;
    note?: string;
    staffOnly?: boolean;
  }[];
  numberOfMissingPieces?: string;
  numberOfPieces?: string;
  permanentLoanTypeId: string;
  permanentLocation?: Record<string, unknown>;
  permanentLocationId?: string;
  purchaseOrderLineIdentifier?: string;
  statisticalCodeIds?: string[];
  status: {
    date?: string;
    name: "Aged to lost" | "Available" | "Awaiting pickup" | "Awaiting delivery" | "Checked out" | "Claimed returned" | "Declared lost" | "In process" | "In process (non-requestable)" | "In transit" | "Intellectual item" | "Long missing" | "Lost and paid" | "Missing" | "On order" | "Paged" | "Restricted" | "Order closed" | "Unavailable" | "Unknown" | "Withdrawn";
  };
  tags?: {
    tagList?: string[];
  };
  temporaryLoanTypeId?: string;
  temporaryLocation?: Record<string, unknown>;
  temporaryLocationId?: string;
  volume?: string;
  yearCaption?: string[];
}

export interface ItemDamagedStatus {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface ItemNoteType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface IterationJob {
  id: string;
  jobParams?: {
    eventType?: string;
    topicName: string;
  };
  jobStatus?: "In progress" | "Failed" | "Completed" | "Cancellation pending" | "Cancelled";
  messagesPublished?: number;
  submittedDate?: string;
}

export interface Library {
  campusId: string;
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface Loan {
  action: string;
  actionComment?: string;
  agedToLostDelayedBilling?: {
    agedToLostDate?: string;
    dateLostItemShouldBeBilled?: string;
    lostItemHasBeenBilled?: boolean;
  };
  checkinServicePointId?: string;
  checkoutServicePointId?: string;
  claimedReturnedDate?: string;
  declaredLostDate?: string;
  dueDate?: string;
  dueDateChangedByRecall?: boolean;
  id: string;
  itemEffectiveLocationIdAtCheckOut?: string;
  itemId: string;
  itemStatus?: string;
  loanDate: string;
  loanPolicyId?: string;
  lostItemPolicyId?: string;
  metadata?: Metadata;
  overdueFinePolicyId?: string;
  patronGroupIdAtCheckout?: string;
  proxyUserId?: string;
  reminders?: {
    lastFeeBilled?: {
      date?: string;
      number?: number;
    };
  };
  renewalCount?: number;
  returnDate?: string;
  status?: {
    name?: string;
  };
  systemReturnDate?: string;
  userId?: string;
}

export interface LoanHistoryItem {
  creationDate: string;
  id: string;
  loan: {
    action: string;
    actionComment?: string;
    agedToLostDelayedBilling?: {
      agedToLostDate?: string;
      dateLostItemShouldBeBilled?: string;
      lostItemHasBeenBilled?: boolean;
    };
    checkinServicePointId?: string;
    checkoutServicePointId?: string;
    claimedReturnedDate?: string;
    declaredLostDate?: string;
    dueDate?: string;
    dueDateChangedByRecall?: boolean;
    id?: string;
    itemEffectiveLocationIdAtCheckOut?: string;
    itemId: string;
    itemStatus?: string;
    loanDate: string;
    loanPolicyId?: string;
    lostItemPolicyId?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    overdueFinePolicyId?: string;
    patronGroupIdAtCheckout?: string;
    proxyUserId?: string;
    reminders?: {
      lastFeeBilled?: {
        date?: string;
        number?: number;
      };
    };
    renewalCount?: number;
    returnDate?: string;
    status?: {
      name?: string;
    };
    systemReturnDate?: string;
    userId?: string;
  };
  operation: string;
}

export interface LoanPolicy {
  description?: string;
  id: string;
  loanable: boolean;
  loansPolicy?: {
    closedLibraryDueDateManagementId?: string;
    fixedDueDateScheduleId?: string;
    gracePeriod?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    itemLimit?: number;
    openingTimeOffset?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    period?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    profileId?: string;
  };
  metadata?: Metadata;
  name: string;
  renewable: boolean;
  renewalsPolicy?: {
    alternateFixedDueDateScheduleId?: string;
    differentPeriod?: boolean;
    numberAllowed?: number;
    period?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    renewFromId?: string;
    unlimited?: boolean;
  };
  requestManagement?: {
    holds?: {
      alternateCheckoutLoanPeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      alternateRenewalLoanPeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      renewItemsWithRequest?: boolean;
    };
    pages?: {
      alternateCheckoutLoanPeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      alternateRenewalLoanPeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      renewItemsWithRequest?: boolean;
    };
    recalls?: {
      allowRecallsToExtendOverdueLoans?: boolean;
      alternateGracePeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      alternateRecallReturnInterval?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      minimumGuaranteedLoanPeriod?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
      recallReturnInterval?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
      };
    };
  };
}

export interface LoanType {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface Location {
  campus?: Record<string, unknown>;
  campusId: string;
  code: string;
  description?: string;
  details?: Record<string, unknown>;
  discoveryDisplayName?: string;
  id: string;
  institution?: Record<string, unknown>;
  institutionId: string;
  isActive?: boolean;
  library?: Record<string, unknown>;
  libraryId: string;
  metadata?: Metadata;
  name: string;
  primaryServicePoint: string;
  primaryServicePointObject?: {
    code: string;
    description?: string;
    discoveryDisplayName: string;
    holdShelfClosedLibraryDateManagement?: "Keep_the_current_due_date" | "Move_to_the_end_of_the_previous_open_day" | "Move_to_the_end_of_the_next_open_day" | "Keep_the_current_due_date_time" | "Move_to_end_of_current_service_point_hours" | "Move_to_beginning_of_next_open_service_point_hours";
    holdShelfExpiryPeriod?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    id?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    name: string;
    pickupLocation?: boolean;
    shelvingLagTime?: number;
    staffSlips?: {
      id: string;
      printByDefault: boolean;
    }[];
  };
  servicePointIds?: string[];
  servicePoints?: unknown[];
}

export interface LostItemFeePolicy {
  chargeAmountItem?: {
    amount?: number;
    chargeType?: string;
  };
  chargeAmountItemPatron?: boolean;
  chargeAmountItemSystem?: boolean;
  description?: string;
  feesFinesShallRefunded?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  id: string;
  itemAgedLostOverdue?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  lostItemChargeFeeFine?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  lostItemProcessingFee?: number;
  lostItemReturned?: string;
  metadata?: Metadata;
  name: string;
  patronBilledAfterAgedLost?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  patronBilledAfterRecalledItemAgedLost?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  recalledItemAgedLostOverdue?: {
    duration?: number;
    intervalId?: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
  };
  replacedLostItemProcessingFee?: boolean;
  replacementAllowed?: boolean;
  replacementProcessingFee?: number;
  returnedLostItemProcessingFee?: boolean;
}

export interface ManualBlock {
  borrowing?: boolean;
  code?: string;
  desc: string;
  expirationDate?: string;
  id: string;
  metadata?: Metadata;
  patronMessage?: string;
  renewals?: boolean;
  requests?: boolean;
  staffInformation?: string;
  type?: string;
  userId: string;
}

export interface ManualBlockTemplate {
  blockTemplate?: {
    borrowing?: boolean;
    desc?: string;
    patronMessage?: string;
    renewals?: boolean;
    requests?: boolean;
  };
  code?: string;
  desc?: string;
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface MaterialType {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface MigrationJob {
  affectedEntities?: string[];
  finishedDate?: string;
  id: string;
  jobStatus?: "In progress" | "Id publishing failed" | "Ids published" | "Pending cancel" | "Cancelled" | "Completed";
  migrations?: string[];
  processed?: {
    count?: number;
    migrationName?: string;
  }[];
  published?: {
    count?: number;
    migrationName?: string;
  }[];
  submittedDate?: string;
}

export interface ModeOfIssuance {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface NatureOfContentTerm {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface Note {
  content?: string;
  domain: string;
  id: string;
  links?: {
    id: string;
    type: string;
  }[];
  metadata?: {
    createdBy?: {
      firstName?: string;
      lastName?: string;
      middleName?: string;
    };
    createdByUserId?: string;
    createdByUsername?: string;
    createdDate: string;
    updatedBy?: {
      firstName?: string;
      lastName?: string;
      middleName?: string;
    };
    updatedByUserId?: string;
    updatedByUsername?: string;
    updatedDate?: string;
  };
  popUpOnCheckOut?: boolean;
  popUpOnUser?: boolean;
  title: string;
  type?: string;
  typeId: string;
}

export interface NoteType {
  id: string;
  metadata?: {
    createdBy?: {
      firstName?: string;
      lastName?: string;
      middleName?: string;
    };
    createdByUserId?: string;
    createdByUsername?: string;
    createdDate: string;
    updatedBy?: {
      firstName?: string;
      lastName?: string;
      middleName?: string;
    };
    updatedByUserId?: string;
    updatedByUsername?: string;
    updatedDate?: string;
  };
  name: string;
  usage?: {
    isAssigned?: boolean;
  };
}

export interface Notice {
  attempts?: number;
  body?: string;
  channel?: string;
  context?: Record<string, unknown>;
  decidedByUserId?: string;
  decidedDate?: string;
  emailId?: string;
  event?: string;
  feeFineActionId?: string;
  feeFineActionIds?: string[];
  header?: string;
  id: string;
  language?: string;
  lastAttemptDate?: string;
  loanId?: string;
  loanIds?: string[];
  message?: string;
  nextAttemptDate?: string;
  outputFormat?: string;
  policyId?: string;
  policyName?: string;
  printEntryId?: string;
  reason?: string;
  recipientId?: string;
  remarks?: string[];
  requestId?: string;
  resendOf?: string;
  ruleLine?: number;
  scheduledFor?: string;
  sentDate?: string;
  status?: string;
  templateId?: string;
  timing?: string;
  to?: string;
  writtenDate?: string;
}

export interface Notification {
  context?: Record<string, unknown>;
  eventConfigName?: string;
  id: string;
  lang?: string;
  link?: string;
  metadata?: Metadata;
  recipientId?: string;
  seen?: boolean;
  senderId?: string;
  text: string;
}

export interface OverdueFinePolicy {
  countClosed?: boolean;
  description?: string;
  forgiveOverdueFine?: boolean;
  gracePeriodRecall?: boolean;
  id: string;
  maxOverdueFine?: number;
  maxOverdueRecallFine?: number;
  metadata?: Metadata;
  name: string;
  overdueFine?: {
    intervalId?: "minute" | "hour" | "day" | "week" | "month" | "year";
    quantity?: number;
  };
  overdueRecallFine?: {
    intervalId?: "minute" | "hour" | "day" | "week" | "month" | "year";
    quantity?: number;
  };
  reminderFeesPolicy?: {
    allowRenewalOfItemsWithReminderFees?: boolean;
    clearPatronBlockWhenPaid?: boolean;
    countClosed?: boolean;
    ignoreGracePeriodHolds?: boolean;
    ignoreGracePeriodRecall?: boolean;
    reminderSchedule?: {
      blockTemplateId?: string;
      interval: number;
      noticeFormat?: "Email" | "Print" | "None";
      noticeTemplateId: string;
      reminderFee: number;
      timeUnitId: "day" | "week" | "minute";
    }[];
  };
}

export interface PatronActionSession {
  actionType: "Check-out" | "Check-in";
  id: string;
  loanId: string;
  metadata?: Metadata;
  patronId: string;
  sessionId?: string;
}

export interface PatronBlockCondition {
  blockBorrowing: boolean;
  blockRenewals: boolean;
  blockRequests: boolean;
  id: string;
  message?: string;
  metadata?: Metadata;
  name: string;
  valueType: "Integer" | "Double";
}

export interface PatronBlockLimit {
  conditionId: string;
  id: string;
  metadata?: Metadata;
  patronGroupId: string;
  value: number;
}

export interface PatronGroup {
  desc?: string;
  expirationOffsetInDays?: number;
  group: string;
  id: string;
  metadata?: Metadata;
  source?: string;
}

export interface PatronNoticePolicy {
  active?: boolean;
  description?: string;
  feeFineNotices?: {
    format: "Email" | "SMS" | "Print";
    frequency?: "One time" | "Recurring";
    name?: string;
    realTime: boolean;
    sendOptions?: {
      sendBy?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendEvery?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendHow?: "Upon At" | "After";
      sendWhen: "Overdue fine returned" | "Overdue fine renewed" | "Aged to lost - fine charged" | "Aged to lost & item returned - fine adjusted" | "Aged to lost & item replaced - fine adjusted";
    };
    templateId: string;
    templateName?: string;
  }[];
  id: string;
  loanNotices?: {
    format: "Email" | "SMS" | "Print";
    frequency?: "One time" | "Recurring";
    name?: string;
    realTime: boolean;
    sendOptions?: {
      sendBy?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendEvery?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendHow?: "Upon At" | "Before" | "After";
      sendWhen: "Due date" | "Renewed" | "Check in" | "Check out" | "Manual due date change" | "Item recalled" | "Aged to lost";
    };
    templateId: string;
    templateName?: string;
  }[];
  metadata?: Metadata;
  name: string;
  requestNotices?: {
    format: "Email" | "SMS" | "Print";
    frequency?: "One time" | "Recurring";
    name?: string;
    realTime: boolean;
    sendOptions?: {
      sendBy?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendEvery?: {
        duration: number;
        intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months" | "Years";
      };
      sendHow?: "Upon At" | "Before" | "After";
      sendWhen: "Recall request" | "Hold request" | "Request expiration" | "Paging request" | "Available" | "Hold expiration" | "Request cancellation";
    };
    templateId: string;
    templateName?: string;
  }[];
}

export interface PaymentMethod {
  allowedRefundMethod?: boolean;
  id: string;
  metadata?: Metadata;
  nameMethod: string;
  ownerId?: string;
}

export interface Permission {
  childOf?: unknown[];
  deprecated?: boolean;
  description?: string;
  displayName?: string;
  dummy?: boolean;
  grantedTo?: unknown[];
  id: string;
  metadata?: Metadata;
  moduleName?: string;
  moduleVersion?: string;
  mutable?: boolean;
  permissionName?: string;
  subPermissions?: unknown[];
  tags?: string[];
  visible?: boolean;
}

export interface PrecedingOrSucceedingTitle {
  hrid?: string;
  id: string;
  identifiers?: {
    identifierTypeId: string;
    value: string;
  }[];
  metadata?: Metadata;
  precedingInstanceId?: string;
  succeedingInstanceId?: string;
  title?: string;
}

export interface ProxyRelation {
  accrueTo?: string;
  createdDate?: string;
  expirationDate?: string;
  id: string;
  metadata?: Metadata;
  notificationsTo?: string;
  proxyUserId?: string;
  requestForSponsor?: string;
  status?: string;
  userId?: string;
}

export interface RefundReason {
  accountId?: string;
  description?: string;
  id: string;
  metadata?: Metadata;
  nameReason: string;
}

export interface ReindexJob {
  id: string;
  jobStatus?: "In progress" | "Id publishing failed" | "Ids published" | "Pending cancel" | "Id publishing cancelled";
  published?: number;
  resourceName?: "Instance" | "Unknown";
  submittedDate?: string;
}

export interface RemoteStorageConfiguration {
  accessionDelay?: number;
  accessionTimeUnit?: "minutes" | "hours" | "days" | "weeks" | "months";
  accessionWorkflowDetails?: "Duplicate holdings" | "Change permanent location";
  apiKey?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  providerName: string;
  returningWorkflowDetails?: "Scanned to folio" | "Scanned to CaiaSoft";
  statusUrl?: string;
  url?: string;
}

export interface Request {
  awaitingPickupRequestClosedDate?: string;
  cancellationAdditionalInformation?: string;
  cancellationReasonId?: string;
  cancelledByUserId?: string;
  cancelledDate?: string;
  deliveryAddressTypeId?: string;
  fulfillmentPreference: "Hold Shelf" | "Delivery";
  holdShelfExpirationDate?: string;
  holdingsRecordId?: string;
  id: string;
  instance?: {
    identifiers?: {
      identifierTypeId: string;
      value: string;
    }[];
    title?: string;
  };
  instanceId: string;
  item?: {
    barcode?: string;
  };
  itemId?: string;
  metadata?: Metadata;
  patronComments?: string;
  pickupServicePointId?: string;
  position?: number;
  proxy?: {
    barcode?: string;
    firstName?: string;
    lastName?: string;
    middleName?: string;
    patronGroup?: string;
  };
  proxyUserId?: string;
  requestDate: string;
  requestExpirationDate?: string;
  requestLevel: "Item" | "Title";
  requestType: "Hold" | "Recall" | "Page";
  requester?: {
    barcode?: string;
    firstName?: string;
    lastName?: string;
    middleName?: string;
    patronGroup?: string;
  };
  requesterId: string;
  searchIndex?: {
    callNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    pickupServicePointName?: string;
    shelvingOrder?: string;
  };
  status: "Open - Not yet filled" | "Open - Awaiting pickup" | "Open - In transit" | "Open - Awaiting delivery" | "Closed - Filled" | "Closed - Cancelled" | "Closed - Unfilled" | "Closed - Pickup expired";
  tags?: {
    tagList?: string[];
  };
}

export interface RequestPolicy {
  allowedServicePoints?: {
    Hold?: string[];
    Page?: string[];
    Recall?: string[];
  };
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  requestTypes?: ("Hold" | "Recall" | "Page")[];
}

export interface RequestPreference {
  defaultDeliveryAddressTypeId?: string;
  defaultServicePointId?: string;
  delivery: boolean;
  fulfillment?: "Delivery" | "Hold Shelf";
  holdShelf: boolean;
  id: string;
  metadata?: Metadata;
  userId: string;
}

export interface SMTPConfiguration {
  authMethods?: string;
  emailHeaders?: {
    name: string;
    value: string;
  }[];
  from?: string;
  host: string;
  id: string;
  loginOption?: "DISABLED" | "NONE" | "REQUIRED" | "XOAUTH2";
  metadata?: Metadata;
  password: string;
  port: number;
  ssl?: boolean;
  startTlsOptions?: "DISABLED" | "OPTIONAL" | "REQUIRED";
  trustAll?: boolean;
  username: string;
}

export interface ScheduledNotice {
  feeFineActionId?: string;
  id: string;
  loanId?: string;
  metadata?: Metadata;
  nextRunTime: string;
  noticeConfig: {
    format: "Email" | "SMS" | "Print";
    recurringPeriod?: {
      duration: number;
      intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
    };
    sendInRealTime?: boolean;
    templateId: string;
    timing: "Upon At" | "Before" | "After";
  };
  recipientUserId?: string;
  requestId?: string;
  sessionId?: string;
  triggeringEvent?: "Hold expiration" | "Request expiration" | "Due date" | "Overdue fine returned" | "Overdue fine renewed" | "Due date - with reminder fee" | "Aged to lost" | "Aged to lost - fine charged" | "Aged to lost & item returned - fine adjusted" | "Aged to lost & item replaced - fine adjusted" | "Title level request expiration";
}

export interface ServicePoint {
  code: string;
  description?: string;
  discoveryDisplayName: string;
  holdShelfClosedLibraryDateManagement?: "Keep_the_current_due_date" | "Move_to_the_end_of_the_previous_open_day" | "Move_to_the_end_of_the_next_open_day" | "Keep_the_current_due_date_time" | "Move_to_end_of_current_service_point_hours" | "Move_to_beginning_of_next_open_service_point_hours";
  holdShelfExpiryPeriod?: {
    duration: number;
    intervalId: "Minutes" | "Hours" | "Days" | "Weeks" | "Months";
  };
  id: string;
  metadata?: Metadata;
  name: string;
  pickupLocation?: boolean;
  shelvingLagTime?: number;
  staffSlips?: {
    id: string;
    printByDefault: boolean;
  }[];
}

export interface ServicePointsUser {
  defaultServicePointId?: string;
  id: string;
  metadata?: Metadata;
  servicePointsIds?: string[];
  userId: string;
}

export interface StaffSlip {
  active?: boolean;
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  template: string;
}

export interface StatisticalCode {
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
  source: unknown;
  statisticalCodeTypeId: string;
}

export interface StatisticalCodeType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
}

export interface TLRFeatureToggleJob {
  errors?: string[];
  id: string;
  metadata?: Metadata;
  numberOfUpdatedRequests?: number;
  status?: "open" | "in-progress" | "done" | "failed";
}

export interface Tag {
  description?: string;
  id: string;
  label: string;
  metadata?: {
    createdByUserId?: string;
    createdDate: string;
    updatedByUserId?: string;
    updatedDate?: string;
  };
}

export interface Template {
  description?: string;
  id: string;
  localizedTemplates: Record<string, {
    attachments?: {
      contentId?: string;
      contentType?: string;
      data?: string;
      description?: string;
      disposition?: string;
      name?: string;
    }[];
    body: string;
    header: string;
  }>;
  metadata?: Metadata;
  outputFormats: string[];
  templateResolver: string;
}

export interface TransferAccount {
  accountName: string;
  desc?: string;
  id: string;
  metadata?: Metadata;
  ownerId?: string;
}

export interface TransferCriteria {
  criteria?: string;
  id: string;
  interval?: string;
  type?: string;
  value?: number;
}

export interface User {
  active?: boolean;
  barcode?: string;
  createdDate?: string;
  customFields?: Record<string, unknown>;
  departments?: string[];
  enrollmentDate?: string;
  expirationDate?: string;
  externalSystemId?: string;
  id: string;
  meta?: Record<string, unknown>;
  metadata?: Metadata;
  patronGroup?: string;
  personal?: {
    addresses?: {
      addressLine1?: string;
      addressLine2?: string;
      addressTypeId: string;
      city?: string;
      countryId?: string;
      id?: string;
      postalCode?: string;
      primaryAddress?: boolean;
      region?: string;
    }[];
    dateOfBirth?: string;
    email?: string;
    firstName?: string;
    lastName: string;
    middleName?: string;
    mobilePhone?: string;
    phone?: string;
    preferredContactTypeId?: string;
    preferredFirstName?: string;
    profilePictureLink?: string;
  };
  proxyFor?: string[];
  tags?: {
    tagList?: string[];
  };
  type?: string;
  updatedDate?: string;
  username?: string;
}

export interface ValidationRule {
  description?: string;
  errMessageId?: string;
  expression?: string;
  id: string;
  implementationReference?: string;
  metadata?: Metadata;
  moduleName: string;
  name: string;
  orderNo: number;
  ruleId?: string;
  state: "Enabled" | "Disabled";
  type: "RegExp" | "Programmatic" | "PwnedPassword";
  validationType: "Soft" | "Strong";
}

export interface WaiveReason {
  accountId?: string;
  description?: string;
  id: string;
  metadata?: Metadata;
  nameReason: string;
}

export interface Metadata {
  createdByUserId?: string;
  createdByUsername?: string;
  createdDate: string;
  updatedByUserId?: string;
  updatedByUsername?: string;
  updatedDate?: string;
}

/** What a GET answers, by its path. */
export interface Answers {
  "/accounts": {
    accounts: FeeFineAccount[];
    totalRecords: number;
  };
  "/actual-cost-record-storage/actual-cost-records": {
    actualCostRecords: ActualCostRecord[];
    totalRecords: number;
  };
  "/addresstypes": {
    addressTypes: AddressType[];
    totalRecords: number;
  };
  "/alternative-title-types": {
    alternativeTitleTypes: AlternativeTitleType[];
    totalRecords: number;
  };
  "/call-number-types": {
    callNumberTypes: CallNumberType[];
    totalRecords: number;
  };
  "/cancellation-reason-storage/cancellation-reasons": {
    cancellationReasons: CancellationReason[];
    totalRecords: number;
  };
  "/check-in-storage/check-ins": {
    checkIns: CheckIn[];
    totalRecords: number;
  };
  "/circulation-item": {
    items: CirculationItem[];
    totalRecords: number;
  };
  "/classification-types": {
    classificationTypes: ClassificationType[];
    totalRecords: number;
  };
  "/comments": {
    comments: CommentSetting[];
    totalRecords: number;
  };
  "/configurations/entries": {
    configs: ConfigurationEntry[];
    totalRecords: number;
  };
  "/contributor-name-types": {
    contributorNameTypes: ContributorNameType[];
    totalRecords: number;
  };
  "/contributor-types": {
    contributorTypes: ContributorType[];
    totalRecords: number;
  };
  "/departments": {
    departments: Department[];
    totalRecords: number;
  };
  "/electronic-access-relationships": {
    electronicAccessRelationships: ElectronicAccessRelationship[];
    totalRecords: number;
  };
  "/email": {
    emailEntity: EMail[];
    totalRecords: number;
  };
  "/eventConfig": {
    eventEntity: EventConfiguration[];
    totalRecords: number;
  };
  "/feefineactions": {
    feefineactions: FeeFineAction[];
    totalRecords: number;
  };
  "/feefines": {
    feefines: FeeFineType[];
    totalRecords: number;
  };
  "/fixed-due-date-schedule-storage/fixed-due-date-schedules": {
    fixedDueDateSchedules: FixedDueDateSchedule[];
    totalRecords: number;
  };
  "/groups": {
    totalRecords: number;
    usergroups: PatronGroup[];
  };
  "/holdings-note-types": {
    holdingsNoteTypes: HoldingsNoteType[];
    totalRecords: number;
  };
  "/holdings-sources": {
    holdingsRecordsSources: HoldingsRecordsSource[];
    totalRecords: number;
  };
  "/holdings-storage/holdings": {
    holdingsRecords: HoldingsRecord[];
    totalRecords: number;
  };
  "/holdings-types": {
    holdingsTypes: HoldingsType[];
    totalRecords: number;
  };
  "/identifier-types": {
    identifierTypes: IdentifierType[];
    totalRecords: number;
  };
  "/ill-policies": {
    illPolicies: ILLPolicy[];
    totalRecords: number;
  };
  "/instance-formats": {
    instanceFormats: InstanceFormat[];
    totalRecords: number;
  };
  "/instance-note-types": {
    instanceNoteTypes: InstanceNoteType[];
    totalRecords: number;
  };
  "/instance-relationship-types": {
    instanceRelationshipTypes: InstanceRelationshipType[];
    totalRecords: number;
  };
  "/instance-statuses": {
    instanceStatuses: InstanceStatus[];
    totalRecords: number;
  };
  "/instance-storage/instance-relationships": {
    instanceRelationships: InstanceRelationship[];
    totalRecords: number;
  };
  "/instance-storage/instances": {
    instances: Instance[];
    totalRecords: number;
  };
  "/instance-storage/reindex": {
    reindexJobs: ReindexJob[];
    totalRecords: number;
  };
  "/instance-types": {
    instanceTypes: InstanceType[];
    totalRecords: number;
  };
  "/inventory-storage/bound-with-parts": {
    boundWithParts: BoundWithPart[];
    totalRecords: number;
  };
  "/inventory-storage/migrations/jobs": {
    jobs: MigrationJob[];
    totalRecords: number;
  };
  "/item-damaged-statuses": {
    itemDamageStatuses: ItemDamagedStatus[];
    totalRecords: number;
  };
  "/item-note-types": {
    itemNoteTypes: ItemNoteType[];
    totalRecords: number;
  };
  "/item-storage/items": {
    items: Item[];
    totalRecords: number;
  };
  "/loan-policy-storage/loan-policies": {
    loanPolicies: LoanPolicy[];
    totalRecords: number;
  };
  "/loan-storage/loan-history": {
    loansHistory: LoanHistoryItem[];
    totalRecords: number;
  };
  "/loan-storage/loans": {
    loans: Loan[];
    totalRecords: number;
  };
  "/loan-types": {
    loantypes: LoanType[];
    totalRecords: number;
  };
  "/location-units/campuses": {
    loccamps: Campus[];
    totalRecords: number;
  };
  "/location-units/institutions": {
    locinsts: Institution[];
    totalRecords: number;
  };
  "/location-units/libraries": {
    loclibs: Library[];
    totalRecords: number;
  };
  "/locations": {
    locations: Location[];
    totalRecords: number;
  };
  "/lost-item-fees-policies": {
    lostItemFeePolicies: LostItemFeePolicy[];
    totalRecords: number;
  };
  "/manual-block-templates": {
    manualBlockTemplates: ManualBlockTemplate[];
    totalRecords: number;
  };
  "/manualblocks": {
    manualblocks: ManualBlock[];
    totalRecords: number;
  };
  "/material-types": {
    mtypes: MaterialType[];
    totalRecords: number;
  };
  "/modes-of-issuance": {
    issuanceModes: ModeOfIssuance[];
    totalRecords: number;
  };
  "/nature-of-content-terms": {
    natureOfContentTerms: NatureOfContentTerm[];
    totalRecords: number;
  };
  "/note-types": {
    noteTypes: NoteType[];
    totalRecords: number;
  };
  "/notes": {
    notes: Note[];
    totalRecords: number;
  };
  "/notice-ledger/notices": {
    notices: Notice[];
    totalRecords: number;
  };
  "/notify": {
    notifications: Notification[];
    totalRecords: number;
  };
  "/overdue-fines-policies": {
    overdueFinePolicies: OverdueFinePolicy[];
    totalRecords: number;
  };
  "/owners": {
    owners: FeeFineOwner[];
    totalRecords: number;
  };
  "/patron-action-session-storage/patron-action-sessions": {
    patronActionSessions: PatronActionSession[];
    totalRecords: number;
  };
  "/patron-block-conditions": {
    patronBlockConditions: PatronBlockCondition[];
    totalRecords: number;
  };
  "/patron-block-limits": {
    patronBlockLimits: PatronBlockLimit[];
    totalRecords: number;
  };
  "/patron-notice-policy-storage/patron-notice-policies": {
    patronNoticePolicies: PatronNoticePolicy[];
    totalRecords: number;
  };
  "/payments": {
    payments: PaymentMethod[];
    totalRecords: number;
  };
  "/preceding-succeeding-titles": {
    precedingSucceedingTitles: PrecedingOrSucceedingTitle[];
    totalRecords: number;
  };
  "/proxiesfor": {
    proxiesFor: ProxyRelation[];
    totalRecords: number;
  };
  "/refunds": {
    refunds: RefundReason[];
    totalRecords: number;
  };
  "/remote-storage/configurations": {
    configurations: RemoteStorageConfiguration[];
    totalRecords: number;
  };
  "/request-policy-storage/request-policies": {
    requestPolicies: RequestPolicy[];
    totalRecords: number;
  };
  "/request-preference-storage/request-preference": {
    requestPreferences: RequestPreference[];
    totalRecords: number;
  };
  "/request-storage/requests": {
    requests: Request[];
    totalRecords: number;
  };
  "/scheduled-notice-storage/scheduled-notices": {
    scheduledNotices: ScheduledNotice[];
    totalRecords: number;
  };
  "/service-points": {
    servicepoints: ServicePoint[];
    totalRecords: number;
  };
  "/service-points-users": {
    servicePointsUsers: ServicePointsUser[];
    totalRecords: number;
  };
  "/smtp-configuration": {
    smtpConfigurations: SMTPConfiguration[];
    totalRecords: number;
  };
  "/staff-slips-storage/staff-slips": {
    staffSlips: StaffSlip[];
    totalRecords: number;
  };
  "/statistical-code-types": {
    statisticalCodeTypes: StatisticalCodeType[];
    totalRecords: number;
  };
  "/statistical-codes": {
    statisticalCodes: StatisticalCode[];
    totalRecords: number;
  };
  "/tags": {
    tags: Tag[];
    totalRecords: number;
  };
  "/templates": {
    templates: Template[];
    totalRecords: number;
  };
  "/tenant/rules": {
    rules: ValidationRule[];
    totalRecords: number;
  };
  "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs": {
    tlrFeatureToggleJobs: TLRFeatureToggleJob[];
    totalRecords: number;
  };
  "/transfer-criterias": {
    totalRecords: number;
    transferCriterias: TransferCriteria[];
  };
  "/transfers": {
    totalRecords: number;
    transfers: TransferAccount[];
  };
  "/users": {
    totalRecords: number;
    users: User[];
  };
  "/waives": {
    totalRecords: number;
    waivers: WaiveReason[];
  };
}
