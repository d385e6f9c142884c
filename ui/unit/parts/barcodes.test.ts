import { expect, test } from "vitest";
import { parseBarcodes } from "../../src/parts/barcodes.ts";

test("barcodes come one a line, each once, in their order", () => {
  expect(parseBarcodes("\uFEFF37001000000013\r\n37001000000021\n\n 37001000000013 \n")).toEqual([
    "37001000000013",
    "37001000000021",
  ]);
  expect(parseBarcodes("")).toEqual([]);
});

test("of a table the first column counts, without its heading", () => {
  const table = '"Barcode","Title"\n"37001000000013","Emma, or; so"\n\'0045;x\n37001000000021\tBeloved';
  expect(parseBarcodes(table)).toEqual(["37001000000013", "0045", "37001000000021"]);
});

test("several in one line are several; a barcode may have a blank or no digits", () => {
  expect(parseBarcodes("37001000000013 37001000000021")).toEqual(["37001000000013", "37001000000021"]);
  expect(parseBarcodes("AB 12")).toEqual(["AB 12"]);
  expect(parseBarcodes("some barcode")).toEqual(["some barcode"]);
});
