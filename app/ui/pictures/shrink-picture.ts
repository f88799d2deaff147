// What server/sends/pictures/pictures.ts and server/companies/logo.ts accept.
const maxBytes = 300 * 1024;
const maxLogoBytes = 256 * 1024;
const [largestSide, smallestSide] = [1600, 300];
const [maxLogoWidth, maxLogoHeight] = [768, 256];
const qualities = [0.85, 0.7, 0.5];

/** Draws a picture upright and returns its pixels as a JPEG of at most 300 kB; null if it is none. */
export async function shrinkPicture(file: Blob): Promise<Blob | null> {
  // Turned as the camera recorded it. The new JPEG has no metadata: no rotation, place or device.
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!picture) return null;
  const side = Math.max(picture.width, picture.height);
  for (let wanted = Math.min(side, largestSide); wanted >= Math.min(side, smallestSide); wanted *= 0.75)
    for (const quality of qualities) {
      const jpeg = await paint(picture, wanted / side, quality);
      if (jpeg && jpeg.size <= maxBytes) return jpeg;
    }
  return null;
}

/** Draws a picture, also an SVG file, as a small PNG for a logo; null if it is none. */
export async function shrinkLogo(file: Blob): Promise<Blob | null> {
  const picture = (await createImageBitmap(file).catch(() => null)) ?? (await readSvg(file));
  if (!picture?.width) return null;
  const largest = Math.min(1, maxLogoWidth / picture.width, maxLogoHeight / picture.height);
  for (let scale = largest; scale > largest / 20; scale *= 0.7) {
    const png = await paint(picture, scale);
    if (png && png.size <= maxLogoBytes) return png;
  }
  return null;
}

// No browser makes a bitmap of an SVG file, but each draws it as an image, which runs and loads nothing.
async function readSvg(file: Blob): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(await file.text())}`;
  return image.decode().then(
    () => image,
    () => null,
  );
}

// A JPEG with a quality, else a PNG.
function paint(picture: ImageBitmap | HTMLImageElement, scale: number, quality?: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  // A JPEG has no transparency.
  context.fillStyle = '#fff';
  if (quality) context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, quality ? 'image/jpeg' : 'image/png', quality));
}
