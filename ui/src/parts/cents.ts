/** In cents, since sums of floating-point numbers are not exact. */
export const toCents = (amount: number) => Math.round(amount * 100);
