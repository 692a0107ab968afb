const storages = { local: () => localStorage, session: () => sessionStorage };

/** Null for what is not stored, and in a browser that stores nothing. */
export function readStored(place: keyof typeof storages, key: string): string | null {
  try {
    return storages[place]().getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. Returns false in a browser that stores nothing. */
export function store(place: keyof typeof storages, key: string, text: string | null): boolean {
  try {
    if (text === null) storages[place]().removeItem(key);
    else storages[place]().setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
