type Part = { name: string; value: string; isFile: boolean };

type MultipartProblem = 'malformed' | 'encoded' | { charset: string };

const boundaryPattern = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const headerPattern = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
const parameterPattern = /;[ \t]*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*/gy;

/**
 * Parses a multipart form (RFC 7578) strictly. Libraries skip parts that they cannot name, and
 * `Response.formData()` refuses boundaries that RFC 2046 allows. A part without a readable name is an error: a
 * damaged `user_id` that went missing would mean everyone (contract §6). Every part has exactly one
 * `Content-Disposition: form-data` with a name, header lines end in CRLF, and the form ends with
 * its closing delimiter. A preamble and an epilogue are skipped (RFC 2046 §5.1.1), unless they hold
 * what may be a damaged part. Names and values are decoded as UTF-8, which the caller must have checked.
 */
export function parseMultipart(body: Uint8Array, contentType: string): Part[] | MultipartProblem {
  const [, quoted, plain] = boundaryPattern.exec(contentType) ?? [];
  const delimiter = `\r\n--${quoted ?? plain ?? ''}`;
  if (delimiter.length === 4) return 'malformed';
  // latin1 keeps one character for each byte. The CRLF makes the first delimiter like the others.
  const [preamble = '', ...sections] = `\r\n${Buffer.from(body).toString('latin1')}`.split(delimiter);
  const closing = sections.pop() ?? '';
  if (sections.length === 0 || !/^--(?:\s|$)/.test(closing)) return 'malformed';
  const outside = preamble + closing;
  if (outside.includes(delimiter.trim()) || /content-disposition/i.test(outside)) return 'malformed';
  const parts: Part[] = [];
  for (const section of sections) {
    const part = parsePart(section);
    if (typeof part === 'string' || 'charset' in part) return part;
    parts.push(part);
  }
  return parts;
}

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

function parsePart(section: string): Part | MultipartProblem {
  const start = /^[ \t]*\r\n/.exec(section)?.[0].length;
  const end = section.indexOf('\r\n\r\n');
  if (start === undefined || end === -1) return 'malformed';
  const headers = new Map<string, string>();
  for (const line of section.slice(start, end).split('\r\n')) {
    const [, name, value = ''] = headerPattern.exec(line) ?? [];
    if (name === undefined || headers.has(name.toLowerCase()) || /[\r\n]/.test(line)) return 'malformed';
    headers.set(name.toLowerCase(), value);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) return { charset };
  if (!/^(?:7bit|8bit|binary)?$/i.test(headers.get('content-transfer-encoding') ?? '')) return 'encoded';
  const parameters = parseDisposition(headers.get('content-disposition') ?? '');
  const name = parameters?.get('name');
  if (!parameters || !name) return 'malformed';
  const isFile = parameters.has('filename') || parameters.has('filename*');
  return { name: utf8(name), value: utf8(section.slice(end + 4)), isFile };
}

function parseDisposition(value: string): Map<string, string> | null {
  const kind = /^form-data[ \t]*(?=;)/i.exec(value)?.[0];
  if (kind === undefined) return null;
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = kind.length;
  let end = kind.length;
  for (let match = parameterPattern.exec(value); match; match = parameterPattern.exec(value)) {
    const [, name = '', quoted, plain] = match;
    if (parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1'));
    end = parameterPattern.lastIndex;
  }
  return end === value.length ? parameters : null;
}
