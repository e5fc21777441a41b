import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { countryWords } from '@deviceportal/contract/country-words';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { callingCodes } from '../session/calling-codes.ts';
import type { Challenge } from '../session/challenge.ts';
import { FieldProblem, ProblemAlert } from './problem-alert.tsx';
import type { SignInProblem } from './sign-in-problem.ts';
import { useIdentifierEntry, type IdentifierEntry } from './use-identifier-entry.ts';
import { useNow } from './use-now.ts';
import { useOnline } from './use-online.ts';

export interface IdentifierStepProps {
  readonly countries: readonly string[];
  readonly identifier: string;
  /** Whether the browser offers passkeys in the field. */
  readonly offersPasskeys: boolean;
  /** The problem that ended the previous step. Shown until the user acts. */
  readonly problem: SignInProblem | null;
  readonly onSent: (challenge: Challenge) => void;
}

/** The first step: a field for username, email address, or phone number. */
export function IdentifierStep(props: IdentifierStepProps): ReactNode {
  const t = useT();
  const online = useOnline();
  const language = useLanguage();
  const entry = useIdentifierEntry({ ...props, known: props.identifier, language });
  const { problem, busy } = entry;
  const nowMs = useNow();
  const mustWait = (problem?.waitUntilMs ?? 0) > nowMs;
  const field = useRef<HTMLInputElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const isAgain = props.problem !== null;

  useEffect(() => {
    // After an expired code, only a new code is needed. Otherwise, the field gets the focus.
    (isAgain ? send : field).current?.focus();
  }, [isAgain]);
  useEffect(() => {
    if (problem?.place === 'field') field.current?.focus();
  }, [problem]);

  return (
    <form
      className="si-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!mustWait) void entry.submit();
      }}
    >
      <ProblemAlert problem={problem} identifier={entry.identifier} nowMs={nowMs} />
      <IdentifierField {...props} entry={entry} field={field} />
      <label className="si-check">
        <input
          type="checkbox"
          checked={entry.remember}
          onChange={(event) => entry.setRemember(event.target.checked)}
        />
        {t('signIn.identifier.remember')}
      </label>
      <button
        ref={send}
        className="si-primary"
        type="submit"
        disabled={entry.identifier === '' || mustWait}
        aria-busy={busy}
      >
        {busy
          ? t('signIn.identifier.sending')
          : t(isAgain ? 'signIn.code.sendNew' : 'signIn.identifier.send')}
      </button>
      <output className="si-hint">
        {online || problem?.kind === 'offline' ? '' : t('signIn.offline')}
      </output>
    </form>
  );
}

interface IdentifierFieldProps extends Pick<IdentifierStepProps, 'countries' | 'offersPasskeys'> {
  readonly entry: IdentifierEntry;
  readonly field: RefObject<HTMLInputElement | null>;
}

function IdentifierField(props: IdentifierFieldProps): ReactNode {
  const { entry, countries, offersPasskeys, field } = props;
  const t = useT();
  const { problem } = entry;
  return (
    <div className="si-field">
      <label htmlFor="identifier">
        {t(entry.takesUsernames ? 'signIn.identifier.label' : 'signIn.identifier.labelAddress')}
      </label>
      <div className="si-row">
        {entry.isPhoneWithoutCode ? <CountrySelect entry={entry} countries={countries} /> : null}
        <input
          id="identifier"
          ref={field}
          name="username"
          autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          value={entry.text}
          readOnly={entry.busy}
          aria-invalid={problem?.place === 'field'}
          aria-describedby="identifier-hint identifier-problem"
          onChange={(event) => entry.change(event.target.value)}
        />
      </div>
      <p id="identifier-hint" className="si-hint">
        {entry.identifier === ''
          ? t('signIn.identifier.hint')
          : t(`signIn.identifier.kind.${entry.kind}`, { identifier: entry.identifier })}
      </p>
      <FieldProblem id="identifier-problem" problem={problem} identifier={entry.identifier} />
    </div>
  );
}

function CountrySelect({
  entry,
  countries,
}: Pick<IdentifierFieldProps, 'entry' | 'countries'>): ReactNode {
  const t = useT();
  const language = useLanguage();
  return (
    <select
      aria-label={t('signIn.identifier.country')}
      value={entry.country}
      onChange={(event) => entry.setCountry(event.target.value)}
    >
      {countries
        .filter((each) => callingCodes[each] !== undefined)
        .map((each) => (
          <option key={each} value={each}>
            {countryWords(each, language)} +{callingCodes[each]}
          </option>
        ))}
    </select>
  );
}
