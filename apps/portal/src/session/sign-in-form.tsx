import { useState, type ReactNode } from 'react';
import type { BrowserConfig } from '@deviceportal/contract/browser-config';
import { storeChallenge, storedChallenge, type Challenge } from './challenge.ts';
import { CodeStep } from './code-step.tsx';
import { IdentifierStep } from './identifier-step.tsx';
import type { SignInProblem } from './sign-in-problem.ts';
import 'virtual:sign-in-tokens.css';
import './sign-in.css';

export interface SignInFormProps {
  readonly config: Pick<BrowserConfig, 'supportedCountries'>;
  /** Known already when somebody signs in again. */
  readonly identifier?: string;
  readonly onSignedIn: () => void;
  /** A code is on its way: the portal may start to load. */
  readonly onCodeSent?: () => void;
}

/** Identifier, then code. A reload in the middle goes on with the code. */
export function SignInForm({
  config,
  identifier = '',
  onSignedIn,
  onCodeSent,
}: SignInFormProps): ReactNode {
  const [challenge, setChallenge] = useState<Challenge | null>(() => storedChallenge(Date.now()));
  const [known, setKnown] = useState(identifier);
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  if (challenge === null) {
    return (
      <IdentifierStep
        countries={config.supportedCountries}
        identifier={known}
        problem={problem}
        onSent={(sent) => {
          setChallenge(sent);
          onCodeSent?.();
        }}
      />
    );
  }
  return (
    <CodeStep
      challenge={challenge}
      onChallenge={setChallenge}
      onSignedIn={onSignedIn}
      onRestart={(reason) => {
        storeChallenge(null);
        setKnown(challenge.identifier);
        setProblem(reason);
        setChallenge(null);
      }}
    />
  );
}
