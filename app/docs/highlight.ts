import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import bat from 'shiki/langs/bat.mjs';
import go from 'shiki/langs/go.mjs';
import http from 'shiki/langs/http.mjs';
import javascript from 'shiki/langs/javascript.mjs';
import json from 'shiki/langs/json.mjs';
import php from 'shiki/langs/php.mjs';
import powershell from 'shiki/langs/powershell.mjs';
import python from 'shiki/langs/python.mjs';
import shellscript from 'shiki/langs/shellscript.mjs';
import yaml from 'shiki/langs/yaml.mjs';

type Highlighter = ReturnType<typeof createHighlighterCoreSync>;
let made: Highlighter | undefined;

// The colours are in docs.css, for light and dark, with enough contrast in both.
function highlighter(): Highlighter {
  made ??= createHighlighterCoreSync({
    themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: '--code-' })],
    langs: [bat, go, http, javascript, json, php, powershell, python, shellscript, yaml],
    langAlias: { console: 'shellscript', cmd: 'bat', gs: 'javascript', crontab: 'shellscript' },
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return made;
}

/** A program as HTML with its parts coloured; one in a language that is not known is left plain. */
export function highlight(text: string, language: string): string {
  const all = highlighter();
  const known = [...all.getLoadedLanguages(), 'console', 'cmd', 'gs', 'crontab'].includes(language);
  return all
    .codeToHtml(text, { lang: known ? language : 'text', theme: 'variables' })
    .replace(/^<pre [^>]*>/, '<pre tabindex="0">');
}
