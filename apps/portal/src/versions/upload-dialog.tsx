import Alert from '@cloudscape-design/components/alert';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import { useState, type ReactNode } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { UploadRefused } from './send-file.ts';
import { useChangedVersions } from './use-changed-versions.ts';
import { useUpload } from './use-upload.ts';

/**
 * Uploads the file of a version. An interrupted upload can be resumed; closing the dialog stops it.
 */
export function UploadDialog(props: {
  readonly row: SoftwareVersionRow;
  readonly onClose: () => void;
}): ReactNode {
  const { onClose } = props;
  const { component, version } = props.row;
  const t = useT();
  const changed = useChangedVersions();
  const [files, setFiles] = useState<File[]>([]);
  const { upload, share, isBroken, restart } = useUpload({ component, version }, async () => {
    onClose();
    await changed();
  });
  const [file] = files;
  // The dialog shows errors before the upload started. A later interruption has its own alert.
  const brokeOff = upload.error !== null && share !== null;
  const refusal = upload.error instanceof UploadRefused ? upload.error.message : null;
  return (
    <FormDialog
      title={t('versions.software.uploadTitle', { component, version })}
      submitLabel={
        brokeOff && refusal === null
          ? t('versions.software.uploadGoOn')
          : t('versions.software.uploadProgress')
      }
      busy={upload.isPending}
      mayStop
      error={brokeOff ? null : upload.error}
      fields={[]}
      disabled={file === undefined}
      onSubmit={() => {
        if (file !== undefined) upload.mutate(file);
      }}
      onCancel={onClose}
    >
      <FormField
        label={t('versions.software.file')}
        description={t('versions.software.uploadHint')}
      >
        <FileUpload
          value={files}
          onChange={({ detail }) => {
            setFiles(detail.value);
            restart();
          }}
          showFileSize
          i18nStrings={{
            uploadButtonText: () => t('versions.software.chooseFile'),
            dropzoneText: () => t('versions.software.chooseFile'),
            removeFileAriaLabel: () => t('versions.software.removeFile'),
          }}
        />
      </FormField>
      {share !== null && upload.isPending ? (
        <ProgressBar
          label={t('versions.software.uploadProgress')}
          value={share * 100}
          additionalInfo={isBroken ? t('versions.software.uploadAgain') : ''}
        />
      ) : null}
      {brokeOff ? (
        <Alert type="error">{refusal ?? t('versions.software.uploadFailed')}</Alert>
      ) : null}
    </FormDialog>
  );
}
