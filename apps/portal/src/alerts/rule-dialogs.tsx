import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { AlertRuleRow } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFlash } from '../ui/flash-store.ts';
import { serverNowMs } from '../ui/time/server-clock.ts';

interface DialogProps {
  readonly rule: AlertRuleRow;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/** The dialog of a rule that is open, if any. */
export function RuleDialogs({
  chosen,
  onClose,
}: {
  readonly chosen: { readonly act: 'mute' | 'delete'; readonly rule: AlertRuleRow } | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const api = useApi();
  const flash = useFlash();
  const queryClient = useQueryClient();
  if (chosen === undefined) return null;
  const onDone = (words: string): void => {
    onClose();
    void queryClient.invalidateQueries(api.alerts.pathFilter());
    flash.add({ type: 'success', content: words });
  };
  const Dialog = chosen.act === 'mute' ? MuteDialog : DeleteDialog;
  return <Dialog rule={chosen.rule} onDone={onDone} onClose={onClose} />;
}

const HOUR_MS = 3_600_000;
const muteHours = [1, 4, 8, 24, 72, 168] as const;

function MuteDialog({ rule, onDone, onClose }: DialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [hours, setHours] = useState<number>(4);
  const mute = useMutation(
    api.alerts.muteRule.mutationOptions({
      onSuccess: () => onDone(t('alerts.mute.done', { name: rule.name })),
    }),
  );
  const options = muteHours.map((value) => ({
    value: String(value),
    label: t('alerts.mute.hours', { hours: value }),
  }));
  return (
    <FormDialog
      title={t('alerts.mute.title', { name: rule.name })}
      submitLabel={t('alerts.act.mute')}
      busy={mute.isPending}
      error={mute.error}
      fields={[]}
      onSubmit={() =>
        mute.mutate({
          id: rule.id,
          until: new Date(serverNowMs() + hours * HOUR_MS).toISOString(),
        })
      }
      onCancel={onClose}
    >
      <FormField label={t('alerts.mute.for')} description={t('alerts.mute.hint')}>
        <Select
          options={options}
          selectedOption={options.find(({ value }) => value === String(hours)) ?? null}
          onChange={({ detail }) => setHours(Number(detail.selectedOption.value))}
        />
      </FormField>
    </FormDialog>
  );
}

function DeleteDialog({ rule, onDone, onClose }: DialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const remove = useMutation(
    api.alerts.deleteRule.mutationOptions({
      onSuccess: () => onDone(t('alerts.delete.done', { name: rule.name })),
    }),
  );
  return (
    <ConfirmDialog
      title={t('alerts.delete.title', { name: rule.name })}
      confirmLabel={t('alerts.act.delete')}
      busy={remove.isPending}
      error={remove.isError ? <ErrorView error={remove.error} place="alert" /> : null}
      onConfirm={() => remove.mutate({ id: rule.id })}
      onCancel={onClose}
    >
      {t('alerts.delete.body')}
    </ConfirmDialog>
  );
}
