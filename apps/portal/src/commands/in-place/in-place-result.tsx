import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import type { ReactNode } from 'react';
import { isFinal } from '@deviceportal/contract/states';
import { useApiClient } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language-store.ts';
import { useT } from '../../i18n/use-t.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { wordOf } from '../../ui/status-of.tsx';
import { commandHref } from '../command-href.ts';
import { InvocationStateLine } from '../results/invocation-facts.tsx';
import { useFollowResult } from '../results/use-follow-result.tsx';
import { useInvocation } from '../results/use-invocation.ts';

const OUTPUT_HEIGHT_PX = 260;

/** The state and the live output of a command on one device, within another page. */
export function InPlaceResult({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const client = useApiClient();
  const { query, output } = useInvocation(id);
  const { data } = query;
  useFollowResult(
    id,
    data === undefined
      ? undefined
      : {
          id,
          state: data.state,
          command: data.command,
          target: data.serialNumber ?? data.deviceName,
          href: commandHref(data.command, { device: data.deviceId, invocation: id }),
          ask: async () => (await client.commands.getInvocation.query({ id })).state,
        },
  );
  if (data === undefined) {
    return query.error === null ? (
      <Spinner />
    ) : (
      <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
    );
  }
  const running = !isFinal(data.state);
  return (
    <SpaceBetween size="s">
      <InvocationStateLine
        invocation={data}
        refreshFailed={query.isRefetchError}
        updatedAtMs={query.dataUpdatedAt}
      />
      {(['stdout', 'stderr'] as const).map((stream) =>
        output[stream].text === '' ? null : (
          <CodeBlock
            key={stream}
            text={output[stream].text}
            label={t(`commands.output.${stream}`)}
            maxHeightPx={OUTPUT_HEIGHT_PX}
            follow={running}
          />
        ),
      )}
      {output.stdout.text + output.stderr.text === '' ? (
        <Box color="text-body-secondary">
          {t(running ? 'commands.output.waiting' : 'commands.output.none')}
        </Box>
      ) : null}
      <LiveRegion hidden>
        {t('commands.result.announce', {
          command: data.command,
          target: data.serialNumber ?? data.deviceName,
          state: wordOf('statusDetails', data.statusDetails, language),
        })}
      </LiveRegion>
    </SpaceBetween>
  );
}
