import { Marked, Renderer, type RendererObject, type Tokens } from 'marked';
import type { useTranslations } from 'next-intl';
import { findProgram } from '#app/docs/texts/doc-texts.ts';

export type DocsWords = ReturnType<typeof useTranslations<'docs'>>;

/** A heading with its anchor; `depth` is its level in Markdown. */
export type Heading = { id: string; title: string; depth: number };

export type Rendered = { html: string; headings: Heading[] };

/** The anchor of a heading, as GitHub makes it: words in lower case, joined by hyphens. */
function anchorOf(title: string, earlier: Heading[]): string {
  const plain = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  const base = plain.trim().replace(/\s+/g, '-');
  const same = earlier.filter(({ id }) => id === base || new RegExp(`^${base}-\\d+$`).test(id)).length;
  return same === 0 ? base : `${base}-${same}`;
}

/** Renders Markdown of this project as HTML; tags in it are escaped. */
export function renderMarkdown(markdown: string, t: DocsWords): Rendered {
  const headings: Heading[] = [];
  let blocks = 0;
  const renderer: RendererObject = {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth }) {
      const title = plainText(this.parser.parseInline(tokens, this.parser.textRenderer));
      const id = anchorOf(title, headings);
      headings.push({ id, title, depth });
      const text = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${text}</h1>\n`;
      return `<h${depth} id="${id}"><a href="#${id}">${text}</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const away = /^https?:/.test(href) ? ' rel="noopener noreferrer"' : '';
      return `<a href="${escapeHtml(href)}"${away}>${this.parser.parseInline(tokens)}</a>`;
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token);
      return `<div class="docs-table" role="group" tabindex="0" aria-label="${escapeHtml(t('table'))}">${table}</div>\n`;
    },
    code: (token) => drawBlock(token, ++blocks, t),
  };
  return { html: new Marked({ renderer }).parse(markdown, { async: false }), headings };
}

function drawBlock({ text, lang = '' }: Tokens.Code, number: number, t: DocsWords): string {
  const [language = '', file = ''] = lang.split(' ');
  const name = escapeHtml(t('copyBlock', { name: file || t('block', { number }) }));
  const address = `/docs/recipes/code/${file}`;
  const download = findProgram(file)
    ? `<a href="${address}" download aria-label="${escapeHtml(t('downloadFile', { file }))}">${escapeHtml(t('download'))}</a>`
    : '';
  return `<div class="docs-code"><div class="docs-code-head"><span>${escapeHtml(file || language)}</span>${download}<button type="button" data-copy aria-label="${name}">${escapeHtml(t('copy'))}</button></div><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;
}

const escaped: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const named = Object.fromEntries(Object.entries(escaped).map(([character, entity]) => [entity, character]));

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escaped[character] ?? character);

/** The text of HTML that `renderMarkdown` made: tags removed, entities decoded. */
export const plainText = (html: string): string =>
  html
    .replace(/<\/(?:p|li|td|th|tr|pre|div|h\d)>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => named[entity] ?? entity);
