import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import dos from 'highlight.js/lib/languages/dos';
import go from 'highlight.js/lib/languages/go';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from '#app/docs/texts/html-text.ts';

const languages = { bash, dos, go, http, javascript, json, php, powershell, python, yaml };

// Names in our texts that highlight.js does not know.
const aliases: Record<string, string> = { crontab: 'bash' };

// highlight.js holds its languages itself; they are registered at the first program.
function registerLanguages(): void {
  if (hljs.listLanguages().length > 0) return;
  for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
}

/**
 * A program as a `pre` element. Its parts have the classes of highlight.js, which docs.css colours.
 * A program in an unknown language has no such parts.
 */
export function highlight(program: string, language: string): string {
  registerLanguages();
  const known = aliases[language] ?? language;
  const html = hljs.getLanguage(known) ? hljs.highlight(program, { language: known }).value : escapeHtml(program);
  return `<pre tabindex="0"><code>${html}</code></pre>`;
}
