/**
 * Reads barcodes from a pasted text or a file: one a line, or the first column of a table. Each barcode once, in order.
 */

export function parseBarcodes(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const cells = lines.map(firstCell).filter(Boolean);
  const [heading = "", ...others] = cells;
  const isHeading = !/\d/.test(heading) && others.some((cell) => /\d/.test(cell));
  return [...new Set((isHeading ? others : cells).flatMap(splitBarcodes))];
}

function firstCell(line: string): string {
  const quotedCell = /^\s*"((?:[^"]|"")*)"/.exec(line);
  if (quotedCell) return (quotedCell[1] ?? "").replaceAll('""', '"').trim();
  // Spreadsheets put an apostrophe before a text of digits, to keep it from becoming a number.
  return (line.split(/[,;\t]/)[0] ?? "").trim().replace(/^'/, "");
}

/**
 * Splits a line with several barcodes between blanks. A single barcode that contains a blank has fewer than six digits
 * in a row.
 */
function splitBarcodes(cell: string): string[] {
  const parts = cell.split(/\s+/);
  return parts.every((part) => /^\d{6,}$/.test(part)) ? parts : [cell];
}
