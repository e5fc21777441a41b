import Table from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { ImportDevicesResult } from '@deviceportal/contract/devices';
import { useT } from '../../i18n/use-t.ts';
import { refusalText } from '../../ui/refusals/refusal-text.ts';

const SHOWN = 100;

/** Problems by line of the file. */
export function ImportProblems({
  problems,
}: {
  readonly problems: ImportDevicesResult['problems'];
}): ReactNode {
  const t = useT();
  if (problems.length === 0) return null;
  return (
    <Table
      variant="embedded"
      contentDensity="compact"
      items={problems.slice(0, SHOWN)}
      trackBy={({ line, reason }) => `${line} ${reason}`}
      ariaLabels={{ tableLabel: t('devices.import.problems') }}
      columnDefinitions={[
        {
          id: 'line',
          header: t('devices.import.line'),
          cell: ({ line }) => line,
          isRowHeader: true,
          width: 90,
        },
        {
          id: 'column',
          header: t('devices.import.column'),
          cell: ({ column }) => column ?? '-',
          width: 140,
        },
        {
          id: 'message',
          header: t('devices.import.problem'),
          cell: (problem) => refusalText(problem, t) ?? problem.message,
        },
      ]}
    />
  );
}
