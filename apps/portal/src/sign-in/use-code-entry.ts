import { useRef, useState } from 'react';
import type { Challenge } from '../session/challenge.ts';
import { codeDigits } from '../session/identifier-input.ts';
import { PasskeyNeeded } from '../session/passkey-needed.ts';
import { SecondStepNeeded } from '../session/second-step.ts';
import { SignInError } from '../session/sign-in-error.ts';
import { answerCode, sendCodeAgain } from './sign-in-flow.ts';
import { endsSignIn, problemNow, type SignInProblem } from './sign-in-problem.ts';

export interface CodeEntryOptions {
  readonly challenge: Challenge;
  readonly onChallenge: (challenge: Challenge) => void;
  readonly onSignedIn: () => void;
  readonly onSecondStep: (step: SecondStepNeeded | PasskeyNeeded) => void;
  /** Returns to the first step with the problem that caused it. */
  readonly onRestart: (problem: SignInProblem | null) => void;
}

/**
 * State and actions of the second step: the code, submitted automatically once for each complete
 * value, and a request for another code.
 */
export function useCodeEntry({ challenge, ...on }: CodeEntryOptions) {
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState<'checking' | 'sending' | null>(null);
  const [problem, setProblem] = useState<SignInProblem | null>(null);
  const [sentAgain, setSentAgain] = useState(false);
  const tried = useRef('');

  const clear = (): void => {
    setCode('');
    tried.current = '';
  };
  const fail = (error: unknown): void => {
    if (error instanceof SecondStepNeeded || error instanceof PasskeyNeeded) {
      on.onSecondStep(error);
      return;
    }
    const found = problemNow(error, 'code');
    if (endsSignIn(found)) {
      on.onRestart(found);
      return;
    }
    setProblem(found);
    setBusy(null);
    if (found.kind === 'wrongCode') clear();
    if (error instanceof SignInError && error.challenge !== undefined)
      on.onChallenge(error.challenge);
  };
  const submit = async (value: string): Promise<void> => {
    if (value.length !== challenge.codeLength || busy !== null) return;
    if (Date.now() >= challenge.expiresAtMs) return;
    tried.current = value;
    setBusy('checking');
    setProblem(null);
    setSentAgain(false);
    try {
      await answerCode(challenge, value);
      on.onSignedIn();
    } catch (error) {
      fail(error);
    }
  };
  return {
    code,
    busy,
    problem,
    sentAgain,
    change(text: string) {
      const digits = codeDigits(text, challenge.codeLength);
      setCode(digits);
      setProblem(null);
      if (digits.length === challenge.codeLength && digits !== tried.current) void submit(digits);
    },
    submit: () => submit(code),
    async resend() {
      if (busy !== null) return;
      setBusy('sending');
      setProblem(null);
      try {
        on.onChallenge(await sendCodeAgain(challenge));
        clear();
        setSentAgain(true);
        setBusy(null);
      } catch (error) {
        fail(error);
      }
    },
  };
}

export type CodeEntry = ReturnType<typeof useCodeEntry>;
