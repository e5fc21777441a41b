import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DEFAULT_CLAIM_LIFETIME_HOURS } from '@deviceportal/contract/constants';
import { useApi } from '../../api/use-api.ts';
import { fileUploadTexts } from '../file-upload-texts.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { ClaimResult } from './claim-result.tsx';
import { ImportProblems } from './import-problems.tsx';
import { LifetimeField } from './lifetime-field.tsx';

const SIZE_LIMIT = 1_000_000;
const EXAMPLE = `serialNumber,name,model,ownerEmail,country,labels
SN10000301,Pump 301,Edge 5,ann@example.com,DE,site=Hamburg;line=2`;

/** Many devices from a CSV: first what would happen, line by line, then the import itself. */
export function ImportForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const t = useT();
  const api = useApi();
  const queryClient = useQueryClient();
  const [csv, setCsv] = useState('');
  const [files, setFiles] = useState<File[]>([]);
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
      <FormField
        label={t('devices.import.csv')}
        description={t('devices.import.help')}
        errorText={tooLarge ? t('devices.import.tooLarge') : undefined}
        stretch
      >
        <Textarea
          value={csv}
          rows={8}
          spellcheck={false}
          placeholder={EXAMPLE}
          onChange={({ detail }) => edit(detail.value)}
        />
      </FormField>
      <FileUpload
        value={files}
        accept=".csv,text/csv"
        showFileSize
        onChange={({ detail }) => {
          setFiles(detail.value);
          void detail.value[0]?.text().then(edit);
        }}
        i18nStrings={fileUploadTexts(t)}
      />
      <LifetimeField hours={lifetimeHours} onChange={setLifetimeHours} />
      {preview === undefined ? null : (
        <Alert
          type={preview.problems.length > 0 ? 'warning' : add.data ? 'success' : 'info'}
          header={t(add.data ? 'devices.import.done' : 'devices.import.preview', {
            created: preview.created,
            updated: preview.updated,
            problems: preview.problems.length,
          })}
        >
          <ImportProblems problems={preview.problems} />
        </Alert>
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
