/** What a question answers, or null when it fails or takes longer than this; what is answered later is nobody's any more. */
export async function inTime<Value>(longestMs: number, ask: () => Promise<Value>): Promise<Value | null> {
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    late = setTimeout(resolve, longestMs, null);
  });
  return Promise.race([ask().catch(() => null), tooLate]).finally(() => clearTimeout(late));
}
