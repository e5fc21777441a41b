import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { DataSourceFlow, DataSourceView } from '@deviceportal/contract/data-sources';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue, type KeyValueItem } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';

/** What is exchanged with an outside system, by direction. Nothing where that is not measured. */
export function FeedExchange({ of }: { readonly of: DataSourceView }): ReactNode {
  const t = useT();
  const { incoming, outgoing } = of;
  const received = useIncoming(of);
  const sent = useOutgoing(of);
  if (incoming === null && outgoing === null) return null;
  return (
    <ColumnLayout columns={outgoing === null ? 1 : 2} minColumnWidth={320}>
      <Direction title={t('dataSources.section.incoming')} items={received} />
      {outgoing === null ? null : (
        <Direction title={t('dataSources.section.outgoing')} items={sent} />
      )}
    </ColumnLayout>
  );
}

const Direction = ({
  title,
  items,
}: {
  readonly title: string;
  readonly items: readonly KeyValueItem[];
}): ReactNode => (
  <Container header={<Header variant="h2">{title}</Header>} fitHeight>
    <KeyValue columns={2} items={items} />
  </Container>
);

function useIncoming({ incoming, feed }: DataSourceView): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  const measured = useMeasured(incoming);
  const read = {
    label: t('dataSources.field.lastRead'),
    value: <Time at={incoming?.lastAt} style="exact" />,
  };
  if (feed === null) return [read, ...measured];
  return [
    read,
    {
      label: t('dataSources.field.lastChange'),
      value: <Time at={feed.lastChangeAt} style="exact" />,
    },
    ...measured,
    { label: t('dataSources.field.reads'), value: t(`dataSources.reads.${feed.reads}`) },
    { label: t('dataSources.field.applied'), value: format.number(feed.appliedCount) },
    { label: t('dataSources.field.rejected'), value: format.number(feed.rejectedCount) },
  ];
}

function useOutgoing({ outgoing, feed }: DataSourceView): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  return [
    {
      label: t('dataSources.field.lastWrite'),
      value: <Time at={outgoing?.lastAt} style="exact" />,
    },
    {
      label: t('dataSources.field.written'),
      value: feed === null ? null : format.number(feed.writtenCount),
    },
    ...useMeasured(outgoing),
    ...(feed?.writesAll === true
      ? [{ label: t('dataSources.field.state'), value: t('dataSources.writesAll') }]
      : []),
  ];
}

function useMeasured(flow: DataSourceFlow | null): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  const { delayMs = null, waitingCount = null } = flow ?? {};
  return [
    {
      label: t('dataSources.field.delay'),
      value: delayMs === null ? null : format.duration(delayMs),
    },
    ...(waitingCount === null
      ? []
      : [{ label: t('dataSources.field.waiting'), value: format.number(waitingCount) }]),
  ];
}
