import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import { useState, type ReactNode } from 'react';
import { fileUploadTexts } from '../devices/file-upload-texts.ts';
import { FormDialog } from '../devices/form-dialog.tsx';
import { useT } from '../i18n/use-t.ts';
import { joinPath, shownName } from './shown-name.ts';
import { useDeviceUpload } from './use-device-upload.ts';

interface UploadProps {
  readonly deviceId: string;
  readonly reason: string;
  readonly folder: string;
  /** Names on the shown page of the folder. */
  readonly names: readonly string[];
  readonly onClose: () => void;
}

const SHORTEST_REASON = 3;

/** Uploads a file into a folder of the device. Replacing an existing file must be chosen. */
export function UploadDialog(props: UploadProps): ReactNode {
  const { deviceId, folder, names, onClose } = props;
  const t = useT();
  const [files, setFiles] = useState<File[]>([]);
  const [name, setName] = useState('');
  const [reason, setReason] = useState(props.reason);
  const [overwrites, setOverwrites] = useState(false);
  const { upload, share, isBroken } = useDeviceUpload(deviceId, onClose);
  const [file] = files;
  const exists = names.includes(name);
  const isReady = file !== undefined && isFileName(name) && reason.trim().length >= SHORTEST_REASON;
  return (
    <FormDialog
      title={t('deviceFiles.uploadTitle', { folder: shownName(folder) })}
      submitLabel={t('deviceFiles.upload')}
      busy={upload.isPending}
      mayStop
      error={upload.error}
      fields={[]}
      disabled={!isReady || (exists && !overwrites)}
      onSubmit={() => {
        if (file === undefined) return;
        const path = joinPath(folder, name);
        upload.mutate({ file, path, reason: reason.trim(), overwrites });
      }}
      onCancel={onClose}
    >
      <FormField label={t('deviceFiles.file')}>
        <FileUpload
          value={files}
          onChange={({ detail }) => {
            setFiles(detail.value);
            setName(detail.value[0]?.name ?? '');
          }}
          showFileSize
          i18nStrings={fileUploadTexts(t)}
        />
      </FormField>
      <FormField
        label={t('deviceFiles.name')}
        errorText={name === '' || isFileName(name) ? '' : t('deviceFiles.failure.name')}
      >
        <Input value={name} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      {exists ? (
        <Alert type="warning">{t('deviceFiles.exists', { name: shownName(name) })}</Alert>
      ) : null}
      <Checkbox checked={overwrites} onChange={({ detail }) => setOverwrites(detail.checked)}>
        {t('deviceFiles.overwrite')}
      </Checkbox>
      <FormField label={t('deviceFiles.reason')} description={t('deviceFiles.reasonHelp')}>
        <Input value={reason} onChange={({ detail }) => setReason(detail.value.slice(0, 500))} />
      </FormField>
      {share === null ? null : (
        <ProgressBar
          label={t('deviceFiles.transfer.receiving')}
          value={share * 100}
          additionalInfo={isBroken ? t('deviceFiles.again') : ''}
        />
      )}
    </FormDialog>
  );
}

const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && shownName(name) === name;
