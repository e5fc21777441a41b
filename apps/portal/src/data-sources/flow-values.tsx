import type { ReactNode } from 'react';
import type { DataSourceFlow, DataSourceView } from '@deviceportal/contract/data-sources';
import { useT } from '../i18n/use-t.ts';

export interface FlowValuesProps {
  readonly of: Pick<DataSourceView, 'incoming' | 'outgoing'>;
  /** Null if it is not known for that direction. */
  readonly value: (flow: DataSourceFlow) => string | null;
}

/** A value of both directions of the exchange with an outside system. */
export function FlowValues({ of: { incoming, outgoing }, value }: FlowValuesProps): ReactNode {
  const t = useT();
  const inside = incoming && value(incoming);
  const outside = outgoing && value(outgoing);
  if (inside === null && outside === null) return '-';
  return (
    <>
      {inside === null ? null : <div>{t('dataSources.in', { value: inside })}</div>}
      {outside === null ? null : <div>{t('dataSources.out', { value: outside })}</div>}
    </>
  );
}
