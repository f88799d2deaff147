// A browser may refuse its storage, for example in a private window. Then nothing is kept between
// pages.

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {}
}

export function forgetStored(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {}
}

/** Forgets all names that begin so. */
export function forgetAllStored(prefix: string): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  } catch {}
}
