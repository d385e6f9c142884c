/** Queries in CQL, FOLIO's query language. What a person typed never becomes part of the language. */

export const quoted = (text: string) => `"${text.replace(/[\\"*?^]/g, "\\$&")}"`;

/** As it was typed, but with `*` for any signs, as cataloguers cut a word off. */
export const masked = (text: string) => quoted(text).replaceAll("\\*", "*");

export const is = (field: string, value: string) => `${field}==${quoted(value)}`;
export const begins = (field: string, value: string) => `${field}=="${quoted(value).slice(1, -1)}*"`;
/** The whole value, not words of it. */
export const whole = (field: string, value: string) => `${field}==/string ${quoted(value)}`;
export const hasWords = (field: string, text: string) => `${field} all ${quoted(text)}`;
export const isAnyOf = (field: string, values: readonly string[]) => `${field}==(${values.map(quoted).join(" or ")})`;
export const contains = (field: string, value: string) => `${field}=${quoted(value)}`;
export const all = (...parts: string[]) => parts.join(" and ");
export const any = (...parts: string[]) => `(${parts.join(" or ")})`;
export const sorted = (query: string, by: string) => `${query} sortBy ${by}`;
