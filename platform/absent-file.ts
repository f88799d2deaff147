/** For `catch` after a call of `node:fs`: `value` when the file does not exist. Other errors are thrown on. */
export const ifAbsent =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
