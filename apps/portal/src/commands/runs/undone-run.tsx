import type { RunRow } from '@deviceportal/contract/runs';
import type { KeyValueItem } from '../../ui/key-value.tsx';
import type { Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { commandHref } from '../command-href.ts';
import { documentOf } from './run-href.ts';

/** The fact that a run takes another one back, for lists of facts; empty where it does not. */
export function undoneRun(
  run: Pick<RunRow, 'command' | 'undoes' | 'documentName' | 'documentVersion'>,
  t: Translate,
): readonly KeyValueItem[] {
  if (run.undoes === null) return [];
  const id = run.undoes.slice(-8);
  return [
    {
      label: t('commands.undo.of'),
      value: (
        <PortalLink href={commandHref(run.command, { run: run.undoes, document: documentOf(run) })}>
          {t('commands.undo.run', { id })}
        </PortalLink>
      ),
    },
  ];
}
