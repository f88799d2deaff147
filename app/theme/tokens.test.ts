import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');

// The colours of a theme by their names.
function coloursOf(selector: string): Record<string, string> {
  const rule = tokens.slice(tokens.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries([...rule.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name, value]) => [name, value]));
}

// The relative luminance of WCAG 2.2.
function luminance(colour = ''): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const light = coloursOf(':root');
const dark = { ...light, ...coloursOf(':root[data-mantine-color-scheme="dark"]') };

test('a bar and its outline differ from what is empty by 3 : 1, and each part from the page', () => {
  for (const theme of [light, dark]) {
    expect(contrast(theme.accent, theme.line)).toBeGreaterThanOrEqual(3);
  }
  for (const part of ['accent', 'attention', 'loss', 'good'])
    expect(contrast(dark[part], dark.surface), part).toBeGreaterThanOrEqual(3);
});
