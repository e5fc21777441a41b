import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import type { TargetList } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { fieldIssues } from '../../ui/field-issues.ts';
import { FormDialog } from '../form-dialog.tsx';
import { parseSerialNumbers } from './parse-serial-numbers.ts';
import { TargetListFields } from './target-list-fields.tsx';

export interface TargetListDialogProps {
  readonly onCreated: (list: TargetList) => void;
  readonly onCancel: () => void;
}

/**
 * Stores up to 100,000 serial numbers, pasted or from a file, so that an address can contain their
 * ID.
 */
export function TargetListDialog({ onCreated, onCancel }: TargetListDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const create = useMutation(
    api.devices.createTargetList.mutationOptions({ onSuccess: onCreated }),
  );
  const deferred = useDeferredValue(text);
  const parsed = useMemo(() => parseSerialNumbers(deferred), [deferred]);
  const count = parsed.serialNumbers.length;
  const problem = parsed.overLimit
    ? t('devices.targets.overLimit')
    : tried && count === 0
      ? t('devices.targets.none')
      : fieldIssues(create.error, t).get('text');
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
      <TargetListFields
        text={text}
        parsed={parsed}
        problem={problem}
        onText={(given, fileName) => {
          setText(given);
          if (fileName !== undefined && name === '') setName(fileName.slice(0, 128));
        }}
      />
      <FormField label={t('devices.targets.name')} description={t('devices.targets.nameHelp')}>
        <Input value={name} onChange={({ detail }) => setName(detail.value.slice(0, 128))} />
      </FormField>
    </FormDialog>
  );
}
