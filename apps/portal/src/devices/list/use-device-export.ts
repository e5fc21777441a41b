import { useMutation } from '@tanstack/react-query';
import type { DeviceFilterInput } from '@deviceportal/contract/devices';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { useErrorFlash } from '../../ui/error-reaction/use-error-flash.tsx';
import { useFlash } from '../../ui/flash-store.ts';
import type { DevicesSorting } from './filter/device-filter.ts';

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
        saveText(fileName, text);
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

function saveText(fileName: string, text: string): void {
  // Spreadsheets read a CSV file as UTF-8 only with a byte order mark, which Chinese names need.
  const marked = text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
  const url = URL.createObjectURL(new Blob([marked], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
