import { useMemo, type ReactNode } from 'react';
import type { DocumentParameter } from '@deviceportal/contract/ssm-document';
import { constraintWords } from '../commands/form/constraint-words.ts';
import { parameterAbout, parameterTitle } from '../commands/form/parameter-words.ts';
import { useT } from '../i18n/use-t.ts';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';

interface Row {
  readonly name: string;
  readonly parameter: DocumentParameter;
}

const answered = { isPending: false, error: null, refetch: () => undefined } as const;

/** Parameters with type, default, and allowed values, in the order of the document. */
export function ParameterTable({
  documentName,
  parameters,
}: {
  readonly documentName: string;
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
}): ReactNode {
  const t = useT();
  const rows = Object.entries(parameters).map(([name, parameter]): Row => ({ name, parameter }));
  const columns = useMemo(
    (): readonly TableColumn<Row>[] => [
      {
        id: 'name',
        header: t('documents.parameters.name'),
        rowHeader: true,
        cell: (row) => (
          <>
            {parameterTitle(documentName, row.name, t)} <code>{row.name}</code>
          </>
        ),
      },
      { id: 'type', header: t('documents.parameters.type'), cell: (row) => row.parameter.type },
      {
        id: 'default',
        header: t('documents.parameters.default'),
        cell: (row) =>
          row.parameter.default === undefined ? (
            t('documents.parameters.required')
          ) : (
            <code>{JSON.stringify(row.parameter.default)}</code>
          ),
      },
      {
        id: 'allowed',
        header: t('documents.parameters.allowed'),
        cell: (row) =>
          [row.parameter.allowedValues?.join(', ') ?? '', constraintWords(row.parameter, t)]
            .filter((part) => part !== '')
            .join(' ') || '-',
      },
      {
        id: 'description',
        header: t('documents.columns.description'),
        cell: (row) => parameterAbout(documentName, [row.name, row.parameter], t) ?? '-',
      },
    ],
    [t, documentName],
  );
  return (
    <DataTable
      id="document-parameters"
      label={t('documents.parameters.title')}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.name}
      query={answered}
      empty={{ title: t('documents.parameters.none') }}
      variant="embedded"
      withoutSettings
    />
  );
}
