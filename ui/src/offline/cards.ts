/** Without a connection: guesses from a barcode whether it is an item or a patron's card. */

import { barcodeShape, itemBarcodeShapes, itemKind } from "./luggage.ts";

export type Guess = "item" | "card" | undefined;

/**
 * An item in the desk's list is one. A barcode is a card if it has the length and the first character of `card`, and no
 * item in the list has both; these tell items and cards apart in most libraries.
 */
export async function guessCardOrItem(
  barcode: string,
  card: string | undefined,
  servicePointId: string,
): Promise<Guess> {
  if ((await itemKind(barcode, servicePointId)) !== undefined) return "item";
  if (card === undefined || barcodeShape(card) !== barcodeShape(barcode)) return undefined;
  const items = await itemBarcodeShapes(servicePointId);
  return items.size > 0 && !items.has(barcodeShape(card)) ? "card" : undefined;
}
