import { expect, test } from 'vitest';
import { splitMarks } from '#server/notifications/text-marks.ts';

// Pieces as text with HTML's names of the marks.
const shown = (text: string) =>
  splitMarks(text)
    .map((piece) => piece.marks.reduceRight((inner, mark) => `<${mark}>${inner}</${mark}>`, piece.text))
    .join('');

test.each([
  [
    '*Rapat* jam _sembilan_, bukan ~delapan~',
    '<bold>Rapat</bold> jam <italic>sembilan</italic>, bukan <struck>delapan</struck>',
  ],
  ['*_Penting_*: baca', '<bold><italic>Penting</italic></bold>: baca'],
  ['(*awas*)', '(<bold>awas</bold>)'],
  ['*dua kata*', '<bold>dua kata</bold>'],
  ['*satu*\n*dua*', '<bold>satu</bold>\n<bold>dua</bold>'],
  ['*a*b*', '<bold>a*b</bold>'],
])('%j is shown with its marks', (text, marked) => {
  expect(shown(text)).toBe(marked);
});

test.each([
  '2 * 3 * 4',
  'slip_gaji_november.pdf',
  'https://contoh.example/_a_/*b*?c=~d~',
  '*tidak\nsebaris*',
  '*tidak\u2028sebaris*',
  '* bukan*',
  '*bukan *',
  '**',
  '***',
  '****tebal****',
  '**tebal**',
  '_',
  'harga 5*3 dan 4*2',
  '',
])('%j keeps its signs', (text) => {
  expect(shown(text)).toBe(text);
});

test('a hostile text loses nothing but signs, stays text and takes no time', () => {
  const hostile = [
    '<script>*alert(1)*</script>',
    '*[klik](javascript:alert(1))*',
    '*'.repeat(255),
    '*_~'.repeat(85),
    '*a '.repeat(63),
    '_*a*_ '.repeat(40),
    '\u202e*terbalik*\u202c',
    '*👨‍👩‍👧 é*',
    '\ud83d*x*',
    '*\u0000*',
  ];
  const startedAt = performance.now();
  for (const text of hostile) {
    const pieces = splitMarks(text);
    const rest = pieces.map((piece) => piece.text).join('');
    expect(rest.replace(/[*_~]/g, '')).toBe(text.replace(/[*_~]/g, ''));
    let at = 0;
    for (const letter of rest) at = text.indexOf(letter, at) + letter.length;
    expect(at, 'the letters keep their order').toBeGreaterThan(-1);
  }
  expect(performance.now() - startedAt).toBeLessThan(500);
});
