import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { GuideLink } from '../help/guide-link.tsx';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';
import { AnsweringSystems } from './answering-systems.tsx';
import { guideOf } from './guide-of.ts';

/** What answers a data source, where that is set, and where it is explained. */
export function DataSourceConnection({ of }: { readonly of: DataSourceView }): ReactNode {
  const t = useT();
  const { setting, source, feed } = of;
  return (
    <Container header={<Header variant="h2">{t('dataSources.section.connection')}</Header>}>
      <KeyValue
        columns={3}
        items={[
          { label: t('dataSources.column.system'), value: <AnsweringSystems of={of} /> },
          {
            label: t('dataSources.field.setting'),
            value: <CopyableId value={setting} name={t('dataSources.setting')} />,
          },
          {
            label: t('dataSources.field.guide'),
            value: <GuideLink name={guideOf[source]} />,
          },
          ...(feed === null
            ? []
            : [
                {
                  label: t('dataSources.field.begun'),
                  value: <Time at={feed.since} style="exact" />,
                },
              ]),
        ]}
      />
    </Container>
  );
}
