/** The person signed out, or signed in for a bell in a page of this service. */
type News = 'signed-out' | 'bell-signed-in';

// A browser may refuse channels, for example in a private window.
function tryOpen(news: News): BroadcastChannel | null {
  try {
    return new BroadcastChannel(news);
  } catch {
    return null;
  }
}

export function tellPages(news: News): void {
  const channel = tryOpen(news);
  channel?.postMessage(null);
  channel?.close();
}

/** Runs `act` when another page of this browser tells the news. Returns the function that stops it. */
export function whenTold(news: News, act: () => void): () => void {
  const channel = tryOpen(news);
  channel?.addEventListener('message', act);
  return () => channel?.close();
}
