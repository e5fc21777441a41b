import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { DataSourceView } from '@deviceportal/contract/data-sources';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { KeyValue, type KeyValueItem } from '../ui/key-value.tsx';
import { Time } from '../ui/time/time.tsx';
import { DataSourceState } from './data-source-state.tsx';
import { nextStep } from './next-step.ts';

/** Whether a data source works, and what to do if it does not. */
export function DataSourceStatus({ of }: { readonly of: DataSourceView }): ReactNode {
  const t = useT();
  const items = useStatusItems(of);
  return (
    <Container header={<Header variant="h2">{t('dataSources.section.status')}</Header>}>
      <KeyValue columns={3} items={items} />
    </Container>
  );
}

function useStatusItems(of: DataSourceView): KeyValueItem[] {
  const t = useT();
  const format = useFormat();
  const { state, fault, calls, feed } = of;
  const next = nextStep(of, t);
  const last = fault === null ? (feed?.lastFault ?? null) : null;
  return [
    {
      label: t('dataSources.field.state'),
      value: (
        <DataSourceState
          state={state}
          {...(fault === null ? {} : { detail: t(`dataSources.reason.${fault.reason}`) })}
        />
      ),
    },
    ...(fault === null
      ? []
      : [
          {
            label: t('dataSources.field.since'),
            value: <Time at={fault.since} style="exact" />,
          },
        ]),
    ...(of.place === 'embedded'
      ? []
      : [
          {
            label: t('dataSources.field.lastAnswer'),
            value: <Time at={of.lastAnswerAt} style="exact" />,
          },
        ]),
    ...(next === null ? [] : [{ label: t('dataSources.field.next'), value: next }]),
    ...(fault === null
      ? []
      : [{ label: t('dataSources.field.error'), value: <ErrorText text={fault.text} /> }]),
    ...(fault?.server == null
      ? []
      : [{ label: t('dataSources.field.server'), value: fault.server }]),
    ...(last === null
      ? []
      : [
          {
            label: t('dataSources.field.lastFault'),
            value: (
              <>
                <ErrorText text={last.text} /> <Time at={last.at} />
              </>
            ),
          },
        ]),
    ...(calls === null
      ? []
      : [
          { label: t('dataSources.field.calls'), value: format.number(calls.count) },
          { label: t('dataSources.field.failedCalls'), value: format.number(calls.failedCount) },
        ]),
  ];
}

/** The text of the outside system, in its own language. */
const ErrorText = ({ text }: { readonly text: string }): ReactNode => (
  <span lang="en" className="dp-data-source-name">
    {text}
  </span>
);
