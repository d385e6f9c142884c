/** Barcodes from what somebody has pasted, or from a file: one a line, or the first column of a table. Each once, in order. */

export function barcodesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const cells = lines.map(firstCell).filter(Boolean);
  const [heading = "", ...others] = cells;
  const isHeading = !/\d/.test(heading) && others.some((cell) => /\d/.test(cell));
  return [...new Set((isHeading ? others : cells).flatMap(several))];
}

function firstCell(line: string): string {
  const quotedCell = /^\s*"((?:[^"]|"")*)"/.exec(line);
  if (quotedCell) return (quotedCell[1] ?? "").replaceAll('""', '"').trim();
  // The apostrophe keeps spreadsheets from taking a number for one.
  return (line.split(/[,;\t]/)[0] ?? "").trim().replace(/^'/, "");
}

/** Several in one line, with blanks between them. A barcode with a blank in it has fewer digits in a row. */
function several(cell: string): string[] {
  const parts = cell.split(/\s+/);
  return parts.every((part) => /^\d{6,}$/.test(part)) ? parts : [cell];
}
