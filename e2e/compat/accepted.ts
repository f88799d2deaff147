/**
 * A feature that code uses although one of the oldest browsers lacks it, or a name that only looks
 * like one. `files` limits it to files whose path contains one of these words.
 */
export type Accepted = { feature: string; files?: readonly string[]; reason: string };

const looksLikeOne = 'a name of our own, not the feature';

/** What the sources use. An entry that no file needs any more fails the check. */
export const acceptedInSources: readonly Accepted[] = [
  { feature: '.address', files: ['feed-client.ts'], reason: looksLikeOne },
  { feature: '.connection', files: ['feed-client.ts', 'tab.worker.ts'], reason: looksLikeOne },
  { feature: '<search>', reason: 'without it the form is an ordinary form; globals.css makes it a block' },
  { feature: 'popover=', files: ['docs/frame/frame.tsx'], reason: 'menu-fallback.tsx opens the menu instead' },
  { feature: 'popovertarget=', files: ['docs/frame/frame.tsx'], reason: 'menu-fallback.tsx opens the menu instead' },
  { feature: 'event notificationclick', reason: 'iOS opens the app itself when a person taps a notification' },
  { feature: 'event beforeunload', reason: 'iOS closes a page without a question; the page warns in words' },
  { feature: 'event beforeinstallprompt', reason: 'only Chrome offers to install; the page explains it for others' },
  {
    feature: 'event navigate',
    files: ['use-offline-guard.ts'],
    reason: 'without it a filter opens the offline page, which opens the list again by itself',
  },
  { feature: 'cursor: pointer', reason: 'a phone has no pointer' },
  { feature: 'font-family: ui-monospace', reason: 'other fonts follow in the list' },
  { feature: '@page', reason: 'the margins of a printed sheet are then those of the print dialog' },
  { feature: 'size', files: ['sheet.css'], reason: 'the paper is then that of the print dialog' },
  { feature: '@media (scripting)', reason: 'without scripts a phone then has the search and no other filter' },
  { feature: 'break-after: avoid', reason: 'a heading may then be printed at the foot of a page' },
];

const onlyForMice = 'a phone has no mouse';
const decoration = 'the page is complete without it';
const prefixed = 'a line with the prefix stands before it';
const react = 'a function of React has this name';

/** What built files use: the above, and what libraries do. */
export const acceptedInBuild: readonly Accepted[] = [
  ...acceptedInSources
    .filter(({ feature }) => !/^<|=$|notificationclick/.test(feature))
    .map(({ feature, reason }) => ({ feature, reason })),
  { feature: '.use', reason: react },
  { feature: '.toArray', reason: react },
  { feature: '.chunks', reason: 'a property of Next’s' },
  { feature: 'event wheel', reason: onlyForMice },
  ...['touchstart', 'touchmove', 'touchend'].map((name) => ({
    feature: `event ${name}`,
    reason: 'Safari on a Mac has no touch screen',
  })),
  ...['navigate', 'navigatesuccess', 'navigateerror'].map((name) => ({
    feature: `event ${name}`,
    reason: 'React asks for `navigation` before',
  })),
  ...['.startViewTransition', '.skipTransition'].map((feature) => ({
    feature,
    reason: 'only for ViewTransition, which no page uses; React catches its absence',
  })),
  { feature: 'navigator.userAgentData', reason: 'Floating UI asks for null' },
  ...['cursor: not-allowed', 'cursor: default', 'resize', 'resize: none'].map((feature) => ({
    feature,
    reason: onlyForMice,
  })),
  ...['text-wrap', 'text-box-trim', 'text-box-trim: trim-both', 'text-box-edge'].map((feature) => ({
    feature,
    reason: decoration,
  })),
  ...['text-box-edge: cap', 'text-box-edge: alphabetic', 'scrollbar-width', 'scrollbar-width: none'].map((feature) => ({
    feature,
    reason: decoration,
  })),
  ...['user-select', 'backdrop-filter'].map((feature) => ({ feature, reason: prefixed })),
  { feature: 'rect()', reason: 'the old property `clip`, and not the new shape' },
  { feature: ':has', files: ['.css'], reason: 'Mantine: space for a scroll bar and for a clear button' },
];
