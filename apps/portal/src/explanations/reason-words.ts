import { stopReasonWords } from '@deviceportal/contract/air-blast-words';
import { disconnectReasonWords } from '@deviceportal/contract/disconnect-reason-words';
import type { Reason } from '@deviceportal/contract/explanations';
import { permissionListWords } from '../access/roles/permission-words.ts';
import { roleName } from '../access/roles/role-words.ts';
import type { Language } from '../i18n/languages.ts';
import type { MessageArguments, MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/use-t.ts';
import { wordOf } from '../ui/status-of.tsx';

interface WordSources {
  readonly t: Translate;
  readonly language: Language;
}

/** A reason as one sentence. Unknown facts are `none`. */
export function reasonWords({ code, facts }: Reason, sources: WordSources): string {
  const values = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      valueWords({ code, name, value }, sources),
    ]),
  );
  return sources.t(`explanations.reason.${code}`, values as MessageArguments);
}

function valueWords(
  { code, name, value }: { code: Reason['code']; name: string; value: string | number | null },
  { t, language }: WordSources,
): string | number {
  if (value === null || value === '') return 'none';
  if (typeof value === 'number') return value;
  switch (name) {
    case 'details':
      return wordOf('statusDetails', value, language);
    case 'step':
      return code.startsWith('air-blast') || code === 'target-waits-step'
        ? known(`airBlast.step.${value}`, value, t)
        : value;
    case 'permission':
      return permissionListWords(value, t, language);
    case 'roles':
      return value
        .split(', ')
        .map((one) => roleName(one, t))
        .join(t('explanations.separator'));
    case 'error':
      return known(`app.error.${value}.title`, value, t);
    case 'reason':
      if (code === 'device-offline') return disconnectReasonWords(value, language);
      if (code.startsWith('air-blast-')) return stopReasonWords(value, language);
      return code.startsWith('target-') ? known(`airBlast.reasonOf.${value}`, value, t) : value;
    default:
      return value;
  }
}

/** Titles of errors name their object, which the reason already shows. */
const noFacts = {
  kind: 'none',
  command: 'none',
  name: 'none',
  id: 'none',
  identifier: 'none',
  serialNumber: 'none',
  step: 'none',
};

/** The text of a value. Unknown values of another release are shown as received. */
function known(key: string, value: string, t: Translate): string {
  const words = t(key as MessageKey, noFacts);
  return words === key ? value : words;
}
