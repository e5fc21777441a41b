import { growthLimits, LIMIT_REACHED } from '@deviceportal/contract/growth-limits';
import { refusalText } from '../refusals/refusal-text.ts';
import { OUTCOME_UNKNOWN, type ClientError } from '../../api/portal-error-of.ts';
import type { Translate } from '../../i18n/use-t.ts';
import type { MessageArguments, MessageKey } from '../../i18n/message-key.ts';

export interface ErrorSubject {
  /** The kind of the object in the viewer’s language: "Device", "Document". */
  readonly kind?: string;
  /** The ID or name in the link. */
  readonly id?: string;
}

export interface ErrorTexts {
  readonly title: string;
  readonly body: string;
}

/** Facts that the texts can use. `none` if the server sent none, which the texts select on. */
const FACTS = [
  'permission',
  'action',
  'identifier',
  'attemptsLeft',
  'command',
  'serialNumber',
  'exitCode',
  'name',
  'step',
  'failed',
  'total',
] as const;

/** The two texts of an error: what happened, and what to do. */
export function errorTexts(
  error: ClientError,
  t: Translate,
  subject: ErrorSubject = {},
): ErrorTexts {
  const facts: Record<string, string | number> = Object.fromEntries(
    FACTS.map((fact) => [fact, textOf(error.facts[fact])]),
  );
  const values: MessageArguments = {
    ...facts,
    // Several of which one is enough.
    permission: String(facts['permission']).replaceAll(' | ', t('app.error.noPermission.or')),
    kind: subject.kind ?? 'none',
    id: subject.id ?? 'none',
    status: error.httpStatus === null ? 'none' : String(error.httpStatus),
  };
  if (error.unreadable) {
    return { title: t('app.error.unreadable.title'), body: t('app.error.unreadable.body') };
  }
  const ofReason = reasonTexts(error, t);
  if (ofReason !== undefined) return ofReason;
  return {
    title: t(`app.error.${error.name}.title` as MessageKey, values),
    body: t(`app.error.${error.name}.body` as MessageKey, values),
  };
}

/** Texts of refusals whose reason is more specific than their code. */
function reasonTexts({ facts, reason }: ClientError, t: Translate): ErrorTexts | undefined {
  if (reason === 'run-beyond-scope') {
    return { title: t('app.error.beyondScope.title'), body: t('app.error.beyondScope.body') };
  }
  if (facts['reason'] === OUTCOME_UNKNOWN) {
    return { title: t('app.error.outcomeUnknown.title'), body: t('app.error.outcomeUnknown.body') };
  }
  const limit = String(facts['limit']);
  if (facts['reason'] === LIMIT_REACHED && Object.hasOwn(growthLimits, limit)) {
    return {
      title: t('app.error.limitReached.title'),
      body: t(`app.error.limitReached.${limit}` as MessageKey, { most: Number(facts['most']) }),
    };
  }
  const title = refusalText({ facts, reason }, t);
  return title === undefined ? undefined : { title, body: '' };
}

function textOf(fact: string | number | boolean | null | undefined): string {
  return fact === null || fact === undefined || fact === '' ? 'none' : String(fact);
}
