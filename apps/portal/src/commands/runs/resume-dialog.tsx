import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { defaultMaxDevices, type Schedule } from '@deviceportal/contract/schedules';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

export interface ResumeDialogProps {
  /** Paused because its limit of devices was exceeded. */
  readonly schedule: Schedule;
  readonly busy: boolean;
  readonly onResume: (maxDevices: number) => void;
  readonly onCancel: () => void;
}

/** Resumes a schedule with another limit. */
export function ResumeDialog(props: ResumeDialogProps): ReactNode {
  const { schedule, busy, onResume, onCancel } = props;
  const t = useT();
  const { name, maxDevices, exceedingCount } = schedule;
  const devices = exceedingCount ?? 0;
  const [limit, setLimit] = useState(String(defaultMaxDevices(devices)));
  return (
    <ConfirmDialog
      title={t('commands.schedules.resumeOne', { name })}
      confirmLabel={t('commands.result.resume')}
      disabled={!(Number(limit) >= 1)}
      busy={busy}
      onConfirm={() => onResume(Number(limit))}
      onCancel={onCancel}
    >
      <SpaceBetween size="m">
        <div>{t('commands.schedules.resumeBody', { devices, limit: maxDevices })}</div>
        <FormField label={t('commands.schedule.maxDevices')}>
          <Input
            type="number"
            inputMode="numeric"
            value={limit}
            onChange={({ detail }) => setLimit(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </ConfirmDialog>
  );
}
