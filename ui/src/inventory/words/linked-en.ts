/** The words of links between titles, of volumes that hold several titles, and of copying and deleting records. */

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** What still needs a record that somebody wants to delete, by the server's name of the table. */
const needed: Record<string, string> = {
  holdings_record: "It still has holdings. Delete them first, or move them to another title.",
  item: "There are still items. Delete them first, or move them to other holdings.",
  bound_with_part: "It is bound with other titles. Remove them from the volume first.",
  instance_relationship: "It is linked with a parent or child title. Remove the link first (Edit title).",
  preceding_succeeding_title: "It is linked with a preceding or succeeding title. Remove the link first (Edit title).",
};

export const en = {
  related: "Related titles",
  add: {
    precedingTitles: "Add a preceding title",
    succeedingTitles: "Add a succeeding title",
    parentInstances: "Add a parent title",
    childInstances: "Add a child title",
  } as Record<string, string>,
  addOther: {
    precedingTitles: "Add a preceding title that is not in the catalogue",
    succeedingTitles: "Add a succeeding title that is not in the catalogue",
  } as Record<string, string>,
  find: "Title",
  submit: "Add",
  whichTitle: "Say which title.",
  title: "Title",
  notHere: "not in the catalogue",
  showAll: (all: number) => `Show all ${all}`,
  boundWith: {
    title: "Bound with",
    help: "This volume holds several titles. It circulates and is shelved as one item.",
    bind: "Bind with another title",
    toTitle: "Title that is in this volume, too",
    submit: "Bind",
    own: "its own holdings",
    bound: (title: string) => `Bound with: ${title}`,
    unbind: "Remove from this volume",
    unbindTitle: (title: string) => `Remove “${title}” from this volume?`,
    unbindHelp: "Its holdings stay. Only the item is no longer listed there.",
    unbound: (title: string) => `Removed from the volume: ${title}`,
    in: (title: string) => `bound in: ${title}`,
    with: (titles: string) => `bound with: ${titles}`,
    alreadyIn: "These holdings are in this volume already.",
  },
  more: "More",
  moreOf: (what: string) => `More: ${what}`,
  saveAndHoldings: "Save and add holdings",
  saveAndCopies: "Save and add copies",
  duplicate: "Duplicate",
  copied: "Filled in from another record, without its barcode, HRID and links to other titles.",
  remove: {
    button: "Delete",
    titles: {
      title: (name: string) => `Delete the title “${name}”?`,
      holdings: (name: string) => `Delete the holdings “${name}”?`,
      item: (name: string) => `Delete the item ${name}?`,
    },
    help: "It is deleted for good, and cannot be brought back.",
    done: (name: string) => `Deleted: ${name}`,
    needed,
    neededElse: (table: string) => `Something else still refers to it (${table}).`,
    lent: "It is on loan. Check it in first.",
    status: (status: string) => `Its status is “${status}”: somebody has it, expects it or waits for it.`,
    requested: (requests: number) =>
      `${count(requests, "open request waits", "open requests wait")} for it. Cancel or move ${requests === 1 ? "it" : "them"} first.`,
  },
  marc: {
    edit: "Edit MARC",
    view: "View MARC",
    derive: "Derive a new MARC record",
    holdings: "Add MARC holdings",
  },
  mark: {
    button: "Mark for deletion",
    title: (name: string) => `Mark “${name}” for deletion?`,
    help: "It is suppressed from discovery and from staff, and its MARC record, if it has one, is marked as deleted. Nothing is removed. To take it back, untick both under Edit title.",
    done: (name: string) => `Marked for deletion: ${name}`,
  },
};

export type LinkedWords = typeof en;
