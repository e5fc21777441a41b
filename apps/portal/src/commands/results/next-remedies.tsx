import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Box from '@cloudscape-design/components/box';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { NextRemedy } from '@deviceportal/contract/commands';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { isFinal } from '@deviceportal/contract/states';
import { useApi } from '../../api/use-api.ts';
import { verdictWords } from '../../devices/verdict-words.ts';
import { useFormat } from '../../i18n/format-values.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { followWithRouter } from '../../ui/follow-with-router.ts';
import { commandHref } from '../command-href.ts';
import { useRunInPlace } from '../in-place/use-run-in-place.tsx';
import { ConsequenceBadge } from '../consequence-badge.tsx';
import { useCommandWords } from '../use-command-words.ts';

/**
 * Suggested next steps for this device, each with its reason. Renders nothing without suggestions.
 */
export function NextRemedies({ invocation }: { readonly invocation: InvocationDetail }): ReactNode {
  const t = useT();
  const api = useApi();
  const { data } = useQuery(
    api.commands.nextRemedies.queryOptions(
      { id: invocation.id },
      { enabled: isFinal(invocation.state) },
    ),
  );
  if (data === undefined || data.length === 0) return null;
  return (
    <Container header={<Header variant="h2">{t('commands.next.title')}</Header>}>
      <ul className="dp-command-next">
        {data.map((remedy) => (
          <li key={remedy.command}>
            <Remedy remedy={remedy} deviceId={invocation.deviceId} />
          </li>
        ))}
      </ul>
    </Container>
  );
}

function Remedy({
  remedy,
  deviceId,
}: {
  readonly remedy: NextRemedy;
  readonly deviceId: string;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const words = useCommandWords();
  const { command, reason, verdict } = remedy;
  const why =
    verdict === null
      ? t(reason === 'succeeded' ? 'commands.next.succeeded' : 'commands.next.failed')
      : verdictWords(verdict, { t, format, language }).title;
  const inPlace = useRunInPlace({ command, deviceId, parameters: verdict?.parameters });
  return (
    <SpaceBetween size="s">
      <div className="dp-command-chip">
        {inPlace === null ? (
          <Button href={commandHref(command, { device: deviceId })} onFollow={followWithRouter}>
            {t('commands.next.run', { command })}
          </Button>
        ) : (
          <Button onClick={inPlace.start}>{t('commands.next.run', { command })}</Button>
        )}
        <ConsequenceBadge consequence={remedy.consequence} />
        <span className="dp-command-reason">
          {words.description(remedy)}{' '}
          <Box variant="span" color="text-body-secondary" fontSize="body-s">
            {why}
          </Box>
        </span>
      </div>
      {inPlace?.result}
    </SpaceBetween>
  );
}
