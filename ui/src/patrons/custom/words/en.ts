/** What the form and the page of a patron say about custom fields, in English. */

export const en = {
  title: "Further information",
  yes: "Yes",
  no: "No",
  none: "Nothing chosen",
  choose: "Please choose",
  chooseOne: "Choose one at least.",
  lines: "One to a line",
  number: "A number, such as 12 or 3.5",
  refused: {
    email: "This is no e-mail address.",
    url: "This is no address of a web page: it begins with http:// or https://.",
    number: "This is no number.",
    date: "This is no date.",
    short: (most: string) => `At most ${most} characters.`,
    option: "This choice is gone. Choose another one.",
    other: "The library does not allow this value.",
  },
};

export type CustomWords = typeof en;
