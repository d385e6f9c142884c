import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRefusal } from "../../src/api/http.ts";
import { REFUSAL_CODES, REFUSAL_MESSAGES, type RefusalKey } from "../../src/refusals/known.ts";
import { joinReasons, recogniseRefusal, refusalTexts } from "../../src/refusals/texts.ts";
import { ar as arabicRefusals } from "../../src/refusals/words/ar.ts";
import { de as germanRefusals } from "../../src/refusals/words/de.ts";
import { en as englishRefusals } from "../../src/refusals/words/en.ts";
import { de } from "../../src/words/de.ts";
import { withoutIsolates } from "../../src/words/isolate.ts";
import { OTHER_TEXTS, OTHER_TEXTS_OF_MODULES } from "./other-texts.ts";

const CIRCULATION = join(import.meta.dirname, "../../../crates/circulation/src");
/**
 * Files whose texts are no refusals (names of statuses, traces of decisions, tests and their helpers), and
 * `by_patron.rs` and `dcb.rs`: the desk has no translations of the refusals of mod-patron and mod-dcb.
 */
const APART =
  /(^|\/)(tests|by_patron\.rs|dcb\.rs|walk\.rs|desk\.rs|status\.rs|tests\.rs|properties\.rs|trace\.rs|lib\.rs)/;

function* textsIn(source: string): Generator<string> {
  const code = source.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/\\\n\s*/g, "");
  for (const [, text = ""] of code.matchAll(/"((?:[^"\\]|\\.)*)"/g))
    if (/\p{L} \S/u.test(text) || / \{/.test(text)) yield text.replaceAll('\\"', '"');
}

/** Texts of several words in the decisions, as the server words them: `{}` and `{name}` stand for what differs. */
function textsOfTheServer(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(CIRCULATION, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".rs") || APART.test(file)) continue;
    const [source = ""] = readFileSync(join(CIRCULATION, file), "utf8").split("#[cfg(test)]");
    if (!/Refusal|Fault|Mistake/.test(source)) continue;
    for (const text of textsIn(source)) texts.set(text, file);
  }
  return texts;
}

const CRATES = join(import.meta.dirname, "../../../crates");
/** Further files with refusals that staff meet at the desk. The other files of these crates answer other programs. */
const MET = [
  "modules/users/src/users/merging.rs",
  "modules/users/src/users/pictures.rs",
  "modules/users/src/users/address_types.rs",
  "modules/inventory/src/inventory/moves.rs",
  "modules/inventory/src/inventory/marc_fields.rs",
  "modules/inventory/src/inventory/item_body.rs",
  "modules/inventory/src/inventory_storage/bound_withs.rs",
  "modules/cataloging/src/source_manager/repeat.rs",
  "modules/cataloging/src/data_import/store.rs",
  "modules/base/src/circulation_records/validate.rs",
  "modules/base/src/fee_records/validate.rs",
  "modules/base/src/inventory_records/notes.rs",
];

/** Texts of several words in a file, but for statements in SQL. */
function textsOf(file: string): string[] {
  const [source = ""] = readFileSync(join(CRATES, file), "utf8").split("#[cfg(test)]");
  return [...textsIn(source)].filter((text) => !SQL.test(text));
}
const SQL = /^(select|insert|update|delete)\s/;

/** As it would come: with something in each brace. */
const fillBraces = (text: string) => text.replaceAll(/\{[^}]*\}/g, "7");

const codesOfTheServer = [
  ...(/RefusalCode \{([^}]*)\}/.exec(readFileSync(join(CIRCULATION, "status.rs"), "utf8"))?.[1] ?? "").matchAll(
    /"(\w+)"/g,
  ),
].map(([, code]) => code);

test("each refusal in the server's decisions has words, or is listed as a text that is none", () => {
  const texts = textsOfTheServer();
  expect(texts.size, "the server's texts are found").toBeGreaterThan(150);
  const wordless = [...texts].filter(
    ([text]) => !OTHER_TEXTS.has(text) && recogniseRefusal({ message: fillBraces(text) }) === undefined,
  );
  expect(wordless).toEqual([]);
});

