import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { openOtherSignIn } from '../session/authing/other-sign-in.ts';
import { DirectoryForm } from './directory-form.tsx';
import { QrCodePanel } from './qr-code-panel.tsx';
import { secondStepOf, type SecondStepNeeded } from '../session/second-step.ts';
import { acceptUser, type AcceptedUser } from './sign-in-flow.ts';
import {
  loadSignInMethods,
  type SignInMethod,
  type SignInMethods,
} from '../session/sign-in-methods.ts';
import './other-ways.css';

export interface OtherWaysProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
  readonly onSignedIn: () => void;
  readonly onSecondStep: (step: SecondStepNeeded) => void;
}

/** What the application offers besides a code: nothing is shown that is not set up, nor while that is not known. */
export function OtherWays({ provider, onSignedIn, onSecondStep }: OtherWaysProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const other = useMemo(() => openOtherSignIn(provider, language), [provider, language]);
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  const [opened, setOpened] = useState<'qr' | 'ldap' | 'ad' | null>(null);
  const [waiting, setWaiting] = useState<SignInMethod | null>(null);
  const [problem, setProblem] = useState('');
  const wait = useRef(new AbortController());
  useEffect(() => {
    let isShown = true;
    loadSignInMethods(provider).then(
      (found) => (isShown ? setMethods(found) : undefined),
      () => undefined,
    );
    return () => {
      isShown = false;
      wait.current.abort();
    };
  }, [provider]);

  const fail = useCallback(
    (error: unknown): void => {
      const step = secondStepOf(error);
      if (step !== undefined) onSecondStep(step);
      else setProblem(error instanceof Error ? error.message : String(error));
    },
    [onSecondStep],
  );
  const accept = useCallback(
    async (user: AcceptedUser): Promise<void> => {
      await acceptUser(user);
      onSignedIn();
    },
    [onSignedIn],
  );
  const goTo = async (method: SignInMethod): Promise<void> => {
    wait.current.abort();
    wait.current = new AbortController();
    const { signal } = wait.current;
    setProblem('');
    setWaiting(method);
    try {
      const user = await other.byProvider(method, signal);
      if (user !== null) await accept(user);
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
    if (!signal.aborted) setWaiting(null);
  };
  if (methods === null || !offersAny(methods)) return null;
  const toggle = (panel: typeof opened): void => {
    setProblem('');
    setOpened(opened === panel ? null : panel);
  };
  return (
    <section className="si-others" aria-label={t('signIn.others.title')}>
      <p className="si-or">{t('signIn.others.or')}</p>
      <p className="si-error" role="alert">
        {problem}
      </p>
      {waiting === null ? (
        methods.buttons.map((method) => (
          <button
            key={`${method.kind} ${method.identifier}`}
            type="button"
            className="si-secondary"
            onClick={() => void goTo(method)}
          >
            {t('signIn.others.with', { name: method.name })}
          </button>
        ))
      ) : (
        <p className="si-text" role="status">
          {t('signIn.others.waiting', { name: waiting.name })}{' '}
          <button
            type="button"
            className="si-link"
            onClick={() => {
              wait.current.abort();
              setWaiting(null);
            }}
          >
            {t('signIn.others.cancel')}
          </button>
        </p>
      )}
      {methods.directories.map((directory) => (
        <div key={directory}>
          <button
            type="button"
            className="si-secondary"
            aria-expanded={opened === directory}
            onClick={() => toggle(directory)}
          >
            {t(`signIn.others.${directory}`)}
          </button>
          {opened === directory ? (
            <DirectoryForm
              onLogin={async (login) => {
                setProblem('');
                await other.byDirectory(directory, login).then(accept).catch(fail);
              }}
            />
          ) : null}
        </div>
      ))}
      {methods.qrCode ? (
        <div>
          <button
            type="button"
            className="si-secondary"
            aria-expanded={opened === 'qr'}
            onClick={() => toggle('qr')}
          >
            {t('signIn.qr.open')}
          </button>
          {opened === 'qr' ? <QrCodePanel other={other} onUser={accept} onFailed={fail} /> : null}
        </div>
      ) : null}
    </section>
  );
}

const offersAny = ({ qrCode, directories, buttons }: SignInMethods): boolean =>
  qrCode || directories.length > 0 || buttons.length > 0;
