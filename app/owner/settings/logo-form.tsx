'use client';

import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { removeLogoAction } from '#app/owner/settings/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';

// The address is `logoPath` in server/companies/logo.ts.
async function sendLogo(file: File | null): Promise<Result<unknown>> {
  const png = file && (await drawLogo(file));
  if (!(png instanceof Blob)) return { problems: { form: png ?? 'not-a-picture' } };
  const headers = { 'Content-Type': 'image/png' };
  const response = await fetch('/owner/settings/logo', { method: 'POST', headers, body: png });
  return (await response.json()) as Result<unknown>;
}

export function LogoForm({ logo, company }: { logo: LogoPicture | null; company: string }) {
  const t = useTranslations('settings');
  const router = useRouter();
  const [said, setSaid] = useState<'logoSaved' | 'logoRemoved'>();
  const sentences = {
    'too-large': t('logoProblem.too-large'),
    'too-many-pixels': t('logoProblem.too-many-pixels'),
    'not-a-picture': t('logoProblem.not-a-picture'),
    'not-a-png': t('logoProblem.not-a-picture'),
  };
  const done = (what: 'logoSaved' | 'logoRemoved') => () => {
    setSaid(what);
    router.refresh();
  };
  const upload = useAction(sendLogo, done('logoSaved'), sentences);
  const removal = useAction(removeLogoAction, done('logoRemoved'));
  const problem = upload.problems.form ?? removal.problems.form;
  const choose = (file: File | null) => {
    setSaid(undefined);
    removal.clear();
    if (file) void upload.run(file);
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby="logo-title">
      <Text fw={500} size="sm" id="logo-title">
        {t('logo')}
      </Text>
      <Text className="fine-print">{t('logoHint')}</Text>
      <Group>
        {logo && <CompanyLogo logo={logo} size={44} name={t('logoOf', { company })} />}
        <FileButton onChange={choose} accept="image/png,image/svg+xml">
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<ImageUp aria-hidden size={18} />}
              loading={upload.pending}
            >
              {t(logo ? 'logoReplace' : 'logoChoose')}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Trash2 aria-hidden size={18} />}
            loading={removal.pending}
            onClick={() => {
              upload.clear();
              void removal.run(null);
            }}
          >
            {t('logoRemove')}
          </Button>
        )}
      </Group>
      <div role="status">
        {problem ? <Alert color="red">{problem}</Alert> : said && <Alert color="green">{t(said)}</Alert>}
      </div>
    </Stack>
  );
}

// What server/companies/logo.ts and png.ts accept.
const maxBytes = 256 * 1024;
const [maxWidth, maxHeight] = [768, 256];
const maxSide = 4096;
const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

// Why a file cannot become a logo: a key below `settings.logoProblem` in the messages.
type LogoProblem = 'too-large' | 'too-many-pixels' | 'not-a-picture';

type Drawn = { picture: CanvasImageSource; width: number; height: number };

/**
 * Draws a PNG or an SVG, which it knows by its content, and returns the pixels as a small PNG. In an
 * image, the browser runs no script of an SVG and loads nothing for it. The service never sees it.
 */
async function drawLogo(file: File): Promise<Blob | LogoProblem> {
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
