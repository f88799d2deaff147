import { type AbstractIntlMessages, useLocale, useTranslations } from 'next-intl';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';
import { languageOf } from '#platform/language.ts';

/**
 * Makes a component of this name in a module that is fetched when it is first shown, such as a dialog. `height` (px)
 * reserves its place; `waiting` draws it meanwhile. With `texts` it gets the messages of all sections (20 kB), so that pages
 * do not carry those of a closed dialog. If the fetch fails, the place shows an error with a retry button; if the file is
 * gone because the service was updated, the page reloads.
 */
export function whenNeeded<Name extends string, Module extends Record<Name, (props: never) => ReactNode>>(
  load: () => Promise<Module>,
  name: Name,
  place: Place<PropsOf<Module[Name]>> = {},
): ComponentType<PropsOf<Module[Name]>> {
  const part: Part<PropsOf<Module[Name]>> = {
    ...place,
    load: async () => (await load())[name] as unknown as ComponentType<PropsOf<Module[Name]>>,
  };
  return (props) => <Needed part={part} props={props} />;
}

type PropsOf<Shown extends (props: never) => ReactNode> = Parameters<Shown> extends [] ? object : Parameters<Shown>[0];
type Place<Props> = { height?: number; waiting?: (props: Props) => ReactNode; texts?: true };
type Part<Props> = Place<Props> & { load: () => Promise<ComponentType<Props>>; Loaded?: ComponentType<Props> };

async function loadTexts(locale: string): Promise<AbstractIntlMessages> {
  return (await import(`../../../messages/${languageOf(locale)}/icu/pages.json`)).default;
}

function Needed<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  const locale = useLocale();
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  const [texts, setTexts] = useState<AbstractIntlMessages>();
  useEffect(() => {
    if (state !== 'loading' || (part.Loaded && !part.texts)) return;
    Promise.all([part.load(), part.texts && loadTexts(locale)]).then(
      ([component, loaded]) => {
        part.Loaded = component;
        setTexts(loaded);
        setState('loaded');
      },
      async () => {
        if (await isServed()) location.reload();
        else setState('failed');
      },
    );
  }, [state, part, locale]);
  if (part.Loaded && texts) return <MoreTexts more={texts}>{<part.Loaded {...props} />}</MoreTexts>;
  if (part.Loaded && !part.texts) return <part.Loaded {...props} />;
  if (state === 'failed') return <NotLoaded onRetry={() => setState('loading')} />;
  return part.waiting?.(props) ?? (part.height ? <div style={{ height: part.height }} /> : null);
}

const isServed = async () =>
  (await fetch('/favicon.ico', { method: 'HEAD', cache: 'no-store' }).catch(() => null))?.ok === true;

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations();
  return (
    <div role="alert" style={{ padding: 12 }}>
      <p>{t('form.failed')}</p>
      <button type="button" className="plain-button" onClick={onRetry}>
        {t('app.retry')}
      </button>
    </div>
  );
}
