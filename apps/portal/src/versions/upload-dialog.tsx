import Alert from '@cloudscape-design/components/alert';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { SoftwareVersionRow } from '@deviceportal/contract/versions';
import { useApiClient } from '../api/use-api.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { sendFile, UploadRefused } from './send-file.ts';
import { useChangedVersions } from './use-changed-versions.ts';

/** Uploads the file of a version. What breaks off is gone on with; closing the dialog stops it. */
export function UploadDialog(props: {
  readonly row: SoftwareVersionRow;
  readonly onClose: () => void;
}): ReactNode {
  const { onClose } = props;
  const { component, version } = props.row;
  const t = useT();
  const client = useApiClient();
  const changed = useChangedVersions();
  const [files, setFiles] = useState<File[]>([]);
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const [file] = files;
  const begun = useRef<{ readonly file: File; readonly url: string } | null>(null);
  const [isBroken, setBroken] = useState(false);
  const onProgress = (sent: number): void => {
    setShare(sent);
    setBroken(false);
  };
  const upload = useMutation({
    mutationFn: async (chosen: File) => {
      if (begun.current?.file !== chosen) {
        const asked = { component, version, name: chosen.name, bytes: chosen.size };
        const { url } = await client.versions.createUpload.mutate(asked);
        begun.current = { file: chosen, url };
      }
      setShare((sent) => sent ?? 0);
      await sendFile(begun.current.url, chosen, {
        signal: stop.current.signal,
        onProgress,
        onBreak: () => setBroken(true),
      });
    },
    onError: (error) => {
      // Whoever tries again gets a link of its own.
      if (error instanceof UploadRefused) begun.current = null;
    },
    onSuccess: async () => {
      onClose();
      await changed();
    },
  });
  // What the server refused beforehand speaks for itself; what broke off while it was sent does not.
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
            setShare(null);
            upload.reset();
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