test("each refusal of a file that staff meet has words, or is listed as a text that is none", () => {
  const wordless = MET.flatMap((file) =>
    textsOf(file)
      .filter(
        (text) => !OTHER_TEXTS_OF_MODULES.has(text) && recogniseRefusal({ message: fillBraces(text) }) === undefined,
      )
      .map((text) => `${file}: ${text}`),
  );
  expect(wordless).toEqual([]);
  const all = new Set(MET.flatMap(textsOf));
  expect([...OTHER_TEXTS_OF_MODULES].filter((text) => !all.has(text))).toEqual([]);
});

test("what is listed as no refusal stands in the server's decisions still", () => {
  const texts = textsOfTheServer();
  expect([...OTHER_TEXTS].filter((text) => !texts.has(text))).toEqual([]);
});

test("each code of the server has words, and each code that has words is one of the server's", () => {
  expect(codesOfTheServer.length).toBeGreaterThan(20);
  expect(Object.keys(REFUSAL_CODES).sort()).toEqual([...codesOfTheServer].sort());
});

test("each message is recognised as its own, not as one that stands before it", () => {
  const other = Object.entries(REFUSAL_MESSAGES).flatMap(([key, messages]) =>
    messages.filter((message) => recogniseRefusal({ message: fillBraces(message) })?.key !== key),
  );
  expect(other).toEqual([]);
});

test.each([
  ["en", englishRefusals],
  ["de", germanRefusals],
  ["ar", arabicRefusals],
])("words in %s name nothing that the message does not say", (_, { says }) => {
  const ofParameters = ["limit", "field", "least", "most", "member", "name"];
  const unsaid = (Object.keys(REFUSAL_MESSAGES) as RefusalKey[]).flatMap((key) =>
    [...says[key].matchAll(/\{(\w+)\}/g)]
      .map(([, name = ""]) => name)
      .filter(
        (name) =>
          !ofParameters.includes(name) && !REFUSAL_MESSAGES[key].every((message) => message.includes(`{${name}}`)),
      )
      .map((name) => `${key}: ${name}`),
  );
  expect(unsaid).toEqual([]);
});

const german = { ...de, refusals: germanRefusals };

test("a refusal is said in the words of its code, with what its message names", () => {
  const refusal = {
    message: "Patron has reached maximum limit of 5 items for material type",
    code: "ITEM_LIMIT_MATERIAL_TYPE",
    parameters: [{ key: "itemLimit", value: "5" }],
  };
  expect(refusalTexts([refusal], german)).toEqual([
    "Mehr erlaubt die Ausleihrichtlinie für diese Materialart nicht: 5.",
  ]);
});

test("statuses inside a message are said in the language of the desk", () => {
  const message = "Emma (book) (Barcode: 12) has the item status Declared lost and cannot be checked out";
  expect(refusalTexts([{ message }], german)).toEqual([
    "Emma (book) (Barcode: 12) kann im Status „verloren gemeldet“ nicht ausgeliehen werden.",
  ]);
});

test("what is not known is shown as the server words it, and says so", () => {
  expect(refusalTexts([{ message: "The moon is full" }], german)).toEqual(["Der Server sagt: „The moon is full“"]);
  const limit = { message: "Bring some back", overridableBlock: { name: "patronBlock" } };
  expect(refusalTexts([limit], german)).toEqual(["Eine Grenze der Bibliothek ist erreicht: Bring some back"]);
});

test("what the desk itself refuses is in its own words already", () => {
  expect(refusalTexts(createRefusal(422, "Das ist belegt.").refusals, german)).toEqual(["Das ist belegt."]);
});

test("each reason is said once; without a reason, that it was refused", () => {
  const twice = ["Item is not loanable", "item is not loanable"].map((message) => ({ message }));
  expect(refusalTexts(twice, german)).toHaveLength(1);
  expect(refusalTexts([{ message: "" }], german)).toEqual([de.errors.refused]);
});

test("several reasons in one line are sentences", () => {
  expect(joinReasons(["One", "Two.", "ثلاثة؟"])).toBe("One. Two. ثلاثة؟");
});

test("a Latin name inside an Arabic reason keeps its direction", () => {
  const message = "No item with barcode 12 could be found";
  const [said = ""] = refusalTexts([{ message }], { ...de, refusals: arabicRefusals });
  expect(said).toContain("\u206812\u2069");
  expect(withoutIsolates(said)).toBe("لا توجد مادة بالباركود 12");
});
