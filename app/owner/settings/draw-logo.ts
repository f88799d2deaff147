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

async function readSvg(bytes: Uint8Array<ArrayBuffer>): Promise<Drawn | LogoProblem> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg' || root.getElementsByTagName('parsererror').length > 0) return 'not-a-picture';
  const [, , boxWidth, boxHeight] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const [ownWidth, ownHeight] = ['width', 'height'].map((name) => Number.parseFloat(root.getAttribute(name) ?? ''));
  const [width, height] = [boxWidth || ownWidth || 0, boxHeight || ownHeight || 0];
  if (!(width > 0 && height > 0)) return 'not-a-picture';
  if (!root.hasAttribute('viewBox')) root.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const scale = Math.min(maxWidth / width, maxHeight / height);
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  root.setAttribute('width', String(size.width));
  root.setAttribute('height', String(size.height));
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(root))}`;
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
