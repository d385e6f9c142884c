/** Settings about patrons, in English: their kinds, and what the forms ask. `patrons-de.ts` is of the same shape. */

export const kindsOfPatrons = {
  customFields: {
    one: "Custom field",
    many: "Custom fields of patrons",
    make: "New custom field",
    help: "What this library wants to know of patrons beyond name, card, contact and group. The fields stand in the form of a patron, in this order.",
  },
  blockTemplates: {
    one: "Patron block template",
    many: "Patron block templates",
    make: "New template",
    help: "Blocks that staff set again and again. Whoever sets one chooses a template, and changes what is different this time.",
  },
};

export const ofPatrons = {
  pictures: {
    many: "Photos of patrons",
    help: "Whether patrons have photos, which staff take in their form and see at check-out. They are stored encrypted; without them nothing that is sent is kept.",
    enabled: "Patrons may have photos",
    most: "Largest photo in megabytes",
    mostHelp:
      "The desk cuts photos to a square and makes them small: they stay far below 1 MB. Other programs may send larger ones.",
    tooMuch: (most: number) => `More than 0, and at most ${most} megabytes.`,
  },

  blockTemplate: {
    descriptionHelp: "For staff: when this template is the right one.",
    filledIn: "Block information",
    filledInHelp: "How long a block lasts is chosen when it is set.",
    why: "What it is for",
    message: "For the patron",
    againstNothing: "Say what it blocks: borrowing, renewals, requests, or several of them.",
  },

  customField: {
    type: "Field type",
    typeFixed: "The type stays as it is: values of patrons depend on it.",
    types: {
      TEXTBOX_SHORT: "Text, up to 150 characters",
      TEXTBOX_LONG: "Long text, up to 1500 characters",
      SINGLE_SELECT_DROPDOWN: "One of a list",
      MULTI_SELECT_DROPDOWN: "Several of a list",
      RADIO_BUTTON: "One of up to five, all in sight",
      SINGLE_CHECKBOX: "Yes or no",
      DATE_PICKER: "Date",
    },
    format: "Format",
    formatFixed: "The format stays as it is: values of patrons depend on it.",
    formats: { TEXT: "Any text", EMAIL: "E-mail", URL: "Address of a web page", NUMBER: "Number" },
    help: "Help",
    helpHelp: "Stands below the field. Up to 100 characters.",
    visible: "Shown in the form and on the page of a patron",
    required: "Must be filled in",
    repeatable: "May have several values",
    ticked: "Ticked for new patrons",
    options: "Options",
    addOption: "Add an option",
    option: (number: number) => `Option ${number}`,
    value: "Name",
    isDefault: "Chosen for new patrons",
    sorting: "Order of the options",
    sortings: { CUSTOM: "As written here", ASC: "From A to Z", DESC: "From Z to A" },
    up: (name: string) => `Move up: ${name}`,
    down: (name: string) => `Move down: ${name}`,
    moved: (name: string, place: number) => `${name} is now number ${place}.`,
    isRequired: "must be filled in",
    isHidden: "not shown",
    values: (count: number) =>
      count === 0
        ? "No patron has a value in it."
        : count === 1
          ? "1 patron has a value in it. The value goes with the field, and cannot be brought back."
          : `${count} patrons have a value in it. The values go with the field, and cannot be brought back.`,
    counting: "Counting the patrons that have a value in it …",
    optionGone: (option: string, count: number, instead: string) =>
      `“${option}” goes when you save. ${count === 1 ? "1 patron has" : `${count} patrons have`} it, and ${
        instead === "" ? "will have none" : `will have “${instead}”`
      } where nothing else is chosen.`,
    problems: {
      name: "At most 65 characters.",
      help: "At most 100 characters.",
      count: (most: string) => `There must be one option at least, and at most ${most}.`,
      option: "An option needs a name of at most 100 characters.",
      twice: "Two options have the same name.",
      defaults: "Only one option can be chosen for new patrons.",
    },
  },
};
