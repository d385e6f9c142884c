/**
 * Texts of the reference data in English: names, purpose, and the button for a new entry. `lists-de.ts` has the same
 * keys.
 */

export const lists = {
  groups: {
    one: "Patron group",
    many: "Patron groups",
    make: "New patron group",
    help: "Types of patrons, as the circulation rules tell them apart, and how long they are registered.",
  },
  departments: {
    one: "Department",
    many: "Departments",
    make: "New department",
    help: "Where patrons study or work.",
  },
  addressTypes: {
    one: "Address type",
    many: "Address types",
    make: "New address type",
    help: "What an address of a patron is for.",
  },
  noteTypes: {
    one: "Note type",
    many: "Types of notes about patrons",
    make: "New note type",
    help: "What notes about patrons are sorted by.",
  },
  cancellationReasons: {
    one: "Reason to cancel a request",
    many: "Reasons to cancel a request",
    make: "New reason",
    help: "What is said when a request is cancelled.",
  },
  institutions: {
    one: "Institution",
    many: "Institutions",
    make: "New institution",
    help: "What campuses belong to.",
  },
  campuses: {
    one: "Campus",
    many: "Campuses",
    make: "New campus",
    help: "Parts of an institution, with libraries of their own.",
  },
  libraries: {
    one: "Library",
    many: "Libraries",
    make: "New library",
    help: "Buildings or branches, with locations of their own.",
  },
  materialTypes: {
    one: "Material type",
    many: "Material types",
    make: "New material type",
    help: "What items are: books, films. The circulation rules tell them apart.",
  },
  loanTypes: {
    one: "Loan type",
    many: "Loan types",
    make: "New loan type",
    help: "How items are loaned. The circulation rules tell them apart.",
  },
  itemNoteTypes: {
    one: "Item note type",
    many: "Item note types",
    make: "New note type",
    help: "What notes about items are sorted by.",
  },
  damagedStatuses: {
    one: "Damaged status",
    many: "Damaged statuses",
    make: "New damaged status",
    help: "What may be recorded about an item that is damaged.",
  },
  holdingsTypes: {
    one: "Holdings type",
    many: "Holdings types",
    make: "New holdings type",
    help: "Monographs, serials, electronic ones.",
  },
  holdingsNoteTypes: {
    one: "Holdings note type",
    many: "Holdings note types",
    make: "New note type",
    help: "What notes about holdings are sorted by.",
  },
  holdingsSources: {
    one: "Holdings source",
    many: "Holdings sources",
    make: "New source",
    help: "Where records of holdings come from.",
  },
  callNumberTypes: {
    one: "Call number type",
    many: "Call number types",
    make: "New call number type",
    help: "By which scheme a call number was made.",
  },
  illPolicies: {
    one: "Policy of lending to other libraries",
    many: "Lending to other libraries",
    make: "New policy",
    help: "What holdings say about interlibrary loan.",
  },
  statisticalCodes: {
    one: "Statistical code",
    many: "Statistical codes",
    make: "New statistical code",
    help: "What items, holdings and instances are counted by.",
  },
  statisticalCodeTypes: {
    one: "Type of statistical codes",
    many: "Types of statistical codes",
    make: "New type",
    help: "What statistical codes are sorted by.",
  },
  instanceTypes: {
    one: "Resource type",
    many: "Resource types",
    make: "New resource type",
    help: "What titles are: text, music, maps.",
  },
  instanceFormats: {
    one: "Format",
    many: "Formats",
    make: "New format",
    help: "In which form titles come: volume, audio disc.",
  },
  modesOfIssuance: {
    one: "Mode of issuance",
    many: "Modes of issuance",
    make: "New mode of issuance",
    help: "At once, in parts, as a serial.",
  },
  instanceStatuses: {
    one: "Instance status type",
    many: "Instance status types",
    make: "New status",
    help: "How far cataloguing has come.",
  },
  instanceNoteTypes: {
    one: "Instance note type",
    many: "Instance note types",
    make: "New note type",
    help: "What notes about instances are sorted by.",
  },
  contentTerms: {
    one: "Nature of content",
    many: "Nature of content",
    make: "New term",
    help: "What a title holds: a biography, statistics.",
  },
  identifierTypes: {
    one: "Identifier type",
    many: "Identifier types",
    make: "New identifier type",
    help: "ISBN, ISSN and other numbers of titles.",
  },
  classificationTypes: {
    one: "Classification",
    many: "Classifications",
    make: "New classification",
    help: "Systems by which titles are sorted.",
  },
  contributorTypes: {
    one: "Role of a contributor",
    many: "Roles of contributors",
    make: "New role",
    help: "Author, editor, illustrator.",
  },
  contributorNameTypes: {
    one: "Type of contributors' names",
    many: "Types of contributors' names",
    make: "New type of names",
    help: "Persons, corporate bodies, meetings.",
  },
  alternativeTitleTypes: {
    one: "Type of other titles",
    many: "Types of other titles",
    make: "New type of titles",
    help: "Cover titles, uniform titles and the like.",
  },
  linkRelationships: {
    one: "Relationship of a link",
    many: "Relationships of links",
    make: "New relationship",
    help: "What a link leads to: the thing itself, a part, something like it.",
  },
};

export type ListName = keyof typeof lists;
