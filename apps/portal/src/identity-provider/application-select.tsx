import Select from '@cloudscape-design/components/select';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';

/** Selects an application by its ID. */
export function ApplicationSelect({
  chosen,
  disabled = false,
  onChange,
}: {
  readonly chosen: string;
  readonly disabled?: boolean;
  readonly onChange: (appId: string) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.provider.applications.list.queryOptions());
  const options = (query.data ?? []).map(({ appId, name }) => ({
    value: appId,
    label: name,
    description: appId,
  }));
  return (
    <Select
      selectedOption={options.find(({ value }) => value === chosen) ?? null}
      options={options}
      disabled={disabled}
      filteringType={options.length > 10 ? 'auto' : 'none'}
      placeholder={t('identityProvider.application.choose')}
      statusType={query.isPending ? 'loading' : query.isError ? 'error' : 'finished'}
      expandToViewport
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
    />
  );
}
