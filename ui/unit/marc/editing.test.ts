import { describe, expect, test } from "vitest";
import { derivedDraft, newHoldings, newTitle } from "../../src/marc/beginnings.ts";
import { actionOfKey, addRow, changeRow, changeTag, moveRow, removeRow, restoreRow } from "../../src/marc/moves.ts";
import { draftOf, fieldsFromRows, isSame, lockOf } from "../../src/marc/record.ts";
import { joinSubfields, readableText, splitSubfields, withoutEmptySubfields } from "../../src/marc/subfields.ts";
import { BOOK, SPECIFICATION } from "./records.ts";

const DRAFT = draftOf(BOOK);
const tags = ({ rows }: typeof DRAFT) => rows.map(({ tag }) => tag).join(" ");
const keyOf = (tag: string) => DRAFT.rows.find((row) => row.tag === tag)?.key ?? -1;
const KNOWN = { specification: SPECIFICATION, today: new Date("2026-11-28T00:00:00Z") };

describe("the text of a field", () => {
  test.each([
    [
      "$a One $b two",
      [
        { code: "a", value: "One" },
        { code: "b", value: "two" },
      ],
      "",
    ],
    [
      "  $aOne$btwo ",
      [
        { code: "a", value: "One" },
        { code: "b", value: "two" },
      ],
      "",
    ],
    ["before $a One", [{ code: "a", value: "One" }], "before"],
    ["no subfield", [], "no subfield"],
    ["$a Costs $ 5", [{ code: "a", value: "Costs $ 5" }], ""],
    ["", [], ""],
  ])("%s", (text, subfields, before) => {
    expect(splitSubfields(text)).toEqual({ before, subfields });
  });

  test("is put together again", () => {
    const text = "$a Twain, Mark, $d 1835-1910. $0 n79021164";
    expect(joinSubfields(splitSubfields(text).subfields)).toBe(text);
  });

  test("loses subfields without a value, and is read without those that name records", () => {
    expect(withoutEmptySubfields("$a One $b $c three")).toBe("$a One $c three");
    expect(readableText("$a Five {dollar} $b off $0 n1 $9 uuid")).toBe("Five $ off");
  });
});

describe("a record", () => {
  test("comes back as it was", () => {
    const fields = BOOK.fields.map(({ isProtected, indicators = [], ...field }) => ({ ...field, indicators }));
    expect(fieldsFromRows(DRAFT.rows)).toEqual(fields);
  });

  test("loses rows in which nothing is written", () => {
    const { draft } = addRow(DRAFT, keyOf("245"));
    expect(fieldsFromRows(draft.rows)).toEqual(fieldsFromRows(DRAFT.rows));
    expect(isSame(DRAFT, draft)).toBe(true);
    expect(isSame(DRAFT, changeRow(DRAFT, keyOf("245"), { ind2: "4" }))).toBe(false);
  });

  test.each([
    ["001", "BIBLIOGRAPHIC", false, "system"],
    ["001", "AUTHORITY", true, undefined],
    ["001", "AUTHORITY", false, "system"],
    ["004", "HOLDINGS", true, "system"],
    ["004", "BIBLIOGRAPHIC", false, undefined],
    ["005", "AUTHORITY", true, "system"],
    ["245", "BIBLIOGRAPHIC", false, undefined],
  ] as const)("field %s of %s, new: %s", (tag, format, isNew, lock) => {
    expect(lockOf({ key: 0, tag, ind1: "\\", ind2: "\\", text: "" }, format, isNew)).toBe(lock);
  });

  test("keeps what the server and the library write", () => {
    const row = { key: 0, tag: "999", ind1: "f", ind2: "f", text: "$i x" };
    expect(lockOf(row, "BIBLIOGRAPHIC", false)).toBe("system");
    expect(lockOf({ ...row, ind1: "\\" }, "BIBLIOGRAPHIC", false)).toBeUndefined();
    expect(lockOf({ ...row, tag: "590", isProtected: true }, "BIBLIOGRAPHIC", false)).toBe("protected");
  });
});

