// What server/companies/logo.ts and png.ts accept.
const maxBytes = 256 * 1024;
const [maxWidth, maxHeight] = [768, 256];
const maxSide = 4096;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Why a file cannot become a logo: a key below `settings.logoProblem` in the messages. */
export type LogoProblem = 'too-large' | 'too-many-pixels' | 'not-a-picture';

type Drawn = { picture: CanvasImageSource; width: number; height: number };

/**
 * Draws a PNG or an SVG, which it knows by its content, and returns the pixels as a small PNG. In an
 * image, the browser runs no script of an SVG and loads nothing for it. The service never sees it.
 */
export async function drawLogo(file: File): Promise<Blob | LogoProblem> {
  if (file.size > maxBytes) return 'too-large';
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPng = pngSignature.every((byte, at) => bytes[at] === byte);
  const drawn = await (isPng ? readPng(bytes) : readSvg(bytes)).catch(() => 'not-a-picture' as const);
  if (typeof drawn === 'string') return drawn;
  for (let scale = Math.min(1, maxWidth / drawn.width, maxHeight / drawn.height); scale > 0.05; scale *= 0.7) {
    const png = await paint(drawn, scale);
    if (png && png.size <= maxBytes) return png;
  }
  return 'not-a-picture';
}

async function readPng(bytes: Uint8Array<ArrayBuffer>): Promise<Drawn | LogoProblem> {
  const header = new DataView(bytes.buffer);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  // Before it is unpacked: a small file can hold a picture that fills the memory.
  if (width > maxSide || height > maxSide) return 'too-many-pixels';
  return { picture: await createImageBitmap(new Blob([bytes], { type: 'image/png' })), width, height };
}

// The start tag of the root: before it come at most a declaration, comments and a document type.
const rootTag = /^\s*(?:<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>|\s)*<svg(?=\s)([^>]*?)(\/?)>/i;
const attribute = (name: string) => new RegExp(`(?<![\\w:-])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);

// As text: a document would apply the policy of this page to it, and report what it forbids.
async function readSvg(bytes: Uint8Array<ArrayBuffer>): Promise<Drawn | LogoProblem> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const found = rootTag.exec(text);
  if (!found) return 'not-a-picture';
  const [start, attributes = '', end = ''] = found;
  const attributeOf = (name: string) => attribute(name).exec(attributes)?.slice(1).join('') ?? '';
  const [, , boxWidth, boxHeight] = attributeOf('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  const width = boxWidth || Number.parseFloat(attributeOf('width'));
  const height = boxHeight || Number.parseFloat(attributeOf('height'));
  if (!(width > 0 && height > 0)) return 'not-a-picture';
  const scale = Math.min(maxWidth / width, maxHeight / height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const rest = attributes.replace(attribute('width'), '').replace(attribute('height'), '');
  const box = boxWidth ? '' : ` viewBox="0 0 ${width} ${height}"`;
  const root = `<svg width="${size.width}" height="${size.height}"${box}${rest}${end}>`;
  const svg = start.slice(0, start.toLowerCase().lastIndexOf('<svg')) + root + text.slice(start.length);
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await picture.decode();
  return { picture, ...size };
}

function paint({ picture, width, height }: Drawn, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
