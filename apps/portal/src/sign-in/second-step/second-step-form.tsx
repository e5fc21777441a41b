import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { openOtherSignIn } from '../../session/authing/other-sign-in.ts';
import { acceptUser, type AcceptedUser } from '../sign-in-flow.ts';
import { AppStep, SetUpAppStep } from './app-step.tsx';
import { ContactStep } from './contact-step.tsx';
import { FaceStep } from './face-step.tsx';
import { PasskeyWay } from './passkey-way.tsx';
import { RecoveryStep } from './recovery-step.tsx';
import type { SecondStepMethod, SecondStepNeeded } from '../../session/second-step.ts';
import type { StepProps } from './step-props.ts';
import './second-step.css';

export interface SecondStepFormProps {
  readonly provider: NonNullable<BrowserConfig['authing']>;
  readonly step: SecondStepNeeded;
  readonly onSignedIn: () => void;
  readonly onRestart: () => void;
}

type Way = SecondStepMethod | 'RECOVERY' | 'PASSKEY_CODE';

/** The form for a second factor of the account, or to set one up. */
export function SecondStepForm(props: SecondStepFormProps): ReactNode {
  const { provider, step, onSignedIn, onRestart } = props;
  const t = useT();
  const language = useLanguage();
  const other = useMemo(() => openOtherSignIn(provider, language), [provider, language]);
  const ways = waysOf(step);
  const [way, setWay] = useState<Way>(ways[0] ?? 'OTP');
  const onUser = useCallback(
    async (user: AcceptedUser): Promise<void> => {
      await acceptUser(user);
      onSignedIn();
    },
    [onSignedIn],
  );
  return (
    <section className="si-second" aria-labelledby="second-step-title">
      <p id="second-step-title" className="si-text">
        {t(step.isSetUp ? 'signIn.second.setUp' : 'signIn.second.title')}
      </p>
      <WayForm key={way} way={way} other={other} step={step} onUser={onUser} />
      <div className="si-row">
        {ways
          .filter((each) => each !== way)
          .map((each) => (
            <button key={each} type="button" className="si-link" onClick={() => setWay(each)}>
              {t(`signIn.second.${step.isSetUp ? 'setUp' : 'use'}.${each}`)}
            </button>
          ))}
        <button type="button" className="si-link" onClick={onRestart}>
          {t('signIn.code.change')}
        </button>
      </div>
    </section>
  );
}

function WayForm({ way, ...props }: StepProps & { readonly way: Way }): ReactNode {
  switch (way) {
    case 'OTP':
      return props.step.isSetUp ? <SetUpAppStep {...props} /> : <AppStep {...props} />;
    case 'RECOVERY':
      return <RecoveryStep {...props} verify={props.other.verifyRecoveryCode} />;
    case 'PASSKEY_CODE':
      return <RecoveryStep {...props} verify={props.other.verifyPasskeyRecoveryCode} />;
    case 'PASSKEY':
      return <PasskeyWay {...props} />;
    case 'FACE':
      return <FaceStep {...props} />;
    default:
      return <ContactStep {...props} method={way} />;
  }
}

/** Recovery codes are offered together with what they replace. */
function waysOf({ isSetUp, methods }: SecondStepNeeded): readonly Way[] {
  if (isSetUp) return methods;
  return methods.flatMap((method): readonly Way[] => {
    if (method === 'OTP') return ['OTP', 'RECOVERY'];
    return method === 'PASSKEY' ? ['PASSKEY', 'PASSKEY_CODE'] : [method];
  });
}
