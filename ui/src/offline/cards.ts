/** Without a connection: whether what was scanned is an item or somebody's card, as far as barcodes tell. */

import { kindOf, shapeOf, shapesOfItems } from "./luggage.ts";

export type Guess = "item" | "card" | undefined;

/**
 * An item that the desk has in its list is one. A card is what looks like `card` does, and like no item in the list: as long,
 * and with the same first sign, which tells the two apart in most libraries.
 */
export async function cardOrItem(barcode: string, card: string | undefined, servicePointId: string): Promise<Guess> {
  if ((await kindOf(barcode, servicePointId)) !== undefined) return "item";
  if (card === undefined || shapeOf(card) !== shapeOf(barcode)) return undefined;
  const items = await shapesOfItems(servicePointId);
  return items.size > 0 && !items.has(shapeOf(card)) ? "card" : undefined;
}
