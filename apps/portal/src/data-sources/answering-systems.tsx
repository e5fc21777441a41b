import type { ReactNode } from 'react';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';

type Answered = Pick<DataSourceView, 'source' | 'place' | 'systems' | 'state'>;

/** What answers a data source, with its names. */
export function AnsweringSystems({ of }: { readonly of: Answered }): ReactNode {
  const t = useT();
  const { source, place, systems, state } = of;
  if (place === 'embedded') {
    return t(state === 'unused' ? 'dataSources.unused' : `dataSources.embedded.${source}`);
  }
  return systems.map(({ product, name }) => (
    <div key={product}>
      {product}
      <div className="dp-data-source-name">
        <CopyableId
          value={name}
          name={t('dataSources.nameOf', { source: t(`dataSources.name.${source}`) })}
        />
      </div>
    </div>
  ));
}
