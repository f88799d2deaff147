/** The result of `ask`, or null when it fails or takes longer than `timeoutMs`. */
export async function withTimeout<Value>(timeoutMs: number, ask: () => Promise<Value>): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  return Promise.race([ask().catch(() => null), timeout]).finally(() => clearTimeout(timer));
}
