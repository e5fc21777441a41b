import type { TotpAssociation } from '@deviceportal/identity-client';
import { useEffect, useState, type ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { CodeField } from './code-field.tsx';
import type { StepProps } from './step-props.ts';
import { useAttempt } from './use-attempt.ts';

/** Asks for a code of the authenticator app. */
export function AppStep({ other, step, onUser }: StepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  return (
    <CodeField
      label={t('signIn.second.number')}
      attempt={attempt}
      onCode={async (totp) => onUser(await other.verifyTotp(step.mfaToken, totp))}
    />
  );
}

/**
 * Sets up an authenticator app: scan the QR code, save the recovery code, and enter the first code,
 * which signs in.
 */
export function SetUpAppStep({ other, step, onUser }: StepProps): ReactNode {
  const t = useT();
  const attempt = useAttempt();
  const [app, setApp] = useState<TotpAssociation | null>(null);
  const [isConfirmed, setConfirmed] = useState(false);
  const [failed, setFailed] = useState('');
  useEffect(() => {
    let isShown = true;
    other.associateTotp(step.mfaToken).then(
      (made) => (isShown ? setApp(made) : undefined),
      (error: unknown) => (isShown ? setFailed(String((error as Error).message)) : undefined),
    );
    return () => {
      isShown = false;
    };
  }, [other, step]);
  if (app === null) {
    return (
      <p className="si-error" role="alert">
        {failed}
      </p>
    );
  }
  return (
    <>
      <p className="si-text">{t('signIn.second.scan')}</p>
      <div className="si-qr">
        <img
          src={app.qrcode_data_url}
          width="200"
          height="200"
          alt={t('signIn.second.appPicture')}
        />
      </div>
      <dl className="si-told">
        <dt>{t('signIn.second.secret')}</dt>
        <dd>{app.secret}</dd>
        <dt>{t('signIn.second.recovery')}</dt>
        <dd>{app.recovery_code}</dd>
      </dl>
      <p className="si-hint">{t('signIn.second.keepRecovery')}</p>
      <CodeField
        label={t('signIn.second.number')}
        attempt={attempt}
        onCode={async (totp) => {
          if (!isConfirmed) await other.confirmTotp(step.mfaToken, totp);
          setConfirmed(true);
          await onUser(await other.verifyTotp(step.mfaToken, totp));
        }}
      />
    </>
  );
}
