const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const findName = (names: [RegExp, string][], text: string) => names.find(([pattern]) => pattern.test(text))?.[1] ?? '';

/** The names of the browser and its operating system in a User-Agent header; empty when unknown. */
export function browserName(userAgent: string): { browser: string; system: string } {
  return { browser: findName(browsers, userAgent), system: findName(systems, userAgent) };
}

export const describeBrowser = (userAgent: string, separator = ', '): string =>
  Object.values(browserName(userAgent)).filter(Boolean).join(separator);
