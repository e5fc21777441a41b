import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import {
  IMPORT_FILE_BYTES,
  importKinds,
  type ImportEncoding,
  type ImportKind,
} from '@deviceportal/contract/imports';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { disabledProps } from '../identity-provider/use-provider-disabled-reason.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { FileFields } from './file-fields.tsx';
import { UploadFailed, useStartImport } from './use-start-import.ts';

/** Chooses a file, or rows that are pasted, and starts its check. */
export function ImportForm({
  kind,
  onKind,
}: {
  readonly kind: ImportKind;
  readonly onKind: (kind: ImportKind) => void;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const { may } = useViewer();
  const [files, setFiles] = useState<File[]>([]);
  const [pasted, setPasted] = useState('');
  const [encoding, setEncoding] = useState<ImportEncoding>('unicode');
  const { start, share } = useStartImport();
  const size = format.bytes(IMPORT_FILE_BYTES);
  const file = files[0] ?? pastedFile(pasted, t('imports.pastedName'));
  const isTooLarge = file !== undefined && file.size > IMPORT_FILE_BYTES;
  const reason =
    file === undefined
      ? t('imports.chooseFirst')
      : isTooLarge
        ? t('imports.tooLarge', { size })
        : undefined;
  const submit = (): void => {
    if (file === undefined) return;
    start.mutate({ kind, file, encoding: files[0] === undefined ? 'unicode' : encoding });
  };
  return (
    <Container header={<Header variant="h2">{t('imports.new')}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t('imports.kind')}>
          <SegmentedControl
            selectedId={kind}
            label={t('imports.kind')}
            options={importKinds
              .filter((each) => may(`${each}:manage`))
              .map((id) => ({ id, text: t(`imports.kind.${id}`) }))}
            onChange={({ detail }) => onKind(detail.selectedId as ImportKind)}
          />
        </FormField>
        <FileFields
          {...{ kind, files, pasted, encoding, isTooLarge }}
          onFiles={setFiles}
          onPasted={setPasted}
          onEncoding={setEncoding}
        />
        {share === null ? null : <ProgressBar value={share * 100} label={t('imports.uploading')} />}
        <StartError error={start.error} />
        <Button
          variant="primary"
          loading={start.isPending}
          onClick={submit}
          {...disabledProps(reason)}
        >
          {t('imports.check')}
        </Button>
      </SpaceBetween>
    </Container>
  );
}

const pastedFile = (text: string, name: string): File | undefined =>
  text.trim() === '' ? undefined : new File([text], name, { type: 'text/plain' });

function StartError({ error }: { readonly error: unknown }): ReactNode {
  const t = useT();
  if (error === null) return null;
  if (error instanceof UploadFailed) return <Alert type="error">{t('imports.uploadFailed')}</Alert>;
  return <ErrorView error={error} place="alert" />;
}
