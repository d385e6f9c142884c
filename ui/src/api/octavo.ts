/**
 * FOLIO's records as this server declares them, what its calls take and answer, and what its lists answer: generated from
 * `/octavo/openapi.json` by `make generated`; a test holds it in step. Here is what a file of the desk names: to use
 * another type or list, name it and run `make generated`.
 */

export interface Account {
  charges: Charge[];
  holds: Hold[];
  id: string;
  loans: PatronLoan[];
  totalCharges: {
    amount: number;
    isoCurrencyCode: string;
  };
  totalChargesCount: number;
  totalHolds: number;
  totalLoans: number;
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

export interface AuthorityBrowseResult {
  items?: {
    authority?: {
      authRefType?: string;
      corporateName?: string;
      corporateNameTitle?: string;
      genreTerm?: string;
      geographicName?: string;
      headingRef?: string;
      headingType?: string;
      id?: string;
      identifiers?: {
        identifierTypeId?: string;
        value?: string;
      }[];
      meetingName?: string;
      meetingNameTitle?: string;
      metadata?: {
        createdByUserId?: string;
        createdByUsername?: string;
        createdDate?: string;
        updatedByUserId?: string;
        updatedByUsername?: string;
        updatedDate?: string;
      };
      naturalId?: string;
      notes?: {
        note?: string;
        noteTypeId?: unknown;
      }[];
      numberOfTitles?: number;
      personalName?: string;
      personalNameTitle?: string;
      saftCorporateName?: string[];
      saftCorporateNameTitle?: string[];
      saftGenreTerm?: string[];
      saftGeographicName?: string[];
      saftMeetingName?: string[];
      saftMeetingNameTitle?: string[];
      saftPersonalName?: string[];
      saftPersonalNameTitle?: string[];
      saftTopicalTerm?: string[];
      saftUniformTitle?: string[];
      sftCorporateName?: string[];
      sftCorporateNameTitle?: string[];
      sftGenreTerm?: string[];
      sftGeographicName?: string[];
      sftMeetingName?: string[];
      sftMeetingNameTitle?: string[];
      sftPersonalName?: string[];
      sftPersonalNameTitle?: string[];
      sftTopicalTerm?: string[];
      sftUniformTitle?: string[];
      shared?: boolean;
      source?: string;
      sourceFileId?: string;
      subjectHeadings?: string;
      tenantId?: string;
      topicalTerm?: string;
      uniformTitle?: string;
    };
    headingRef?: string;
    isAnchor?: boolean;
  }[];
  next?: string;
  prev?: string;
  totalRecords?: number;
}

export interface AuthoritySearchResult {
  authorities?: {
    authRefType?: string;
    corporateName?: string;
    corporateNameTitle?: string;
    genreTerm?: string;
    geographicName?: string;
    headingRef?: string;
    headingType?: string;
    id?: string;
    identifiers?: {
      identifierTypeId?: string;
      value?: string;
    }[];
    meetingName?: string;
    meetingNameTitle?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate?: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    naturalId?: string;
    notes?: {
      note?: string;
      noteTypeId?: unknown;
    }[];
    numberOfTitles?: number;
    personalName?: string;
    personalNameTitle?: string;
    saftCorporateName?: string[];
    saftCorporateNameTitle?: string[];
    saftGenreTerm?: string[];
    saftGeographicName?: string[];
    saftMeetingName?: string[];
    saftMeetingNameTitle?: string[];
    saftPersonalName?: string[];
    saftPersonalNameTitle?: string[];
    saftTopicalTerm?: string[];
    saftUniformTitle?: string[];
    sftCorporateName?: string[];
    sftCorporateNameTitle?: string[];
    sftGenreTerm?: string[];
    sftGeographicName?: string[];
    sftMeetingName?: string[];
    sftMeetingNameTitle?: string[];
    sftPersonalName?: string[];
    sftPersonalNameTitle?: string[];
    sftTopicalTerm?: string[];
    sftUniformTitle?: string[];
    shared?: boolean;
    source?: string;
    sourceFileId?: string;
    subjectHeadings?: string;
    tenantId?: string;
    topicalTerm?: string;
    uniformTitle?: string;
  }[];
  totalRecords?: number;
}

export interface AuthoritySourceFile {
  _version?: number;
  baseUrl?: string;
  codes: string[];
  hridManagement?: {
    startNumber?: number;
  };
  id: string;
  metadata?: {
    createdByUserId?: string;
    createdDate?: string;
    updatedByUserId?: string;
    updatedDate?: string;
  };
  name: string;
  selectable?: boolean;
  source: "folio" | "local";
  type?: string;
}

export interface AuthorityStatsDtoCollection {
  next?: string;
  stats?: {
    action?: "DELETE" | "UPDATE_NATURAL_ID" | "UPDATE_HEADING";
    authorityId?: string;
    headingNew?: string;
    headingOld?: string;
    headingTypeNew?: string;
    headingTypeOld?: string;
    id?: string;
    lbFailed?: number;
    lbTotal?: number;
    lbUpdated?: number;
    metadata?: {
      completedAt?: string;
      startedAt?: string;
      startedByUserFirstName?: string;
      startedByUserId?: string;
      startedByUserLastName?: string;
    };
    naturalIdNew?: string;
    naturalIdOld?: string;
    sourceFileNew?: string;
    sourceFileOld?: string;
  }[];
}

export interface AutomatedPatronBlocks {
  automatedPatronBlocks: {
    blockBorrowing: boolean;
    blockRenewals: boolean;
    blockRequests: boolean;
    message: string;
    patronBlockConditionId?: string;
  }[];
}

export interface BoundWithPart {
  holdingsRecordId: string;
  id: string;
  itemId: string;
  metadata?: Metadata;
}

export interface Bounds {
  least: number;
  most: number;
}

export interface Calendar {
  assignments: string[];
  endDate: string;
  exceptions: {
    calendarId?: string;
    endDate: string;
    name: string;
    openings: {
      endDate: string;
      endTime: string;
      exceptionId?: string;
      startDate: string;
      startTime: string;
    }[];
    startDate: string;
  }[];
  id: string;
  metadata?: {
    createdByUserId?: string;
    createdDate?: string;
    updatedByUserId?: string;
    updatedDate?: string;
  };
  name: string;
  normalHours: {
    calendarId?: string;
    endDay: string;
    endTime: string;
    startDay: string;
    startTime: string;
  }[];
  startDate: string;
}

export interface CalendarCollection {
  calendars: Calendar[];
  totalRecords: number;
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

export interface Charge {
  accrualDate?: string;
  chargeAmount?: {
    amount: number;
    isoCurrencyCode: string;
  };
  description?: string;
  feeFineId?: string;
  item?: {
    author?: string;
    instanceId: string;
    isbn?: string;
    itemId?: string;
    title?: string;
  };
  reason?: string;
  state?: string;
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

export interface CheckInByBarcodeResponse {
  inHouseUse?: boolean;
  item?: {
    barcode?: string;
    callNumber?: string;
    callNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    chronology?: string;
    contributors?: {
      name?: string;
    }[];
    copyNumber?: string;
    displaySummary?: string;
    enumeration?: string;
    holdingsRecordId?: string;
    id?: string;
    inTransitDestinationServicePoint?: {
      id?: string;
      name?: string;
    };
    inTransitDestinationServicePointId?: string;
    instanceId?: string;
    location?: {
      name?: string;
    };
    materialType?: {
      name?: string;
    };
    status?: {
      date?: string;
      name?: string;
    };
    title?: string;
    volume?: string;
  };
  loan?: CirculationLoan;
  staffSlipContext?: SlipContext;
}

export interface CirculationAllowedServicePointsResponse {
  Hold?: {
    id: string;
    name: string;
  }[] | null;
  Page?: {
    id: string;
    name: string;
  }[] | null;
  Recall?: {
    id: string;
    name: string;
  }[] | null;
}

export interface CirculationLoan {
  action: string;
  actionComment?: string;
  borrower?: {
    barcode?: string;
    firstName?: string;
    lastName?: string;
    middleName?: string;
  };
  checkinServicePoint?: {
    code?: string;
    description?: string;
    discoveryDisplayName?: string;
    holdShelfClosedLibraryDateManagement?: string;
    name?: string;
    pickupLocation?: boolean;
    shelvingLagTime?: number;
  };
  checkinServicePointId?: string;
  checkoutServicePoint?: {
    code?: string;
    description?: string;
    discoveryDisplayName?: string;
    holdShelfClosedLibraryDateManagement?: string;
    name?: string;
    pickupLocation?: boolean;
    shelvingLagTime?: number;
  };
  checkoutServicePointId?: string;
  declaredLostDate?: string;
  dueDate?: string;
  dueDateChangedByHold?: boolean;
  dueDateChangedByNearExpireUser?: boolean;
  dueDateChangedByRecall?: boolean;
  feesAndFines?: {
    amountRemainingToPay?: number;
  };
  id: string;
  item?: {
    barcode?: string;
    callNumber?: string;
    callNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    chronology?: string;
    contributors?: {
      name?: string;
    }[];
    copyNumber?: string;
    displaySummary?: string;
    enumeration?: string;
    holdingsRecordId?: string;
    id?: string;
    inTransitDestinationServicePoint?: {
      id?: string;
      name?: string;
    };
    inTransitDestinationServicePointId?: string;
    instanceId?: string;
    location?: {
      name?: string;
    };
    materialType?: {
      name?: string;
    };
    status?: {
      date?: string;
      name?: string;
    };
    title?: string;
    volume?: string;
  };
  itemEffectiveLocationIdAtCheckOut?: string;
  itemId: string;
  loanDate: string;
  loanPolicy?: {
    name?: string;
  };
  loanPolicyId?: string;
  lostItemPolicy?: {
    name?: string;
  };
  lostItemPolicyId?: string;
  metadata?: Metadata;
  overdueFinePolicy?: {
    name?: string;
  };
  overdueFinePolicyId?: string;
  patronGroupAtCheckout?: {
    id?: string;
    name?: string;
  };
  proxyUserId?: string;
  renewalCount?: number;
  returnDate?: string;
  status?: {
    name?: string;
  };
  systemReturnDate?: string;
  userId?: string;
}

export interface CirculationRequest {
  cancellationAdditionalInformation?: string;
  cancellationReasonId?: string;
  cancelledByUserId?: string;
  cancelledDate?: string;
  deliveryAddress?: {
    addressLine1?: string;
    addressLine2?: string;
    addressTypeId?: string;
    city?: string;
    countryId?: string;
    postalCode?: string;
    region?: string;
  };
  deliveryAddressTypeId?: string;
  fulfillmentPreference: "Hold Shelf" | "Delivery";
  holdShelfExpirationDate?: string;
  holdingsRecordId?: string;
  id: string;
  instance?: {
    contributorNames?: {
      name?: string;
    }[];
    editions?: string[];
    identifiers?: {
      identifierTypeId: string;
      value: string;
    }[];
    publication?: Record<string, unknown>[];
    title?: string;
  };
  instanceId?: string;
  item?: {
    barcode?: string;
    callNumber?: string;
    callNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    chronology?: string;
    copyNumber?: string;
    displaySummary?: string;
    enumeration?: string;
    itemId?: string;
    loanTypeId?: string;
    loanTypeName?: string;
    location?: {
      code?: string;
      libraryName?: string;
      name?: string;
    };
    retrievalServicePointId?: string;
    retrievalServicePointName?: string;
    status?: string;
    volume?: string;
  };
  itemId?: string;
  loan?: {
    dueDate?: string;
  };
  metadata?: Metadata;
  patronComments?: string;
  pickupServicePoint?: {
    code?: string;
    description?: string;
    discoveryDisplayName?: string;
    name?: string;
    pickupLocation?: boolean;
    shelvingLagTime?: number;
  };
  pickupServicePointId?: string;
  position?: number;
  proxy?: {
    barcode?: string;
    firstName?: string;
    lastName?: string;
    middleName?: string;
    patronGroup?: {
      desc?: string;
      group?: string;
      id?: string;
    };
    patronGroupId?: string;
    preferredFirstName?: string;
  };
  proxyUserId?: string;
  requestDate: string;
  requestExpirationDate?: string;
  requestLevel?: "Item" | "Title";
  requestProcessingParameters?: {
    overrideBlocks?: {
      comment?: string;
      itemLimitBlock?: Record<string, unknown>;
      itemNotLoanableBlock?: {
        dueDate: string;
      };
      patronBlock?: Record<string, unknown>;
      renewalBlock?: Record<string, unknown>;
      renewalDueDateRequiredBlock?: {
        dueDate: string;
      };
    };
  };
  requestType: "Hold" | "Recall" | "Page";
  requester?: {
    barcode?: string;
    firstName?: string;
    lastName?: string;
    middleName?: string;
    patronGroup?: {
      desc?: string;
      group?: string;
      id?: string;
    };
    patronGroupId?: string;
    preferredFirstName?: string;
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
  status?: "Open - Not yet filled" | "Open - Awaiting pickup" | "Open - In transit" | "Open - Awaiting delivery" | "Closed - Filled" | "Closed - Cancelled" | "Closed - Unfilled" | "Closed - Pickup expired";
  tags?: {
    tagList?: string[];
  };
}

export interface CirculationRules {
  id: string;
  rulesAsText: string;
}

export interface CirculationStorageRequest {
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

export interface ClassificationType {
  id: string;
  metadata?: Metadata;
  name: string;
  source?: string;
}

export interface CompositeUser {
  patronGroup?: {
    desc?: string;
    group: string;
    id?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
  };
  permissions?: {
    id?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    permissions?: unknown[];
    userId?: string;
  };
  proxiesFor?: Proxyfor[];
  servicePointsUser?: {
    defaultServicePoint?: {
      code: string;
      description?: string;
      discoveryDisplayName: string;
      id?: string;
      locationIds?: string[];
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
    defaultServicePointId?: string;
    id?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    servicePoints?: {
      code: string;
      description?: string;
      discoveryDisplayName: string;
      id?: string;
      locationIds?: string[];
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
    }[];
    servicePointsIds?: string[];
    userId: string;
  };
  tenant?: string;
  tokenExpiration?: {
    accessTokenExpiration: string;
    refreshTokenExpiration: string;
  };
  user?: {
    active?: boolean;
    barcode?: string;
    createdDate?: string;
    enrollmentDate?: string;
    expirationDate?: string;
    externalSystemId?: string;
    id: string;
    meta?: Record<string, unknown>;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    patronGroup?: string;
    personal?: {
      addresses?: {
        addressLine1?: string;
        addressLine2?: string;
        addressTypeId?: string;
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
    };
    proxyFor?: string[];
    tags?: {
      tagList?: string[];
    };
    type?: string;
    updatedDate?: string;
    username?: string;
  };
}

export interface Configuration {
  configName: string;
  enabled?: boolean;
  enabledObjectStorage?: boolean;
  encryptionKey?: string;
  id: string;
  maxFileSize?: number;
  metadata?: Metadata;
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

export interface CredentialsExistence {
  credentialsExist: boolean;
}

export interface CustomField {
  checkboxField?: {
    default?: boolean;
  };
  entityType: string;
  helpText?: string;
  id: string;
  isRepeatable?: boolean;
  metadata?: Metadata;
  name: string;
  order?: number;
  refId?: string;
  required?: boolean;
  selectField?: {
    multiSelect: boolean;
    options: {
      sortingOrder?: "ASC" | "DESC" | "CUSTOM";
      values: {
        default?: boolean;
        id?: string;
        value: string;
      }[];
    };
  };
  textField?: {
    fieldFormat: "TEXT" | "EMAIL" | "URL" | "NUMBER";
  };
  type: "RADIO_BUTTON" | "SINGLE_CHECKBOX" | "SINGLE_SELECT_DROPDOWN" | "MULTI_SELECT_DROPDOWN" | "TEXTBOX_SHORT" | "TEXTBOX_LONG" | "DATE_PICKER";
  visible?: boolean;
}

export interface CustomFieldCollection {
  customFields: CustomField[];
  totalRecords: number;
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

export interface EventConsumers {
  eventConsumers: {
    failures: number;
    lastTakenDate?: string;
    lost: number;
    message?: string;
    name: string;
    nextAttemptDate?: string;
    position: number;
    taken: number;
    waiting: number;
  }[];
  totalRecords: number;
}

export interface ExplainedDecision {
  at: string;
  byUserId?: string | null;
  decision: string;
  id: string;
  steps: {
    step: string;
  }[];
  undone: boolean;
  why: string[];
}

export interface ExplainedLoan {
  decisions: ExplainedDecision[];
  dueDate?: string;
  itemId?: string;
  loanDate?: string;
  loanId: string;
  loanPolicyId?: string;
  lostItemPolicyId?: string;
  overdueFinePolicyId?: string;
  returnDate?: string;
  status?: {
    name?: string;
  };
  userId?: string;
}

export interface FeatureConfig {
  enabled: boolean;
  feature: "search.all.fields" | "browse.cn.intermediate.values" | "browse.cn.intermediate.remove.duplicates" | "browse.classifications";
}

export interface FeatureConfigs {
  features?: FeatureConfig[];
  totalRecords?: number;
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

export interface HealthStatus {
  id: string;
  status: string;
}

export interface Hold {
  canceledByUserId?: string;
  canceledDate?: string;
  cancellationAdditionalInformation?: string;
  cancellationReasonId?: string;
  expirationDate?: string;
  item?: {
    author?: string;
    instanceId: string;
    isbn?: string;
    itemId?: string;
    title?: string;
  };
  patronComments?: string;
  pickupLocationId: string;
  queuePosition?: number;
  requestDate: string;
  requestId?: string;
  status?: "Open - Not yet filled" | "Open - Awaiting pickup" | "Open - Awaiting delivery" | "Open - In transit" | "Closed - Filled" | "Closed - Cancelled" | "Closed - Unfilled" | "Closed - Pickup expired";
}

export interface HoldingsNoteType {
  id: string;
  metadata?: Metadata;
  name: string;
  source: string;
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

export interface InstanceRelationshipType {
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface InstanceSearchResult {
  instances?: SearchInstance[];
  totalRecords?: number;
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

export interface InventoryInstance {
  _version?: number;
  administrativeNotes?: string[];
  alternativeTitles?: {
    alternativeTitle?: string;
    alternativeTitleTypeId?: string;
    authorityId?: string;
  }[];
  catalogedDate?: string;
  childInstances?: {
    id: string;
    instanceRelationshipTypeId: string;
    subInstanceId: string;
  }[];
  classifications?: {
    classificationNumber: string;
    classificationTypeId: string;
  }[];
  contributors?: {
    authorityId?: string;
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
  hrid?: string;
  id: string;
  identifiers?: {
    identifierTypeId: string;
    value: string;
  }[];
  indexTitle?: string;
  instanceFormatIds?: string[];
  instanceTypeId: string;
  isBoundWith?: boolean;
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
  parentInstances?: {
    id?: string;
    instanceRelationshipTypeId: string;
    superInstanceId: string;
  }[];
  physicalDescriptions?: string[];
  precedingTitles?: {
    hrid?: string;
    id?: string;
    identifiers?: {
      identifierTypeId: string;
      value: string;
    }[];
    precedingInstanceId?: string;
    title?: string;
  }[];
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
  succeedingTitles?: {
    hrid?: string;
    id?: string;
    identifiers?: {
      identifierTypeId: string;
      value: string;
    }[];
    succeedingInstanceId?: string;
    title?: string;
  }[];
  tags?: {
    tagList?: string[];
  };
  title: string;
}

export interface InventoryInstances {
  instances: InventoryInstance[];
  totalRecords: number;
}

export interface InventoryItem {
  _version?: number;
  accessionNumber?: string;
  administrativeNotes?: string[];
  barcode?: string;
  boundWithTitles?: {
    briefHoldingsRecord?: {
      hrid?: string;
      id?: string;
    };
    briefInstance?: {
      hrid?: string;
      id?: string;
      title?: string;
    };
  }[];
  callNumber?: string;
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
  contributorNames?: {
    name?: string;
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
  effectiveLocation?: {
    id?: string;
    name?: string;
  };
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
  holdingsRecordId?: string;
  hrid?: string;
  id: string;
  inTransitDestinationServicePointId?: string;
  isBoundWith?: boolean;
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
  materialType: {
    id: string;
    name?: string;
  };
  metadata?: Metadata;
  missingPieces?: string;
  missingPiecesDate?: string;
  notes?: {
    itemNoteTypeId?: string;
    note?: string;
    staffOnly?: boolean;
  }[];
  numberOfMissingPieces?: string;
  numberOfPieces?: string;
  permanentLoanType: {
    id: string;
    name?: string;
  };
  permanentLocation?: {
    id: string;
    name?: string;
  };
  purchaseOrderLineIdentifier?: string;
  statisticalCodeIds?: string[];
  status: {
    date?: string;
    name: "Aged to lost" | "Available" | "Awaiting delivery" | "Awaiting pickup" | "Checked out" | "Claimed returned" | "Declared lost" | "Lost and paid" | "Long missing" | "Missing" | "In process" | "In process (non-requestable)" | "In transit" | "Intellectual item" | "On order" | "Order closed" | "Paged" | "Restricted" | "Unavailable" | "Unknown" | "Withdrawn";
  };
  tags?: {
    tagList?: string[];
  };
  temporaryLoanType?: {
    id: string;
    name?: string;
  };
  temporaryLocation?: {
    id: string;
    name?: string;
  };
  title?: string;
  volume?: string;
  yearCaption?: string[];
}

export interface InventoryStorageHoldingsRecord {
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

export interface InventoryStorageInstance {
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
  holdingsRecords2?: InventoryStorageHoldingsRecord[];
  hrid?: string;
  id: string;
  identifiers?: {
    identifierTypeId: string;
    identifierTypeObject?: Record<string, unknown>;
    value: string;
  }[];
  indexTitle?: string;
  instanceFormatIds?: string[];
  instanceFormats?: InstanceFormat[];
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

export interface InventoryStorageItem {
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

export interface Items {
  items: InventoryItem[];
  totalRecords: number;
}

export interface ItemsInTransit {
  items: {
    barcode?: string;
    callNumber?: string;
    contributors?: {
      name?: string;
    }[];
    copyNumber?: string;
    displaySummary?: string;
    effectiveCallNumberComponents?: {
      callNumber?: string;
      prefix?: string;
      suffix?: string;
    };
    enumeration?: string;
    id?: string;
    inTransitDestinationServicePoint?: {
      id?: string;
      name?: string;
    };
    inTransitDestinationServicePointId?: string;
    lastCheckIn?: {
      dateTime?: string;
      servicePoint?: {
        id?: string;
        name?: string;
      };
    };
    loan?: {
      checkInDateTime?: string;
      checkInServicePoint?: {
        code?: string;
        discoveryDisplayName?: string;
        name?: string;
        pickupLocation?: boolean;
        shelvingLagTime?: number;
      };
    };
    location?: {
      code?: string;
      libraryName?: string;
      name?: string;
    };
    request?: {
      requestDate?: string;
      requestExpirationDate?: string;
      requestPatronGroup?: string;
      requestPickupServicePointName?: string;
      requestType?: string;
      tags?: string[];
    };
    status?: {
      name?: string;
    };
    title?: string;
    volume?: string;
    yearCaption?: string[];
  }[];
  totalRecords: number;
}

export interface Library {
  campusId: string;
  code: string;
  id: string;
  metadata?: Metadata;
  name: string;
}

export interface LinkingRuleDto {
  authorityField?: string;
  authoritySubfields?: string[];
  autoLinkingEnabled?: boolean;
  bibField?: string;
  id: number;
  subfieldModifications?: {
    source?: string;
    target?: string;
  }[];
  validation?: {
    existence?: Record<string, unknown>[];
  };
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

export interface Loans {
  loans: CirculationLoan[];
  totalRecords: number;
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
  servicePoints?: ServicePoint[];
}

export interface LogRecordCollection {
  logRecords: {
    action?: "Age to lost" | "Anonymize" | "Billed" | "Cancelled" | "Cancelled as error" | "Changed due date" | "Check in" | "Check out" | "Checked in" | "Checked out" | "Checked out through override" | "Claimed returned" | "Closed loan" | "Created" | "Created through override" | "Credited fully" | "Declared lost" | "Deleted" | "Edited" | "Expired" | "Marked as missing" | "Modified" | "Moved" | "Paid fully" | "Paid partially" | "Patron blocked from requesting" | "Pickup expired" | "Queue position reordered" | "Recall requested" | "Refunded fully" | "Refunded partially" | "Renewed" | "Renewed through override" | "Request status changed" | "Send" | "Send error" | "Patron info added" | "Staff info added" | "Staff information only added" | "Transferred fully" | "Transferred partially" | "Waived fully" | "Waived partially";
    date?: string;
    description?: string;
    eventId: string;
    id?: string;
    items?: {
      holdingId?: string;
      instanceId?: string;
      itemBarcode: string;
      itemId?: string;
      loanId?: string;
    }[];
    linkToIds?: {
      feeFineId?: string;
      noticePolicyId?: string;
      requestId?: string;
      templateId?: string;
      userId?: string;
    };
    object?: "N/A" | "Fee/Fine" | "Item Block" | "Loan" | "Manual Block" | "Notice" | "Patron Block" | "Request" | "CheckIn/CheckOut";
    servicePointId?: string;
    source?: string;
    userBarcode?: string;
  }[];
  totalRecords: number;
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

export interface MARCFieldProtectionSetting {
  data?: string;
  field: string;
  id: string;
  indicator1?: string;
  indicator2?: string;
  metadata?: Metadata;
  override?: boolean;
  source?: "SYSTEM" | "USER";
  subfield?: string;
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

export interface MergePreview {
  moved: {
    count: number;
    member: string;
    records: string;
  }[];
  obstacles: {
    message: string;
    parameters?: {
      key: string;
      value?: string;
    }[];
  }[];
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

export interface NoteCollection {
  notes: Note[];
  totalRecords?: number;
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

export interface Offers {
  experiments: {
    about: string;
    name: string;
    shortSeconds: number;
    tests: number;
  }[];
  seconds: Bounds;
  servers: string[];
  users: Bounds;
}

export interface OfflineDueDates {
  from: string;
  groups: OfflineGroup[];
  kinds: {
    loanTypeId: string;
    locationId: string;
    materialTypeId: string;
  }[];
  policies: {
    name: string;
    spans: OfflineSpan[];
  }[];
}

export interface OfflineGroup {
  id: string;
  name: string;
  policies: (number | null)[];
}

export interface OfflineItems {
  complete: boolean;
  kinds: {
    barcodes: string[];
    loanTypeId: string;
    locationId: string;
    materialTypeId: string;
  }[];
}

export interface OfflineSpan {
  afterSeconds?: number;
  due?: string;
  from: string;
  notLent?: string;
  until: string;
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

export interface PatronLoan {
  dueDate: string;
  id: string;
  item: {
    author?: string;
    instanceId: string;
    isbn?: string;
    itemId?: string;
    title?: string;
  };
  loanDate: string;
  overdue: boolean;
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

export interface PermissionsUser {
  id: string;
  metadata?: Metadata;
  permissions?: string[];
  userId: string;
}

export interface Preview {
  attachments: Record<string, unknown>[];
  body: string;
  emptyTokens: string[];
  header: string;
  missingPictures: string[];
  to?: string | null;
  undrawnBarcodes: string[];
  unknownTokens: string[];
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

export interface Proxyfor {
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

export interface QuickMarcView {
  _actionType?: string;
  externalHrid?: string;
  externalId?: string;
  fields: {
    content: unknown;
    indicators?: string[];
    isProtected?: boolean;
    linkDetails?: {
      authorityId?: string;
      authorityNaturalId?: string;
      errorCause?: string;
      linkingRuleId?: number;
      status?: string;
    };
    tag: string;
  }[];
  leader: string;
  marcFormat?: "BIBLIOGRAPHIC" | "HOLDINGS" | "AUTHORITY";
  parsedRecordDtoId?: string;
  parsedRecordId?: string;
  suppressDiscovery?: boolean;
  updateInfo?: {
    recordState?: "ACTUAL" | "IN_PROGRESS" | "ERROR";
    updateDate?: string;
    updatedBy?: {
      firstName?: string;
      lastName?: string;
      middleName?: string;
      userId?: string;
      username?: string;
    };
  };
}

export interface RefundReason {
  accountId?: string;
  description?: string;
  id: string;
  metadata?: Metadata;
  nameReason: string;
}

export interface RefusedEvent {
  at?: string;
  byUserId?: string | null;
  consumer?: string;
  id: string;
  key?: string;
  message?: string;
  payload?: Record<string, unknown>;
  position?: number;
  refusedDate?: string;
  type?: string;
}

export interface Report {
  about: string;
  experiment: string;
  interrupted?: boolean;
  machine: string;
  runs: Run[];
  server: string;
  started: string;
  tenant: string;
  version: string;
}

export interface ReportHead {
  about: string;
  experiment: string;
  interrupted?: boolean;
  runs: {
    rate?: number | null;
    seconds: number;
    test: string;
    users: number;
  }[];
  server: string;
  started: string;
  tenant: string;
  version: string;
}

export interface RequestPolicy {
  allowedServicePoints?: {
    Hold?: string[] | null;
    Page?: string[] | null;
    Recall?: string[] | null;
  };
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  requestTypes?: ("Hold" | "Recall" | "Page")[];
}

export interface Requests {
  requests: CirculationRequest[];
  totalRecords: number;
}

export interface RulesSimulation {
  changed: number;
  changes: Record<string, number>;
  days: number;
  examples: Record<string, unknown>[];
  loans: number;
}

export interface Run {
  calls: Summary[];
  generator?: {
    spoilt: string[];
  };
  rate?: number | null;
  seconds: number;
  step: number;
  test: string;
  transactions: Summary[];
  users: number;
}

export interface Running {
  lines?: string[];
  report?: string | null;
  run?: {
    experiment: string;
    server: string;
    started: string;
    tenant: string;
  };
  state: "none" | "running" | "stopping" | "done" | "failed";
}

export interface Runs {
  runs: {
    name: string;
    report: ReportHead;
  }[];
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

export interface SearchInstance {
  administrativeNotes?: string[];
  alternativeTitles?: {
    alternativeTitle?: string;
    alternativeTitleTypeId?: string;
    authorityId?: string;
  }[];
  classifications?: {
    classificationNumber?: string;
    classificationTypeId?: string;
  }[];
  contributors?: {
    authorityId?: string;
    contributorNameTypeId?: string;
    contributorTypeId?: string;
    contributorTypeText?: string;
    name?: string;
    primary?: boolean;
  }[];
  discoverySuppress?: boolean;
  electronicAccess?: {
    linkText?: string;
    materialsSpecification?: string;
    publicNote?: string;
    uri?: string;
  }[];
  holdings?: {
    administrativeNotes?: string[];
    callNumber?: string;
    callNumberPrefix?: string;
    callNumberSuffix?: string;
    copyNumber?: string;
    discoverySuppress?: boolean;
    electronicAccess: {
      linkText?: string;
      materialsSpecification?: string;
      publicNote?: string;
      uri?: string;
    }[];
    formerIds?: string[];
    holdingsTypeId?: string;
    hrid?: string;
    id?: string;
    metadata?: {
      createdByUserId?: string;
      createdByUsername?: string;
      createdDate?: string;
      updatedByUserId?: string;
      updatedByUsername?: string;
      updatedDate?: string;
    };
    notes: {
      note?: string;
      staffOnly?: boolean;
    }[];
    permanentLocationId?: string;
    sourceId?: string;
    statisticalCodeIds?: string[];
    tags?: {
      tagList?: string[];
    };
    tenantId?: string;
  }[];
  hrid?: string;
  id: string;
  identifiers?: {
    identifierTypeId?: string;
    value?: string;
  }[];
  indexTitle?: string;
  instanceFormatIds?: string[];
  instanceTypeId?: string;
  isBoundWith?: boolean;
  items?: SearchItem[];
  languages?: string[];
  metadata?: {
    createdByUserId?: string;
    createdByUsername?: string;
    createdDate?: string;
    updatedByUserId?: string;
    updatedByUsername?: string;
    updatedDate?: string;
  };
  modeOfIssuanceId?: string;
  natureOfContentTermIds?: string[];
  notes?: {
    note?: string;
    staffOnly?: boolean;
  }[];
  publication?: {
    dateOfPublication?: string;
    publisher?: string;
  }[];
  series?: {
    authorityId?: string;
    value?: string;
  }[];
  shared?: boolean;
  source?: string;
  staffSuppress?: boolean;
  statisticalCodeIds?: string[];
  statusId?: string;
  subjects?: {
    authorityId?: string;
    value?: string;
  }[];
  tags?: {
    tagList?: string[];
  };
  tenantId?: string;
  title?: string;
}

export interface SearchItem {
  accessionNumber?: string;
  administrativeNotes?: string[];
  barcode?: string;
  circulationNotes?: {
    note?: string;
    staffOnly?: boolean;
  }[];
  discoverySuppress?: boolean;
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
    uri?: string;
  }[];
  formerIds?: string[];
  holdingsRecordId?: string;
  hrid?: string;
  id: string;
  itemIdentifier?: string;
  itemLevelCallNumberTypeId?: string;
  materialTypeId?: string;
  metadata?: {
    createdByUserId?: string;
    createdByUsername?: string;
    createdDate?: string;
    updatedByUserId?: string;
    updatedByUsername?: string;
    updatedDate?: string;
  };
  notes?: {
    note?: string;
    staffOnly?: boolean;
  }[];
  statisticalCodeIds?: string[];
  status?: {
    name?: string;
  };
  tags?: {
    tagList?: string[];
  };
  tenantId?: string;
}

export interface SecurityEvent {
  address?: string;
  byUserId?: string;
  byUsername?: string;
  date?: string;
  description?: string;
  event?: string;
  furtherOmitted?: boolean;
  id: string;
  requestId?: string;
  userId?: string;
  username?: string;
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

export interface SlipContext {
  currentDateTime?: string;
  item?: Record<string, string | null>;
  request?: Record<string, string | null>;
  requester?: Record<string, string | null>;
}

export interface SlowRequests {
  fromMilliseconds: number;
  slowRequests: {
    at: string;
    method: string;
    milliseconds: number;
    path: string;
  }[];
  totalRecords: number;
}

export interface SsoOffer {
  active: boolean;
  buttonText: string;
}

export interface SsoSettings {
  active: boolean;
  buttonText: string;
  claim: string;
  clientId: string;
  clientSecretSet: boolean;
  field: "username" | "email" | "externalSystemId" | "barcode";
  issuer: string;
  publicUrl: string;
  redirectUri: string;
  scopes: string;
  userInterfaceUrl: string;
}

export interface SsoSettingsRequest {
  active: boolean;
  buttonText?: string;
  claim?: string;
  clientId?: string;
  clientSecret?: string;
  field?: "username" | "email" | "externalSystemId" | "barcode";
  issuer?: string;
  publicUrl?: string;
  scopes?: string;
  userInterfaceUrl?: string;
}

export interface StaffSlip {
  active?: boolean;
  description?: string;
  id: string;
  metadata?: Metadata;
  name: string;
  template: string;
}

export interface StaffSlipsResponse {
  pickSlips?: SlipContext[];
  searchSlips?: SlipContext[];
  totalRecords: number;
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

export interface Summary {
  average: number;
  count: number;
  errors: Record<string, number>;
  line: {
    average: number | null;
    p95: number | null;
  }[];
  max: number;
  name: string;
  p50: number;
  p95: number;
  p99: number;
  per_second: number;
  refused: Record<string, number>;
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

export interface TenantDescriptor {
  description?: string;
  id: string;
  name?: string;
}

export interface TransferAccount {
  accountName: string;
  desc?: string;
  id: string;
  metadata?: Metadata;
  ownerId?: string;
}

export interface UploadDefinition {
  createDate?: string;
  fileDefinitions?: {
    createDate?: string;
    id?: string;
    jobExecutionId?: string;
    name: string;
    size?: number;
    sourcePath?: string;
    status?: "NEW" | "UPLOADING" | "UPLOADED" | "ERROR";
    uiKey?: string;
    uploadDefinitionId?: string;
    uploadedDate?: string;
  }[];
  id: string;
  metaJobExecutionId?: string;
  metadata?: Metadata;
  status?: "NEW" | "IN_PROGRESS" | "LOADED" | "COMPLETED" | "ERROR";
}

export interface UploadDefinitionCollection {
  totalRecords: number;
  uploadDefinitions: UploadDefinition[];
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

export interface UserMerge {
  byUserId?: string;
  date: string;
  duplicateUserId: string;
  id: string;
  keptUserId: string;
  moved: {
    count: number;
    member: string;
    records: string;
  }[];
  undoneDate?: string;
}

export interface UserMerges {
  merges: UserMerge[];
  totalRecords: number;
}

export interface WaiveReason {
  accountId?: string;
  description?: string;
  id: string;
  metadata?: Metadata;
  nameReason: string;
}

export interface WantedRun {
  experiment: string;
  password: string;
  seconds?: number;
  server?: string;
  tenant: string;
  username: string;
  users?: number;
}

export interface Webhook {
  active?: boolean;
  id: string;
  metadata?: Record<string, unknown>;
  name: string;
  types?: string[];
  url: string;
}

export interface WebhookSecret {
  secret: string;
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
  "/_/proxy/health": HealthStatus[];
  "/_/proxy/tenants": TenantDescriptor[];
  "/accounts": {
    accounts: FeeFineAccount[];
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
  "/audit-data/circulation/logs": LogRecordCollection;
  "/authn/credentials-existence": CredentialsExistence;
  "/authority-source-files": {
    authoritySourceFiles: AuthoritySourceFile[];
    totalRecords: number;
  };
  "/bl-users/_self": CompositeUser;
  "/browse/authorities": AuthorityBrowseResult;
  "/calendar/calendars": CalendarCollection;
  "/call-number-types": {
    callNumberTypes: CallNumberType[];
    totalRecords: number;
  };
  "/cancellation-reason-storage/cancellation-reasons": {
    cancellationReasons: CancellationReason[];
    totalRecords: number;
  };
  "/circulation/loans": Loans;
  "/circulation/requests": Requests;
  "/circulation/requests/allowed-service-points": CirculationAllowedServicePointsResponse;
  "/circulation/rules": CirculationRules;
  "/classification-types": {
    classificationTypes: ClassificationType[];
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
  "/custom-fields": CustomFieldCollection;
  "/data-import/uploadDefinitions": UploadDefinitionCollection;
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
  "/feefineactions": {
    feefineactions: FeeFineAction[];
    totalRecords: number;
  };
  "/feefines": {
    feefines: FeeFineType[];
    totalRecords: number;
  };
  "/field-protection-settings/marc": {
    marcFieldProtectionSettings: MARCFieldProtectionSetting[];
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
    holdingsRecords: InventoryStorageHoldingsRecord[];
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
  "/instance-storage/instances": {
    instances: InventoryStorageInstance[];
    totalRecords: number;
  };
  "/instance-types": {
    instanceTypes: InstanceType[];
    totalRecords: number;
  };
  "/inventory-reports/items-in-transit": ItemsInTransit;
  "/inventory-storage/bound-with-parts": {
    boundWithParts: BoundWithPart[];
    totalRecords: number;
  };
  "/inventory/instances": InventoryInstances;
  "/inventory/items": Items;
  "/item-damaged-statuses": {
    itemDamageStatuses: ItemDamagedStatus[];
    totalRecords: number;
  };
  "/item-note-types": {
    itemNoteTypes: ItemNoteType[];
    totalRecords: number;
  };
  "/item-storage/items": {
    items: InventoryStorageItem[];
    totalRecords: number;
  };
  "/linking-rules/instance-authority": LinkingRuleDto[];
  "/links/stats/authority": AuthorityStatsDtoCollection;
  "/loan-policy-storage/loan-policies": {
    loanPolicies: LoanPolicy[];
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
  "/octavo/event-consumers": EventConsumers;
  "/octavo/lab/experiments": Offers;
  "/octavo/lab/running": Running;
  "/octavo/lab/runs": Runs;
  "/octavo/offline/due-dates": OfflineDueDates;
  "/octavo/offline/items": OfflineItems;
  "/octavo/refused-events": {
    refusedEvents: RefusedEvent[];
    totalRecords: number;
  };
  "/octavo/security-events": {
    securityEvents: SecurityEvent[];
    totalRecords: number;
  };
  "/octavo/slow-requests": SlowRequests;
  "/octavo/sso": SsoOffer;
  "/octavo/sso/settings": SsoSettings;
  "/octavo/webhooks": {
    totalRecords: number;
    webhooks: Webhook[];
  };
  "/overdue-fines-policies": {
    overdueFinePolicies: OverdueFinePolicy[];
    totalRecords: number;
  };
  "/owners": {
    owners: FeeFineOwner[];
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
  "/perms/permissions": {
    permissions: Permission[];
    totalRecords: number;
  };
  "/perms/users": {
    permissionUsers: PermissionsUser[];
    totalRecords: number;
  };
  "/proxiesfor": {
    proxiesFor: ProxyRelation[];
    totalRecords: number;
  };
  "/records-editor/records": QuickMarcView;
  "/refunds": {
    refunds: RefundReason[];
    totalRecords: number;
  };
  "/request-policy-storage/request-policies": {
    requestPolicies: RequestPolicy[];
    totalRecords: number;
  };
  "/request-storage/requests": {
    requests: CirculationStorageRequest[];
    totalRecords: number;
  };
  "/search/authorities": AuthoritySearchResult;
  "/search/config/features": FeatureConfigs;
  "/search/instances": InstanceSearchResult;
  "/service-points": {
    servicepoints: ServicePoint[];
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
  "/transfers": {
    totalRecords: number;
    transfers: TransferAccount[];
  };
  "/users": {
    totalRecords: number;
    users: User[];
  };
  "/users/configurations/entry": Configuration;
  "/waives": {
    totalRecords: number;
    waivers: WaiveReason[];
  };
}
