import Alert from '@cloudscape-design/components/alert';
import type { ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { Explanations, useExplanations } from '../../explanations/reason-list.tsx';
import { useT } from '../../i18n/use-t.ts';

/**
 * States before the form is filled in that the version cannot be run because it is not approved.
 */
export function NotRunnable({ form }: { readonly form: CommandForm }): ReactNode {
  const { documentName, documentState: state, documentVersion: version } = form;
  if (state === 'active') return null;
  return <Notice state={state} name={documentName ?? ''} version={version} />;
}

function Notice({
  state,
  name,
  version,
}: {
  readonly state: Exclude<CommandForm['documentState'], 'active'>;
  readonly name: string;
  readonly version: number;
}): ReactNode {
  const t = useT();
  const { data } = useExplanations({ of: { kind: 'document-version', name, version } });
  return (
    <Alert type="warning" header={t(`documents.notRunnable.${state}`)}>
      {data === undefined ? null : <Explanations explanations={data} />}
    </Alert>
  );
}
