// Where a spreadsheet may split a text: at the separators of files and at line breaks.
const separators = new Set(',;|');
const lineBreaks = new Set('\t\r\n\v\f\u0085\u2028\u2029');
// Full-width signs too, as spreadsheets read them.
const signs = new Set('=+-@＝＋－＠');
// A cell may begin behind these. An apostrophe makes a cell a text, also one that is not ours.
const passed = /[\s"“”']/u;
const mayNeedEscape = /[=+\-@＝＋－＠\t\r\n]/u;

/**
 * Makes a text safe for a cell of CSV (OWASP, CSV injection), whichever separator the spreadsheet
 * uses. A cell could begin at the start of the text, and behind each comma, semicolon, bar, tab and
 * line break; blanks and quotation marks may follow. There it puts an apostrophe before `=`, `+`,
 * `-` and `@`. It also puts one before a tab or line break with which a cell would begin.
 * `unescapeFormulas` gives the text back.
 */
export function escapeFormulas(text: string): string {
  if (!mayNeedEscape.test(text)) return text;
  let safe = '';
  let copied = 0;
  forEachStart(text, (at) => {
    safe += `${text.slice(copied, at)}'`;
    copied = at;
  });
  return safe + text.slice(copied);
}

/** Takes away the apostrophes of `escapeFormulas`. */
export function unescapeFormulas(text: string): string {
  if (!text.includes("'")) return text;
  let plain = '';
  let copied = 0;
  forEachStart(text, (at) => {
    if (text[at - 1] !== "'") return;
    plain += text.slice(copied, at - 1);
    copied = at;
  });
  return plain + text.slice(copied);
}

// Calls `found` with each place where a sign or a dropped character could begin a cell. An apostrophe
// before such a place changes no other place. Linear in the length of the text.
function forEachStart(text: string, found: (at: number) => void): void {
  // `first`: only apostrophes since the start or a separator. `start`: only passed characters.
  let [first, start] = [true, true];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (lineBreaks.has(character)) {
      if (first) found(at);
      [first, start] = [false, true];
    } else if (separators.has(character)) [first, start] = [true, true];
    else if (signs.has(character)) {
      if (start) found(at);
      [first, start] = [false, false];
    } else if (character !== "'") {
      first = false;
      start &&= passed.test(character);
    }
  }
}
