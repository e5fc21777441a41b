import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';

interface SimilarDeviceSelectProps {
  readonly deviceId: string;
  /** Serial number or ID; empty for none. */
  readonly value: string;
  readonly onChange: (reference: string) => void;
}

const NONE = '';

/** Selects a healthy device of the same model, whose metrics are shown in the same charts. */
export function SimilarDeviceSelect({
  deviceId,
  value,
  onChange,
}: SimilarDeviceSelectProps): ReactNode {
  const t = useT();
  const api = useApi();
  // Nothing is requested until the list is opened.
  const [isWanted, setWanted] = useState(false);
  const similar = useQuery(
    api.similarDevices.compare.queryOptions({ deviceId }, { enabled: isWanted }),
  );
  const none: SelectProps.Option = { value: NONE, label: t('metrics.similar.none') };
  const healthy = (similar.data?.healthyDevices ?? []).map(
    ({ id, name, serialNumber }): SelectProps.Option => ({
      value: serialNumber ?? id,
      label: serialNumber ?? name,
      ...(serialNumber !== null && name !== serialNumber && { description: name }),
    }),
  );
  return (
    <Select
      options={value === NONE ? healthy : [none, ...healthy]}
      selectedOption={value === NONE ? null : { value, label: value }}
      placeholder={t('metrics.similar.placeholder')}
      ariaLabel={t('metrics.similar.placeholder')}
      empty={t('metrics.similar.empty')}
      statusType={statusOf({ ...similar, isWanted })}
      loadingText={t('metrics.similar.loading')}
      errorText={t('metrics.similar.failed')}
      recoveryText={t('app.error.action.retry')}
      expandToViewport
      onLoadItems={() => {
        setWanted(true);
        if (similar.isError) void similar.refetch();
      }}
      onChange={({ detail }) => onChange(detail.selectedOption.value ?? NONE)}
    />
  );
}

/** “Pending” requests the devices when the list is opened. */
function statusOf({
  isWanted,
  isError,
  isFetching,
}: {
  readonly isWanted: boolean;
  readonly isError: boolean;
  readonly isFetching: boolean;
}): NonNullable<SelectProps['statusType']> {
  if (!isWanted) return 'pending';
  if (isError) return 'error';
  return isFetching ? 'loading' : 'finished';
}
