/**
 * For `catch` after a call of `node:fs`: gives `value` when the file does not exist. What cannot be read may well
 * exist, so every other error is thrown on.
 */
export const ifAbsent =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
