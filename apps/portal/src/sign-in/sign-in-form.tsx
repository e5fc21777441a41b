import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { ChunkFallback } from '../chunks/chunk-fallback.tsx';
import { storeChallenge, storedChallenge, type Challenge } from '../session/challenge.ts';
import { CodeStep } from './code-step.tsx';
import { IdentifierStep } from './identifier-step.tsx';
import { PasskeyButton } from './passkeys/passkey-button.tsx';
import { PasskeyNeeded } from '../session/passkey-needed.ts';
import type { SecondStepNeeded } from '../session/second-step.ts';
import type { SignInProblem } from './sign-in-problem.ts';
import 'virtual:sign-in-tokens.css';
import './sign-in.css';

/** Loaded with the provider’s client, which only the other set of providers needs. */
const OtherMethods = lazy(async () => ({
  default: (await import('./other-methods.tsx')).OtherMethods,
}));
const SecondStepForm = lazy(async () => ({
  default: (await import('./second-step/second-step-form.tsx')).SecondStepForm,
}));
const PasskeyStep = lazy(async () => ({
  default: (await import('./passkeys/passkey-step.tsx')).PasskeyStep,
}));

export interface SignInFormProps {
  readonly config: Pick<BrowserConfig, 'supportedCountries' | 'authing' | 'passkeys'>;
  /** Filled in when the user signs in again. */
  readonly identifier?: string;
  readonly onSignedIn: () => void;
  /** A code was sent, so the portal can start to load. */
  readonly onCodeSent?: () => void;
}

/** Asks for the identifier, then the code. A reload in between returns to the code. */
export function SignInForm({
  config,
  identifier = '',
  onSignedIn,
  onCodeSent,
}: SignInFormProps): ReactNode {
  const [challenge, setChallenge] = useState<Challenge | null>(() => storedChallenge(Date.now()));
  const [known, setKnown] = useState(identifier);
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [secondStep, setSecondStep] = useState<SecondStepNeeded | PasskeyNeeded | null>(null);
  const { authing } = config;
  const offersPasskeys = config.passkeys && 'PublicKeyCredential' in window;
  const restart = (): void => {
    storeChallenge(null);
    setChallenge(null);
    setSecondStep(null);
  };
  if (secondStep instanceof PasskeyNeeded) {
    return (
      <Suspense fallback={null}>
        <PasskeyStep step={secondStep} onSignedIn={onSignedIn} onRestart={restart} />
      </Suspense>
    );
  }
  if (secondStep !== null && authing !== null) {
    return (
      <Suspense fallback={<ChunkFallback />}>
        <SecondStepForm
          provider={authing}
          step={secondStep}
          onSignedIn={onSignedIn}
          onRestart={restart}
        />
      </Suspense>
    );
  }
  if (challenge === null) {
    return (
      <>
        <IdentifierStep
          countries={config.supportedCountries}
          offersPasskeys={offersPasskeys}
          identifier={known}
          problem={problem}
          onSent={(sent) => {
            setChallenge(sent);
            onCodeSent?.();
          }}
        />
        {offersPasskeys ? <PasskeyButton onSignedIn={onSignedIn} onStarted={onCodeSent} /> : null}
        {authing === null ? null : (
          <Suspense fallback={<ChunkFallback />}>
            <OtherMethods provider={authing} onSignedIn={onSignedIn} onSecondStep={setSecondStep} />
          </Suspense>
        )}
      </>
    );
  }
  return (
    <CodeStep
      challenge={challenge}
      onChallenge={setChallenge}
      onSignedIn={onSignedIn}
      onSecondStep={setSecondStep}
      onRestart={(reason) => {
        storeChallenge(null);
        setKnown(challenge.identifier);
        setProblem(reason);
        setChallenge(null);
      }}
    />
  );
}
