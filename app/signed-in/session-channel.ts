const name = 'signed-out';

// A browser may refuse channels, for example in a private window.
function tryOpen(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/** Tells the other pages of this browser that the person has signed out. */
export function tellSignedOut(): void {
  const channel = tryOpen();
  channel?.postMessage(null);
  channel?.close();
}

/** Runs `leave` when another page of this browser signs out. Returns the function that stops it. */
export function whenSignedOut(leave: () => void): () => void {
  const channel = tryOpen();
  channel?.addEventListener('message', leave);
  return () => channel?.close();
}
