import type { RunRow } from '@deviceportal/contract/runs';
import type { KeyValueItem } from '../../ui/key-value.tsx';
import type { Translate } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { commandHref } from '../command-href.ts';
import { documentOf } from './run-href.ts';

/** A key-value entry with the run that this run undoes. Empty if it undoes none. */
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
