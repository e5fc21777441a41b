import { useEffect, useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useLanguage } from '../i18n/language-store.ts';
import { languageNames, languages, type Language } from '../i18n/languages.ts';
import { useT } from '../i18n/use-t.ts';
import { isDark } from '../ui/appearance.ts';
import { setPageTitle } from '../ui/page-title.ts';
import { updatePreferences, usePreferences } from '../ui/preferences-store.ts';
import { SignInForm } from './sign-in-form.tsx';

export interface SignInPageProps {
  readonly config: BrowserConfig;
  readonly onSignedIn: () => void;
  readonly onCodeSent: () => void;
}

/**
 * The sign-in page: plain semantic HTML with Cloudscape’s design tokens, because its components
 * would add 200 kB.
 */
export function SignInPage({ config, onSignedIn, onCodeSent }: SignInPageProps): ReactNode {
  const t = useT();
  useEffect(() => setPageTitle(t('signIn.title')), [t]);
  return (
    <div className="si-page">
      <header className="si-corner">
        <AppearanceSwitches config={config} />
      </header>
      <main className="si-card">
        <div className="si-brand">
          <img src="/icon.svg" alt="" width="44" height="44" />
          <h1>{config.productName}</h1>
          <p>{t('signIn.subtitle')}</p>
        </div>
        <SignInForm config={config} onSignedIn={onSignedIn} onCodeSent={onCodeSent} />
        <Help outboxUrl={config.outboxUrl} />
      </main>
      <footer className="si-footer">
        {config.environment} · {config.region} · {config.version}
      </footer>
    </div>
  );
}

function Help({ outboxUrl }: Pick<BrowserConfig, 'outboxUrl'>): ReactNode {
  const t = useT();
  const [shown, setShown] = useState(false);
  return (
    <div className="si-help">
      {outboxUrl === null ? null : (
        <p>
          {t('signIn.outbox')}{' '}
          <a href={outboxUrl} target="_blank" rel="noreferrer">
            {t('signIn.outboxLink')}
          </a>
        </p>
      )}
      <button
        className="si-link"
        type="button"
        aria-expanded={shown}
        aria-controls="sign-in-help"
        onClick={() => setShown(!shown)}
      >
        {t('signIn.help.title')}
      </button>
      <p id="sign-in-help" hidden={!shown}>
        {t('signIn.help.body')}
      </p>
    </div>
  );
}

function AppearanceSwitches({ config }: { readonly config: BrowserConfig }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const dark = isDark(usePreferences().theme);
  return (
    <>
      <select
        aria-label={t('signIn.language')}
        value={language}
        onChange={(event) => updatePreferences({ language: event.target.value as Language })}
      >
        {languages
          .filter((each) => config.languages.includes(each))
          .map((each) => (
            <option key={each} value={each} lang={each}>
              {languageNames[each]}
            </option>
          ))}
      </select>
      <button
        type="button"
        className="si-link"
        onClick={() => updatePreferences({ theme: dark ? 'light' : 'dark' })}
      >
        {dark ? t('signIn.theme.light') : t('signIn.theme.dark')}
      </button>
    </>
  );
}
