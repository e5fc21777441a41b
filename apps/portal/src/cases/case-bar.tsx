import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, type ReactNode } from 'react';
import type { ActiveCase } from '@deviceportal/contract/cases';
import { personLabel } from '@deviceportal/contract/people';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { useServerNow } from '../ui/time/server-clock.ts';
import { askAboutCase } from './case-dialog-store.ts';
import { countWords } from './count-words.ts';
import { onNoteKey } from './on-note-key.ts';
import { useCaseActs } from './use-case-acts.ts';
import './case-bar.css';

const MINUTE_MS = 60_000;

/** On every page while a case is active: the person, the duration, and the actions of the case. */
export function CaseBar({ active }: { readonly active: ActiveCase }): ReactNode {
  const t = useT();
  const format = useFormat();
  const showError = useErrorFlash();
  const { leave } = useCaseActs();
  const { id, person, ticket, entries } = active;
  const minutes = Math.floor((useServerNow() - Date.parse(active.openedAt)) / MINUTE_MS);
  const label = personLabel(person);
  const asked = { id, personName: label };
  useEffect(
    () => onNoteKey(() => askAboutCase({ kind: 'note', id, personName: label })),
    [id, label],
  );
  return (
    <section className="dp-case-bar awsui-context-top-navigation" aria-label={t('cases.bar.label')}>
      <div className="dp-case-words" title={t('cases.bar.for', { name: label })}>
        <Link href={`/cases/${id}`} onFollow={followWithRouter} fontSize="body-m">
          {t('cases.bar.for', { name: label })}
        </Link>
        <span className="dp-case-facts">
          {[
            ticket,
            minutes < 1 ? t('cases.bar.now') : format.duration(minutes * MINUTE_MS),
            countWords(entries, t),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          iconName="edit"
          nativeButtonAttributes={{ 'aria-keyshortcuts': 'n' }}
          onClick={() => askAboutCase({ kind: 'note', ...asked })}
        >
          {t('cases.note.short')}
        </Button>
        <Button onClick={() => askAboutCase({ kind: 'close', ...asked })}>
          {t('cases.close.short')}
        </Button>
        <Button
          variant="link"
          loading={leave.isPending}
          onClick={() => leave.mutate(undefined, { onError: showError })}
        >
          {t('cases.leave')}
        </Button>
      </SpaceBetween>
    </section>
  );
}
