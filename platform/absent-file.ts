/**
 * For `catch` after a call of `node:fs`: gives `value` when the file or folder does not exist. Throws every
 * other error on: what cannot be read may well exist.
 */
export const ifAbsent =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
