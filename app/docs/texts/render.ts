import { Marked, Renderer, type RendererObject, type Tokens } from 'marked';

/** The labels of copy buttons, downloads and tables, in the language of the text. */
export type RenderWords = {
  copy: string;
  copyBlock: (name: string) => string;
  block: (number: number) => string;
  download: string;
  downloadFile: (file: string) => string;
  table: string;
  /** Whether a reader can download a file of this name. */
  isFile: (name: string) => boolean;
};

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
export function renderMarkdown(markdown: string, words: RenderWords): Rendered {
  const headings: Heading[] = [];
  const html = new Marked({ renderer: makeRenderer(words, headings) }).parse(markdown, { async: false });
  return { html, headings };
}

function makeRenderer(words: RenderWords, headings: Heading[]): RendererObject {
  let blocks = 0;
  return {
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
      return `<div class="docs-table" role="group" tabindex="0" aria-label="${escapeHtml(words.table)}">${table}</div>\n`;
    },
    code: (token) => drawBlock(token, ++blocks, words),
  };
}

function drawBlock({ text, lang = '' }: Tokens.Code, number: number, words: RenderWords): string {
  const [language = '', file] = lang.split(' ');
  const name = escapeHtml(words.copyBlock(file ?? words.block(number)));
  const download =
    file === undefined || !words.isFile(file)
      ? ''
      : `<a href="/docs/recipes/code/${file}" download aria-label="${escapeHtml(words.downloadFile(file))}">${escapeHtml(words.download)}</a>`;
  return `<div class="docs-code"><div class="docs-code-head"><span>${escapeHtml(file ?? language)}</span>${download}<button type="button" data-copy aria-label="${name}">${escapeHtml(words.copy)}</button></div><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;
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
