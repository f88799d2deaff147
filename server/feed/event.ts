/** A server-sent event, encoded once. `chunk` is `plain` as a chunk of HTTP/1.1. */
export type StreamEvent = { plain: Buffer; chunk: Buffer };

/** Encodes the text of an event. The text includes the blank line at its end. */
export function encodeEvent(text: string): StreamEvent {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`;
  const chunk = Buffer.from(`${size}${text}\r\n`);
  return { plain: chunk.subarray(size.length, -2), chunk };
}

const encodeNamed = (name: string, no: number, data: string): StreamEvent =>
  encodeEvent(`event: ${name}\nid: ${no}\ndata: ${data}\n\n`);

/** Encodes the ping of a stream, which carries the company's newest number. */
export const encodePing = (no: number): StreamEvent => encodeNamed('ping', no, `${no}`);

/** Encodes which notifications were withdrawn or corrected; `no` becomes the id of the event. */
export const encodeChanged = (name: 'withdrawn' | 'corrected', no: number, numbers: number[]): StreamEvent =>
  encodeNamed(name, no, JSON.stringify(numbers));

/** Encodes what the person has moved on another device. `no` is the newest delivered number. */
export const encodeMoved = (no: number, text: string): StreamEvent => encodeNamed('moved', no, text);
