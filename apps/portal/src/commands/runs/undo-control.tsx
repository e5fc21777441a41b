import Button from '@cloudscape-design/components/button';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { followWithRouter } from '../../ui/follow-with-router.ts';
import { commandHref } from '../command-href.ts';
import { documentOf } from './run-href.ts';

export interface UndoControlProps {
  readonly command: string;
  readonly runId: string;
  /** Limits the undo to this device. Null for the whole run. */
  readonly deviceId: string | null;
  /** Only finished runs can be undone. */
  readonly ended: boolean;
}

/**
 * Opens the undo of a run, if its document has undo steps and took effect. A disabled button shows
 * the reason.
 */
export function UndoControl({ command, runId, deviceId, ended }: UndoControlProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { data } = useQuery(
    api.commands.getUndo.queryOptions({ runId, deviceId }, { enabled: ended, staleTime: 0 }),
  );
  if (data === undefined || data.hindrance === 'no-undo' || data.hindrance === 'is-undo') {
    return null;
  }
  const reason =
    data.hindrance !== null
      ? t(`commands.undo.${data.hindrance}`)
      : data.allowed
        ? undefined
        : t('app.needsPermission', { permission: data.missingPermission ?? 'commands:run' });
  return (
    <Button
      iconName="undo"
      disabled={reason !== undefined}
      {...(reason === undefined ? {} : { disabledReason: reason })}
      href={commandHref(command, {
        undo: runId,
        device: deviceId ?? undefined,
        document: documentOf(data),
      })}
      onFollow={followWithRouter}
    >
      {t('commands.undo.action')}
    </Button>
  );
}
