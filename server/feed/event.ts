/** A server-sent event, encoded once. `chunk` is `plain` as a chunk of HTTP/1.1. */
export type StreamEvent = { plain: Buffer; chunk: Buffer };

/** Encodes the text of an event. The text includes the blank line at its end. */
export function encodeEvent(text: string): StreamEvent {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${size}${text}\r\n`);
  return { plain: chunk.subarray(size.length, -2), chunk };
}

/** Encodes the ping of a stream, which carries the company's newest number. */
export const encodePing = (no: number): StreamEvent => encodeEvent(`event: ping\nid: ${no}\ndata: ${no}\n\n`);

/** Encodes which notifications were withdrawn; `no` becomes the id of the event. */
export const encodeWithdrawn = (no: number, withdrawn: number[]): StreamEvent =>
  encodeEvent(`event: withdrawn\nid: ${no}\ndata: ${JSON.stringify(withdrawn)}\n\n`);

/** Encodes which notifications were corrected; `no` becomes the id of the event. */
export const encodeCorrected = (no: number, corrected: number[]): StreamEvent =>
  encodeEvent(`event: corrected\nid: ${no}\ndata: ${JSON.stringify(corrected)}\n\n`);

/** Encodes what the person has moved on another device. `no` is the newest delivered number. */
export const encodeMoved = (no: number, text: string): StreamEvent =>
  encodeEvent(`event: moved\nid: ${no}\ndata: ${text}\n\n`);
