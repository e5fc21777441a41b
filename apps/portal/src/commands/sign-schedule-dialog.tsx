import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Schedule } from '@deviceportal/contract/schedules';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { KeyValue } from '../shell/key-value.tsx';
import { ParameterValues } from './parameter-values.tsx';

export interface SignScheduleDialogProps {
  /** Has no signature. */
  readonly schedule: Schedule;
  readonly busy: boolean;
  readonly onSign: () => void;
  readonly onCancel: () => void;
}

/** Shows what a schedule without a signature runs, before a person signs it in their own name. */
export function SignScheduleDialog(props: SignScheduleDialogProps): ReactNode {
  const { schedule, busy, onSign, onCancel } = props;
  const t = useT();
  const { name, command, documentName, documentVersion, createdBy } = schedule;
  const { frozenCount, maxDevices } = schedule;
  return (
    <ConfirmDialog
      title={t('commands.schedules.signOne', { name })}
      confirmLabel={t('commands.schedules.sign')}
      busy={busy}
      onConfirm={onSign}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <div>{t('commands.schedules.signBody')}</div>
        <KeyValue
          items={[
            { label: t('commands.columns.command'), value: command },
            {
              label: t('commands.document.title'),
              value: `${documentName}:${String(documentVersion)}`,
            },
            {
              label: t('commands.target.title'),
              value:
                frozenCount === null
                  ? t('commands.schedules.limit', { limit: maxDevices })
                  : t('commands.target.count', { count: frozenCount }),
            },
            { label: t('commands.result.by'), value: createdBy },
          ]}
        />
        <ParameterValues parameters={schedule.parameters} />
      </SpaceBetween>
    </ConfirmDialog>
  );
}
