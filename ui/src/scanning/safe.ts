/**
 * What is still to be sent, safe from a closed browser. Each tab keeps its own; a tab that opens takes over what tabs that are
 * gone have left. Whether a tab is gone, its lock says, which the browser takes from it when it goes.
 */

const tab = crypto.randomUUID();
const lockOf = (one: string) => `octavo.tab.${one}`;
void navigator.locks.request(lockOf(tab), () => new Promise(() => {}));

const folderOf = (name: string) => `${name}@`;

export function keepSafe<Scan>(name: string, pending: readonly Scan[]): void {
  const place = folderOf(name) + tab;
  try {
    if (pending.length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(pending));
  } catch {
    // Storage is full or forbidden: the tab itself still has them.
  }
}

export async function takeOver<Scan>(name: string): Promise<Scan[]> {
  const { held = [] } = await navigator.locks.query();
  const alive = new Set(held.map((lock) => lock.name));
  const left = Object.keys(localStorage).filter(
    (place) => place.startsWith(folderOf(name)) && !alive.has(lockOf(place.slice(folderOf(name).length))),
  );
  return left.flatMap((place) => {
    const scans = JSON.parse(localStorage.getItem(place) ?? "[]") as Scan[];
    if (!place.endsWith(tab)) localStorage.removeItem(place);
    return scans;
  });
}
