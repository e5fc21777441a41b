import { I18nProvider } from '@cloudscape-design/components/i18n';
import { lazy, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react';
import { loadListWords, useComponentMessages, useLanguage } from './language-store.ts';

/** A part of the device list that is loaded after it, with its texts and those of its components. */
export function lazyWithListWords<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    const [Part] = await Promise.all([load(), loadListWords()]);
    return {
      default: (props: Props) => (
        <LaterWords>
          <Part {...props} />
        </LaterWords>
      ),
    };
  });
}

function LaterWords({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <I18nProvider locale={useLanguage()} messages={useComponentMessages('ofLaterComponents')}>
      {children}
    </I18nProvider>
  );
}
