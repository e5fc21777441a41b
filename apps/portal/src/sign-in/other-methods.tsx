import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { openOtherSignIn } from '../session/authing/other-sign-in.ts';
import { secondStepOf, type SecondStepNeeded } from '../session/second-step.ts';
import { loadSignInMethods, type SignInMethods } from '../session/sign-in-methods.ts';
import { DirectoryForm } from './directory-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { QrCodePanel } from './qr-code-panel.tsx';
import { acceptUser, type AcceptedUser } from './sign-in-flow.ts';
import './other-methods.css';

export interface OtherMethodsProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
  readonly onSignedIn: () => void;
  readonly onSecondStep: (step: SecondStepNeeded) => void;
}

/** The other sign-in methods of the application. Empty until they are loaded. */
export function OtherMethods({ provider, onSignedIn, onSecondStep }: OtherMethodsProps): ReactNode {
  const t = useT();
  const language = useLanguage();
  const other = useMemo(() => openOtherSignIn(provider, language), [provider, language]);
  const methods = useSignInMethods(provider);
  const [opened, setOpened] = useState<'qr' | 'ldap' | 'ad' | null>(null);
  const [problem, setProblem] = useState('');
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
      <ProviderButtons
        methods={methods.buttons}
        other={other}
        onChosen={() => setProblem('')}
        onUser={accept}
        onFailed={fail}
      />
      {methods.directories.map((directory) => (
        <Way
          key={directory}
          label={t(`signIn.others.${directory}`)}
          isOpen={opened === directory}
          onToggle={() => toggle(directory)}
        >
          <DirectoryForm
            onLogin={async (login) => {
              setProblem('');
              await other.byDirectory(directory, login).then(accept).catch(fail);
            }}
          />
        </Way>
      ))}
      {methods.qrCode ? (
        <Way label={t('signIn.qr.open')} isOpen={opened === 'qr'} onToggle={() => toggle('qr')}>
          <QrCodePanel other={other} onUser={accept} onFailed={fail} />
        </Way>
      ) : null}
    </section>
  );
}

/** Null until loaded. */
function useSignInMethods(provider: OtherMethodsProps['provider']): SignInMethods | null {
  const [methods, setMethods] = useState<SignInMethods | null>(null);
  useEffect(() => {
    let isShown = true;
    loadSignInMethods(provider).then(
      (found) => (isShown ? setMethods(found) : undefined),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [provider]);
  return methods;
}

interface WayProps {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** A button that expands the section below it. */
function Way({ label, isOpen, onToggle, children }: WayProps): ReactNode {
  return (
    <div>
      <button type="button" className="si-secondary" aria-expanded={isOpen} onClick={onToggle}>
        {label}
      </button>
      {isOpen ? children : null}
    </div>
  );
}

const offersAny = ({ qrCode, directories, buttons }: SignInMethods): boolean =>
  qrCode || directories.length > 0 || buttons.length > 0;
