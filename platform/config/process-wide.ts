const values = globalThis as { [key: symbol]: unknown };

/**
 * The one value of this name in the process; `make` makes it at the first call. It is in the global object, because the
 * bundle of the pages has a copy of every module that it imports. Use it only for what both copies must share.
 */
export function processWide<Value extends object>(name: string, make: () => Value): Value {
  const key = Symbol.for(`staff-notification-api.${name}`);
  values[key] ??= make();
  return values[key] as Value;
}
