/** The same text for the same content, whatever the order of the members. Empty lists are left out. */
export function toCanonicalJson(said: unknown): string {
  return JSON.stringify(said, (_, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    const members = Object.entries(part).filter(([, one]) => !(Array.isArray(one) && one.length === 0));
    return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
