import { useState, type ReactNode } from 'react';
import { formatCountry } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import type { Challenge } from './challenge.ts';
import { callingCodes, needsCountry, toIdentifier } from './identifier-input.ts';
import { sendCode } from './sign-in-flow.ts';
import { signInProblem, type SignInProblem } from './sign-in-problem.tsx';

const REMEMBERED_KEY = 'deviceportal.identifier';

export interface IdentifierStepProps {
  readonly codeLength: number;
  readonly countries: readonly string[];
  readonly identifier: string;
  /** What ended the step before: shown until the person acts. */
  readonly problem: SignInProblem | null;
  readonly onSent: (challenge: Challenge) => void;
}

/** Step 1: who are you. One field for user name, e-mail or phone number. */
export function IdentifierStep(props: IdentifierStepProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const [text, setText] = useState(() => props.identifier || rememberedIdentifier());
  const [remember, setRemember] = useState(() => rememberedIdentifier() !== '');
  const [country, setCountry] = useState(() => defaultCountry(props.countries, language));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(props.problem);
  const isPhone = needsCountry(text);

  const submit = async (): Promise<void> => {
    const identifier = toIdentifier(text, country);
    if (identifier === '' || busy) return;
    setBusy(true);
    setProblem(null);
    rememberIdentifier(remember ? text.trim() : '');
    try {
      props.onSent(await sendCode(identifier, props.codeLength));
    } catch (error) {
      setProblem(signInProblem(error, t, { identifier, answering: false }));
      setBusy(false);
    }
  };

  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {problem?.place === 'card' ? (
        <p className="si-alert" role="alert">
          {problem.text}
        </p>
      ) : null}
      <div className="si-field">
        <label htmlFor="identifier">{t('session.identifier.label')}</label>
        <div className="si-row">
          {isPhone ? (
            <select
              aria-label={t('session.identifier.country')}
              value={country}
              onChange={(event) => setCountry(event.target.value)}
            >
              {props.countries
                .filter((each) => callingCodes[each] !== undefined)
                .map((each) => (
                  <option key={each} value={each}>
                    {formatCountry(language, each)} +{callingCodes[each]}
                  </option>
                ))}
            </select>
          ) : null}
          <input
            id="identifier"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            // The page has one thing to do, and this field is it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={text}
            aria-invalid={problem?.place === 'field'}
            aria-describedby={problem?.place === 'field' ? 'identifier-problem' : undefined}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
        </div>
        {problem?.place === 'field' ? (
          <p id="identifier-problem" className="si-error" role="alert">
            {problem.text}
          </p>
        ) : null}
      </div>
      <label className="si-check">
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        {t('session.identifier.remember')}
      </label>
      <button className="si-primary" type="submit" disabled={text.trim() === ''} aria-busy={busy}>
        {busy ? t('session.identifier.sending') : t('session.identifier.send')}
      </button>
    </form>
  );
}

function defaultCountry(countries: readonly string[], language: string): string {
  // Not by `Intl.Locale`, which refuses the odd tags that some systems report.
  const region = /[-_]([A-Z]{2})\b/.exec(navigator.language)?.[1] ?? '';
  const wanted = language === 'zh-CN' ? 'CN' : region;
  return countries.includes(wanted) ? wanted : (countries[0] ?? '');
}

function rememberedIdentifier(): string {
  try {
    return localStorage.getItem(REMEMBERED_KEY) ?? '';
  } catch {
    return '';
  }
}

function rememberIdentifier(text: string): void {
  try {
    if (text === '') localStorage.removeItem(REMEMBERED_KEY);
    else localStorage.setItem(REMEMBERED_KEY, text);
  } catch {
    // A convenience only.
  }
}
