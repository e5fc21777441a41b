import Box from '@cloudscape-design/components/box';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Textarea from '@cloudscape-design/components/textarea';
import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import type { TargetList } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { fieldIssues } from '../field-issues.ts';
import { FormDialog } from '../form-dialog.tsx';
import { parseSerialNumbers } from './parse-serial-numbers.ts';

export interface TargetListDialogProps {
  readonly onCreated: (list: TargetList) => void;
  readonly onCancel: () => void;
}

/** Serial numbers pasted or from a file, up to 100,000: stored, so that an address can name them. */
export function TargetListDialog({ onCreated, onCancel }: TargetListDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [tried, setTried] = useState(false);
  const create = useMutation(
    api.devices.createTargetList.mutationOptions({ onSuccess: onCreated }),
  );
  const deferred = useDeferredValue(text);
  const parsed = useMemo(() => parseSerialNumbers(deferred), [deferred]);
  const count = parsed.serialNumbers.length;
  const read = (chosen: File[]): void => {
    setFiles(chosen);
    const [file] = chosen;
    if (file === undefined) return;
    if (name === '') setName(file.name.slice(0, 128));
    void file.text().then(setText);
  };
  const problem = parsed.overLimit
    ? t('devices.targets.overLimit')
    : tried && count === 0
      ? t('devices.targets.none')
      : fieldIssues(create.error).get('text');
  return (
    <FormDialog
      title={t('devices.targets.title')}
      submitLabel={t('devices.targets.show', { count })}
      size="large"
      busy={create.isPending}
      error={create.error}
      fields={['text']}
      onCancel={onCancel}
      onSubmit={() => {
        setTried(true);
        if (count > 0 && !parsed.overLimit) create.mutate({ name: name.trim(), text });
      }}
    >
      <FormField
        label={t('devices.targets.text')}
        description={t('devices.targets.textHelp')}
        errorText={problem}
        constraintText={
          <output>{t('devices.targets.counted', { count, duplicates: parsed.duplicates })}</output>
        }
        stretch
      >
        <Textarea
          value={text}
          rows={10}
          spellcheck={false}
          placeholder={'SN10000037\nSN10000038'}
          onChange={({ detail }) => setText(detail.value)}
        />
      </FormField>
      {parsed.malformed.length === 0 ? null : (
        <Box color="text-status-warning">
          {t('devices.targets.malformed', {
            count: parsed.malformed.length,
            examples: parsed.malformed.slice(0, 5).join(' '),
          })}
        </Box>
      )}
      <FormField label={t('devices.targets.file')}>
        <FileUpload
          value={files}
          accept=".txt,.csv,text/plain,text/csv"
          showFileSize
          onChange={({ detail }) => read(detail.value)}
          i18nStrings={{
            uploadButtonText: () => t('devices.targets.chooseFile'),
            dropzoneText: () => t('devices.targets.dropFile'),
            removeFileAriaLabel: () => t('devices.targets.removeFile'),
            limitShowFewer: '',
            limitShowMore: '',
            errorIconAriaLabel: t('devices.error'),
          }}
        />
      </FormField>
      <FormField label={t('devices.targets.name')} description={t('devices.targets.nameHelp')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value.slice(0, 128))} />
      </FormField>
    </FormDialog>
  );
}
