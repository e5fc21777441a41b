import { useState } from 'react';
import type { Language } from '../i18n/languages.ts';
import type { Challenge } from '../session/challenge.ts';
import { identifierKindOf, needsCountry, toIdentifier } from '../session/identifier-input.ts';
import { rememberedIdentifier, rememberIdentifier } from './remembered-identifier.ts';
import { sendCode } from './sign-in-flow.ts';
import { signInLayer } from '../session/sign-in-layer.ts';
import { problemNow, type SignInProblem } from './sign-in-problem.ts';

export interface IdentifierEntryOptions {
  readonly known: string;
  readonly countries: readonly string[];
  readonly language: Language;
  readonly problem: SignInProblem | null;
  readonly onSent: (challenge: Challenge) => void;
}

export type IdentifierEntry = ReturnType<typeof useIdentifierEntry>;

/** State and actions of the first step: the identifier, and the request for a code. */
export function useIdentifierEntry(options: IdentifierEntryOptions) {
  const [text, setText] = useState(() => options.known || rememberedIdentifier());
  const [remember, setRemember] = useState(() => rememberedIdentifier() !== '');
  const [country, setCountry] = useState(() => defaultCountry(options));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(options.problem);
  const identifier = toIdentifier(text, country);
  const kind = identifierKindOf(identifier);
  const kinds = signInLayer().identifierKinds;

  const submit = async (): Promise<void> => {
    if (identifier === '' || busy) return;
    if (!kinds.includes(kind)) {
      setProblem({ kind: 'needsAddress', place: 'field' });
      return;
    }
    setBusy(true);
    setProblem(null);
    rememberIdentifier(remember ? identifier : '');
    try {
      options.onSent(await sendCode(identifier));
    } catch (error) {
      setProblem(problemNow(error, 'identifier'));
      setBusy(false);
    }
  };

  return {
    text,
    change(value: string) {
      setText(value);
      if (problem?.place === 'field') setProblem(null);
    },
    remember,
    setRemember,
    country,
    setCountry,
    isPhoneWithoutCode: needsCountry(text),
    identifier,
    kind,
    takesUsernames: kinds.includes('username'),
    busy,
    problem,
    submit,
  };
}

function defaultCountry({
  countries,
  language,
}: Pick<IdentifierEntryOptions, 'countries' | 'language'>): string {
  // Not parsed with `Intl.Locale`, which rejects nonstandard tags that some systems report.
  const region = /[-_]([A-Z]{2})\b/.exec(navigator.language)?.[1] ?? '';
  const wanted = language === 'zh-CN' ? 'CN' : region;
  return countries.includes(wanted) ? wanted : (countries[0] ?? '');
}
