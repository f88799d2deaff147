/** An event of a stream, encoded once for all who get it: as it is, and as a chunk of HTTP/1.1 around the same bytes. */
export type Event = { plain: Buffer; chunk: Buffer };

/** Encodes the text of an event, its blank line at the end included. */
export function encodeEvent(text: string): Event {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${size}${text}\r\n`);
  return { plain: chunk.subarray(size.length, -2), chunk };
}

/** A sign of life that carries the newest number. */
export const encodePing = (no: number): Event => encodeEvent(`event: ping\nid: ${no}\ndata: ${no}\n\n`);

/** Says which notifications were withdrawn; `no` is its id. */
export const encodeWithdrawn = (no: number, withdrawn: number[]): Event =>
  encodeEvent(`event: withdrawn\nid: ${no}\ndata: ${JSON.stringify(withdrawn)}\n\n`);