describe("keys", () => {
  const press = (key: string, ...held: ("ctrlKey" | "altKey" | "shiftKey" | "metaKey")[]) =>
    actionOfKey({
      key,
      ctrlKey: held.includes("ctrlKey"),
      altKey: held.includes("altKey"),
      shiftKey: held.includes("shiftKey"),
      metaKey: held.includes("metaKey"),
    });

  test("mean what the editor does, and nothing else", () => {
    expect(press("Enter")).toBe("add");
    expect(press("Enter", "shiftKey")).toBeUndefined();
    expect(press("Delete", "ctrlKey")).toBe("remove");
    expect(press("Delete")).toBeUndefined();
    expect(press("Delete", "ctrlKey", "shiftKey")).toBe("back");
    expect(press("ArrowUp", "altKey")).toBe("up");
    expect(press("ArrowDown", "altKey")).toBe("down");
    expect(press("ArrowDown")).toBeUndefined();
    expect(press("s", "ctrlKey")).toBe("save");
    expect(press("S", "metaKey")).toBe("save");
    expect(press("s")).toBeUndefined();
    expect(press("F1")).toBe("keys");
    expect(press("F9")).toBe("link");
  });
});

describe("rows", () => {
  test("come below the one where one stands, and take the focus", () => {
    const { draft, focus } = addRow(DRAFT, keyOf("245"));
    expect(tags(draft)).toBe("001 005 008 100 245  999");
    expect(draft.rows.find(({ key }) => key === focus)?.tag).toBe("");
    expect(tags(addRow(draft, undefined).draft)).toBe(" 001 005 008 100 245  999");
  });

  test("go, and are put back where they were, the last one first", () => {
    const first = removeRow(DRAFT, keyOf("100"));
    expect(first.focus).toBe(keyOf("245"));
    const second = removeRow(first.draft, keyOf("999"));
    expect(second.focus).toBe(keyOf("245"));
    expect(tags(second.draft)).toBe("001 005 008 245");
    const back = restoreRow(restoreRow(second.draft).draft);
    expect(tags(back.draft)).toBe(tags(DRAFT));
    expect(back.focus).toBe(keyOf("100"));
    expect(restoreRow(back.draft).draft).toBe(back.draft);
  });

  test("change places, but not beyond the ends", () => {
    expect(tags(moveRow(DRAFT, keyOf("245"), -1).draft)).toBe("001 005 008 245 100 999");
    expect(tags(moveRow(DRAFT, keyOf("245"), 1).draft)).toBe("001 005 008 100 999 245");
    expect(moveRow(DRAFT, keyOf("001"), -1).draft).toBe(DRAFT);
    expect(moveRow(DRAFT, keyOf("999"), 1).draft).toBe(DRAFT);
  });

  test("get what their tag has", () => {
    const { draft, focus = -1 } = addRow(DRAFT, keyOf("005"));
    const items = () => ({ Category: "t" });
    const of = (tag: string) => changeTag(draft, focus, tag, items).rows.find(({ key }) => key === focus);
    expect(of("007")).toMatchObject({ tag: "007", items: { Category: "t" }, text: "" });
    expect(of("003")).toMatchObject({ tag: "003", text: "" });
    expect(of("500")).toMatchObject({ tag: "500", text: "$a " });
    const written = changeRow(draft, focus, { tag: "500", text: "$a A note" });
    expect(changeTag(written, focus, "520", items).rows.find(({ key }) => key === focus)?.text).toBe("$a A note");
    const fixed = changeTag(draft, focus, "007", items);
    expect(changeTag(fixed, focus, "500", items).rows.find(({ key }) => key === focus)).toEqual({
      key: focus,
      tag: "500",
      ind1: "\\",
      ind2: "\\",
      text: "$a ",
    });
  });
});

describe("new records", () => {
  test("have what they need, in order", () => {
    expect(tags(newTitle(KNOWN))).toBe("008 245");
    const holdings = newHoldings(KNOWN, "in00000000001");
    expect(tags(holdings)).toBe("004 008 852");
    expect(holdings.rows[0]?.text).toBe("in00000000001");
    for (const { leader } of [newTitle(KNOWN), holdings]) expect(leader).toHaveLength(24);
  });

  test("like another have nothing that names it, and are new", () => {
    const from = {
      ...BOOK,
      fields: [...BOOK.fields, { tag: "035", content: "$a (OCoLC)1", indicators: ["\\", "\\"] }],
    };
    const draft = derivedDraft(from);
    expect(tags(draft)).toBe("008 100 245");
    expect(draft.leader.charAt(5)).toBe("n");
  });
});
