import { useMutation } from '@tanstack/react-query';
import type { DeviceFilterInput } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import type { DevicesSorting } from './filter/device-filter.ts';
import { saveCsv } from '../../ui/table/save-csv.ts';

/** Downloads the filtered list as a CSV file. */
export function useDeviceExport(filter: DeviceFilterInput, sorting: DevicesSorting) {
  const t = useT();
  const api = useApi();
  const flash = useFlash();
  const showError = useErrorFlash();
  const exporting = useMutation(
    api.devices.export.mutationOptions({
      onError: showError,
      onSuccess: ({ fileName, text, count, truncated }) => {
        saveCsv(fileName, text);
        flash.add({
          type: truncated ? 'warning' : 'success',
          dismissible: true,
          content: t(truncated ? 'devices.export.truncated' : 'devices.export.done', { count }),
        });
      },
    }),
  );
  return {
    start: () => exporting.mutate({ filter, ...sorting }),
    isPending: exporting.isPending,
  };
}
