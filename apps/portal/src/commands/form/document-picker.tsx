import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useCommandWords } from '../use-command-words.ts';

export interface DocumentPickerProps {
  /** `name` or `name:version`. Empty until a document is chosen. */
  readonly reference: string;
  readonly onPick: (reference: string) => void;
  /** The label, if the document is not for the command itself. */
  readonly label?: string;
  readonly hint?: string;
}

/** Chooses the document for the command that runs any document. */
export function DocumentPicker({ reference, onPick, label, hint }: DocumentPickerProps): ReactNode {
  const t = useT();
  const api = useApi();
  const words = useCommandWords();
  const [text, setText] = useState('');
  const query = useQuery(
    api.documents.list.queryOptions({ text, states: ['active'], pageSize: 50 }),
  );
  const name = reference.split(':')[0] ?? '';
  return (
    <FormField
      label={label ?? t('commands.document.choose')}
      description={hint ?? t('commands.document.chooseHint')}
    >
      <Select
        selectedOption={name === '' ? null : { value: name, label: reference }}
        options={(query.data?.rows ?? []).map((row) => ({
          value: row.name,
          label: row.name,
          description: words.document(row),
          tags: [t(`commands.consequence.${row.consequence}`)],
        }))}
        filteringType="manual"
        filteringAriaLabel={t('commands.document.search')}
        placeholder={t('commands.document.choose')}
        statusType={query.isFetching ? 'loading' : query.isError ? 'error' : 'finished'}
        loadingText={t('commands.target.searching')}
        errorText={t('commands.target.searchFailed')}
        recoveryText={t('app.error.action.retry')}
        empty={t('commands.document.none')}
        onLoadItems={({ detail }) => {
          setText(detail.filteringText);
          if (detail.samePage) void query.refetch();
        }}
        onChange={({ detail }) => onPick(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}
