import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState, type ReactNode } from 'react';
import type { DocumentTest, DocumentTestEvent } from '@deviceportal/contract/document-tests';
import { useFormat } from '../../i18n/format-values.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { StatusOf, wordOf } from '../../ui/status-of.tsx';

/**
 * The maximum pause in milliseconds that is replayed. Longer pauses of the simulated device are
 * shown as text.
 */
const LONGEST_PAUSE_MS = 700;

/** Replays the events of the test, then lists changed attributes of the device. */
export function TestResult({ documentTest }: { readonly documentTest: DocumentTest }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { shown, ended, skip } = usePlayed(documentTest.events);
  const results = shown.flatMap((event) => (event.kind === 'result' ? [event] : []));
  const missing = [...new Set(shown.flatMap(missingOf))];
  return (
    <SpaceBetween size="l">
      <Container
        header={
          <Header
            variant="h2"
            actions={ended ? undefined : <Button onClick={skip}>{t('documents.test.skip')}</Button>}
          >
            {t('documents.test.result')}
          </Header>
        }
      >
        <SpaceBetween size="m">
          {results.map((result) => (
            <div key={String(result.isUndo)} className="dp-command-chip">
              <Box variant="strong">
                {t(result.isUndo ? 'commands.phases.undo' : 'commands.phases.main')}
              </Box>
              <StatusOf
                kind="statusDetails"
                value={result.statusDetails}
                detail={t('commands.result.exit', { code: result.responseCode })}
              />
            </div>
          ))}
          {missing.length === 0 ? null : (
            <Alert type="warning" header={t('documents.test.notSimulated')}>
              <ul className="dp-document-list">
                {missing.map((what) => (
                  <li key={what}>
                    <code>{what}</code>
                  </li>
                ))}
              </ul>
            </Alert>
          )}
          {documentTest.truncated ? (
            <Alert type="info">{t('documents.test.truncated')}</Alert>
          ) : null}
          <Steps events={shown} />
          <Output events={shown} running={!ended} />
        </SpaceBetween>
        <LiveRegion hidden>
          {results.map((one) => wordOf('statusDetails', one.statusDetails, language)).join(', ')}
        </LiveRegion>
      </Container>
      {ended ? <Changes documentTest={documentTest} /> : null}
    </SpaceBetween>
  );
}

const missingOf = (event: DocumentTestEvent): string[] =>
  event.kind === 'not-simulated' ? [`${event.step}: ${event.what}`] : [];

/** The events replayed so far, each after the pause that preceded it on the device. */
function usePlayed(events: readonly DocumentTestEvent[]) {
  const [count, setCount] = useState(0);
  const ended = count >= events.length;
  useEffect(() => {
    if (ended) return undefined;
    const pauseMs = (events[count]?.atMs ?? 0) - (events[count - 1]?.atMs ?? 0);
    // Events with the same time appear together.
    const timer = setTimeout(
      () => {
        const atMs = events[count]?.atMs;
        const next = events.findIndex((event, index) => index > count && event.atMs !== atMs);
        setCount(next === -1 ? events.length : next);
      },
      Math.min(LONGEST_PAUSE_MS, pauseMs),
    );
    return () => clearTimeout(timer);
  }, [count, ended, events]);
  return { shown: events.slice(0, count), ended, skip: () => setCount(events.length) };
}

type StepEvent = Extract<DocumentTestEvent, { kind: 'step' }>;

function Steps({ events }: { readonly events: readonly DocumentTestEvent[] }): ReactNode {
  const t = useT();
  const format = useFormat();
  const latest = new Map<string, StepEvent>();
  for (const event of events) {
    if (event.kind === 'step') latest.set(`${event.isUndo} ${event.index}`, event);
  }
  const scripts = new Map(
    events.flatMap((event) => (event.kind === 'script' ? [[event.step, event.text] as const] : [])),
  );
  return (
    <ol className="dp-document-list">
      {[...latest].map(([key, step]) => (
        <li key={key}>
          <SpaceBetween size="xs">
            <div className="dp-command-chip">
              <Box variant="strong">{step.name}</Box>
              {step.phase === 'main' ? null : <span>{t(`commands.phases.${step.phase}`)}</span>}
              <StatusOf
                kind="step"
                value={step.state}
                {...(step.reason === null ? {} : { detail: `· ${step.reason}` })}
              />
              <span className="dp-number">{format.duration(step.atMs)}</span>
            </div>
            {scripts.has(step.name) ? (
              <CodeBlock
                text={scripts.get(step.name) ?? ''}
                label={t('documents.test.script', { step: step.name })}
                maxHeightPx={160}
              />
            ) : null}
          </SpaceBetween>
        </li>
      ))}
    </ol>
  );
}

function Output({
  events,
  running,
}: {
  readonly events: readonly DocumentTestEvent[];
  readonly running: boolean;
}): ReactNode {
  const t = useT();
  const text = events
    .map((event) => {
      if (event.kind === 'output') return event.text;
      return event.kind === 'event' ? `[${event.type}]\n` : '';
    })
    .join('');
  if (text === '') return null;
  return (
    <CodeBlock text={text} label={t('commands.output.title')} maxHeightPx={320} follow={running} />
  );
}

function Changes({ documentTest }: { readonly documentTest: DocumentTest }): ReactNode {
  const t = useT();
  return (
    <Container header={<Header variant="h2">{t('documents.test.changes')}</Header>}>
      {documentTest.changes.length === 0 ? (
        <Box color="text-body-secondary">{t('documents.test.noChanges')}</Box>
      ) : (
        <KeyValue
          columns={3}
          items={documentTest.changes.map(({ what, before, after }) => ({
            label: what,
            value: `${before ?? '-'} → ${after ?? '-'}`,
          }))}
        />
      )}
    </Container>
  );
}
