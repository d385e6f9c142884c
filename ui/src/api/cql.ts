/**
 * Builds queries in CQL, FOLIO's query language. What a person typed is quoted, so that it never becomes part of the
 * query language.
 */

export const quote = (text: string) => `"${text.replace(/[\\"*?^]/g, "\\$&")}"`;

/** Quotes a text but leaves `*` as a wildcard for any characters, as cataloguers type it to truncate a word. */
export const quoteWithWildcards = (text: string) => quote(text).replaceAll("\\*", "*");

export const equals = (field: string, value: string) => `${field}==${quote(value)}`;
export const startsWith = (field: string, value: string) => `${field}=="${quote(value).slice(1, -1)}*"`;
/** Compares with the whole value of the field, not with single words of it. */
export const equalsWholeValue = (field: string, value: string) => `${field}==/string ${quote(value)}`;
export const hasWords = (field: string, text: string) => `${field} all ${quote(text)}`;
export const isAnyOf = (field: string, values: readonly string[]) => `${field}==(${values.map(quote).join(" or ")})`;
export const containsWord = (field: string, value: string) => `${field}=${quote(value)}`;
export const and = (...parts: string[]) => parts.join(" and ");
export const or = (...parts: string[]) => `(${parts.join(" or ")})`;
export const sortBy = (query: string, by: string) => `${query} sortBy ${by}`;
