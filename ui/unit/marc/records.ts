/** Records for the tests of the MARC editor. */

import type { Specification } from "../../src/marc/fixed.ts";
import type { QuickMarc } from "../../src/marc/record.ts";

const values = (codes: string) => [...codes].map((code) => ({ code, name: `Value ${code}` }));
const item = (code: string, length: number, codes = "", isArray = false, readOnly = false) => ({
  code,
  name: `Name of ${code}`,
  length,
  isArray,
  readOnly,
  ...(codes && { allowedValues: values(codes) }),
});

const COMMON = [item("Entered", 5, "", false, true), item("DtSt", 1, "st|"), item("Date1", 4), item("Lang", 3)];

/** Two of the kinds of material of field 008. */
export const SPECIFICATION: Specification = {
  spec: {
    types: [
      {
        code: "books",
        identifiedBy: {
          or: [
            { tag: "LDR", positions: { "6": ["a"], "7": ["a", "m"] } },
            { tag: "LDR", positions: { "6": ["t"] } },
          ],
        },
        items: [...COMMON, item("Ills", 4, "ab\\|", true), item("Form", 1, "\\o"), item("Und", 1, "", false, true)],
      },
      {
        code: "continuing_resources",
        identifiedBy: { or: [{ tag: "LDR", positions: { "6": ["a"], "7": ["s"] } }] },
        items: [...COMMON, item("Freq", 1, "am"), item("Form", 1, "\\o")],
      },
    ],
  },
};

export const BOOK: QuickMarc = {
  marcFormat: "BIBLIOGRAPHIC",
  leader: "01542nam\\a2200361\\a\\4500",
  parsedRecordId: "p",
  externalId: "i",
  externalHrid: "in1",
  fields: [
    { tag: "001", content: "in1", indicators: [], isProtected: false },
    { tag: "005", content: "20240101000000.0", indicators: [] },
    {
      tag: "008",
      content: {
        Type: "a",
        BLvl: "m",
        Entered: "240101",
        DtSt: "s",
        Date1: "1998",
        Lang: "eng",
        Ills: ["a", "\\", "\\", "\\"],
        Form: "\\",
      },
    },
    { tag: "100", content: "$a Twain, Mark, $d 1835-1910. $0 n79021164", indicators: ["1", "\\"] },
    { tag: "245", content: "$a Pudd'nhead Wilson / $c Mark Twain.", indicators: ["1", "0"] },
    { tag: "999", content: "$i i $s p", indicators: ["f", "f"] },
  ],
};
