/** Plural forms: a language has up to six forms of a noun, depending on the number before it. */

/** `{}` stands for the number. A form may leave it out, as the Arabic forms for one and two do. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** A noun with a form for each that a language can have: for languages that have all of them. */
export type AllPluralForms = Record<Intl.LDMLPluralRule, string>;

export function pluralizer(locale: string): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(locale);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace("{}", () => digits.format(count));
}
