'use client';

import { useComputedColorScheme } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { indonesianReader } from '#app/docs/reference/reader-words.ts';
import { pageNonce } from '#app/page-nonce.ts';

type Language = 'id' | 'en';
type Made = { destroy: () => void };
type Scalar = { createApiReference: (place: Element, configuration: object) => Made };

// Its maker's own build, as a file: bundled anew, it would make a build of the pages three times as long.
const readerUrl = new URL(
  '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js',
  import.meta.url,
).toString();

/**
 * How the reader behaves: it asks nobody but this very origin, keeps no key beyond the page, and brings no fonts of others.
 * What it would show of its maker's services is off.
 */
function configure(language: Language, dark: boolean) {
  return {
    url: `/api/v1/openapi.json?lang=${language}`,
    // The document names the deployment's address; whoever came by another one would be refused by the browser.
    servers: [{ url: window.location.origin }],
    telemetry: false,
    persistAuth: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideDarkModeToggle: true,
    hideSearch: true,
    documentDownloadType: 'none',
    showSidebar: false,
    orderSchemaPropertiesBy: 'preserve',
    hideModels: true,
    forceDarkModeState: dark ? 'dark' : 'light',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    localization: language === 'id' ? { locale: 'id', translations: indonesianReader } : { locale: 'en' },
  };
}

let loading: Promise<Scalar> | undefined;

function loadReader(): Promise<Scalar> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const nonce = document.createElement('meta');
    nonce.setAttribute('property', 'csp-nonce');
    nonce.content = pageNonce ?? '';
    script.onload = () => {
      nonce.remove();
      resolve((window as unknown as { Scalar: Scalar }).Scalar);
    };
    script.onerror = () => reject(new Error('The reader did not come.'));
    script.src = readerUrl;
    // Where it looks for the nonce of its own style sheet, once.
    document.head.append(nonce, script);
  });
  return loading;
}

/** What the reader lacks: names of its copy buttons and of its link to the documentation. */
function mend(place: HTMLElement, { copy, docs }: { copy: string; docs: string }): MutationObserver {
  const observer = new MutationObserver(() => {
    for (const button of place.querySelectorAll('.scalar-code-copy:not([aria-label])'))
      button.setAttribute('aria-label', copy);
    for (const link of place.querySelectorAll('a[href$="/docs"]:has(svg):not([aria-label])'))
      link.setAttribute('aria-label', docs);
  });
  observer.observe(place, { childList: true, subtree: true });
  return observer;
}

/** The interface's OpenAPI document to read and to try. The reader is large, so it comes when the page is there. */
export function ReferenceReader(words: {
  language: Language;
  loading: string;
  failed: string;
  copy: string;
  docs: string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'failed' | 'ready'>('loading');
  const dark = useComputedColorScheme() === 'dark';
  useLayoutEffect(() => {
    let gone = false;
    let made: Made | undefined;
    let mending: MutationObserver | undefined;
    const show = (reader: Scalar) => {
      if (gone || !place.current) return;
      mending = mend(place.current, { copy: words.copy, docs: words.docs });
      made = reader.createApiReference(place.current, configure(words.language, dark));
      setState('ready');
    };
    loadReader().then(show, () => setState('failed'));
    return () => {
      gone = true;
      mending?.disconnect();
      made?.destroy();
    };
  }, [words.language, words.copy, words.docs, dark]);
  return (
    <>
      {state === 'loading' && <p role="status">{words.loading}</p>}
      {state === 'failed' && <p role="alert">{words.failed}</p>}
      <div ref={place} className="docs-reader" />
    </>
  );
}
