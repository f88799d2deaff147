// Null where a browser refuses its storage, for example in a private window. Then nothing is kept between pages.
function tryStorage<Value>(use: (storage: Storage) => Value): Value | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

export const readStored = (name: string): string | null => tryStorage((storage) => storage.getItem(name));

export const store = (name: string, value: string): void => void tryStorage((storage) => storage.setItem(name, value));

export const forgetStored = (name: string): void => void tryStorage((storage) => storage.removeItem(name));

export function forgetAllStored(prefix: string): void {
  for (const name of tryStorage(Object.keys) ?? []) if (name.startsWith(prefix)) forgetStored(name);
}
