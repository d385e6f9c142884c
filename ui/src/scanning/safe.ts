/**
 * Keeps scans that are unsent or still concern staff in local storage, so that they survive a closed browser. Each tab
 * keeps its own; a new tab takes over those of tabs that are closed. A tab holds a lock, which the browser releases when
 * it is closed.
 */

const tabId = crypto.randomUUID();
const lockName = (one: string) => `octavo.tab.${one}`;
void navigator.locks.request(lockName(tabId), () => new Promise(() => {}));

const storagePrefix = (name: string) => `${name}@`;

export function saveScans<Scan>(name: string, scans: readonly Scan[]): void {
  const place = storagePrefix(name) + tabId;
  try {
    if (scans.length === 0) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(scans));
  } catch {
    // The storage is full or forbidden: the tab itself still has the scans in its session storage.
  }
}

export async function takeOverScans<Scan>(name: string): Promise<Scan[]> {
  const { held = [] } = await navigator.locks.query();
  const alive = new Set(held.map((lock) => lock.name));
  const left = Object.keys(localStorage).filter(
    (place) => place.startsWith(storagePrefix(name)) && !alive.has(lockName(place.slice(storagePrefix(name).length))),
  );
  return left.flatMap((place) => {
    const scans = JSON.parse(localStorage.getItem(place) ?? "[]") as Scan[];
    if (!place.endsWith(tabId)) localStorage.removeItem(place);
    return scans;
  });
}
