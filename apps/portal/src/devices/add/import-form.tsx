import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ImportDevicesResult } from '@deviceportal/contract/devices';
import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { ClaimResult } from './claim-result.tsx';
import { CsvField } from './csv-field.tsx';
import { ImportProblems } from './import-problems.tsx';
import { LifetimeField } from './lifetime-field.tsx';

const SIZE_LIMIT = 1_000_000;

/** Adds many devices from a CSV file: a preview with the problems of each line, then the import. */
export function ImportForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [csv, setCsv] = useState('');
  const [lifetimeHours, setLifetimeHours] = useState<number>(DEFAULT_CLAIM_LIFETIME_HOURS);
  const check = useMutation(api.devices.import.mutationOptions());
  const add = useMutation(
    api.devices.import.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.devices.pathFilter()),
    }),
  );
  const edit = (text: string): void => {
    setCsv(text);
    check.reset();
    add.reset();
  };
  if (add.data?.claim) {
    return <ClaimResult claim={add.data.claim} onClose={onClose} onAnother={() => edit('')} />;
  }
  const preview = add.data ?? check.data;
  const tooLarge = csv.length > SIZE_LIMIT;
  const ready =
    check.data !== undefined &&
    check.data.created + check.data.updated > 0 &&
    add.data === undefined;
  return (
    <SpaceBetween size="m">
      <CsvField csv={csv} tooLarge={tooLarge} onChange={edit} />
      <LifetimeField hours={lifetimeHours} onChange={setLifetimeHours} />
      {preview === undefined ? null : (
        <ImportOutcome outcome={preview} isDone={add.data !== undefined} />
      )}
      {(add.error ?? check.error) ? (
        <ErrorView error={add.error ?? check.error} place="alert" />
      ) : null}
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={onClose}>
            {t(add.data ? 'app.close' : 'app.cancel')}
          </Button>
          <Button
            disabled={csv.trim() === '' || tooLarge}
            loading={check.isPending}
            onClick={() => check.mutate({ csv, lifetimeHours, dryRun: true })}
          >
            {t('devices.import.check')}
          </Button>
          <Button
            variant="primary"
            disabled={!ready}
            loading={add.isPending}
            onClick={() => add.mutate({ csv, lifetimeHours, dryRun: false })}
          >
            {t('devices.import.add', {
              count: ready ? check.data.created + check.data.updated : 0,
            })}
          </Button>
        </SpaceBetween>
      </Box>
    </SpaceBetween>
  );
}

function ImportOutcome({
  outcome: { created, updated, problems },
  isDone,
}: {
  readonly outcome: ImportDevicesResult;
  /** True after an import, false after a preview. */
  readonly isDone: boolean;
}): ReactNode {
  const t = useT();
  return (
    <Alert
      type={problems.length > 0 ? 'warning' : isDone ? 'success' : 'info'}
      header={t(isDone ? 'devices.import.done' : 'devices.import.preview', {
        created,
        updated,
        problems: problems.length,
      })}
    >
      <ImportProblems problems={problems} />
    </Alert>
  );
}
