import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Spinner from '@cloudscape-design/components/spinner';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useApi, useApiClient } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { navigateTo } from '../../ui/navigate-to.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { commandHref } from '../command-href.ts';
import { InPlaceResult } from './in-place-result.tsx';
import { readingRun } from './reading-run.ts';
import type { RemedyRun } from './remedy-run.ts';
import '../commands.css';

export interface InPlaceRunProps {
  readonly remedy: RemedyRun;
  readonly onClose: () => void;
}

/** Sends a remedy when it is mounted, and shows its result. Opens its form if it needs one. */
export function InPlaceRun({ remedy, onClose }: InPlaceRunProps): ReactNode {
  const t = useT();
  const { run, error, isPending, retry } = useSent(remedy, onClose);
  const panel = useRef<HTMLDivElement>(null);
  // The pressed button, which gets the focus back.
  const [opener] = useState(() => document.activeElement);
  const close = (): void => {
    if (opener instanceof HTMLElement) opener.focus();
    onClose();
  };
  // The button that was pressed stays where it is, so its result must come into view.
  useEffect(() => {
    // Newer browsers return a promise, which must not be returned here.
    void panel.current?.scrollIntoView({ block: 'nearest' });
  }, [run?.invocationId]);
  const href = formHref(remedy);
  const resultHref =
    run?.invocationId == null
      ? null
      : commandHref(remedy.command, { device: remedy.deviceId, invocation: run.invocationId });
  return (
    <div ref={panel}>
      <Container
        header={
          <Header
            variant="h2"
            actions={
              <SpaceBetween direction="horizontal" size="s" alignItems="center">
                {resultHref === null ? null : (
                  <PortalLink href={resultHref}>{t('commands.inPlace.open')}</PortalLink>
                )}
                <Button
                  variant="icon"
                  iconName="close"
                  ariaLabel={t('commands.inPlace.close', { command: remedy.command })}
                  onClick={close}
                />
              </SpaceBetween>
            }
          >
            {remedy.command}
          </Header>
        }
      >
        {error !== null && !isPending ? (
          <ErrorView
            error={error}
            place="alert"
            onRetry={retry}
            actions={<PortalLink href={href}>{t('commands.inPlace.form')}</PortalLink>}
          />
        ) : run?.invocationId == null ? (
          <Box color="text-body-secondary">
            <Spinner /> {t('commands.inPlace.sending')}
          </Box>
        ) : (
          <InPlaceResult id={run.invocationId} />
        )}
      </Container>
    </div>
  );
}

const formHref = ({ command, deviceId, parameters }: RemedyRun): string =>
  commandHref(command, {
    device: deviceId,
    values: Object.keys(parameters ?? {}).length === 0 ? undefined : JSON.stringify(parameters),
  });

/** Sends the run once, however often the component renders. */
function useSent(remedy: RemedyRun, onClose: () => void) {
  const api = useApi();
  const client = useApiClient();
  const queries = useQueryClient();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const form = await queries.fetchQuery(
        api.commands.getForm.queryOptions({ command: remedy.command, document: '' }),
      );
      const input = readingRun(form, remedy);
      return input === null ? null : client.commands.run.mutate({ ...input, idempotencyKey });
    },
    onSuccess: (run) => {
      if (run !== null) return queries.invalidateQueries(api.commands.listRuns.pathFilter());
      onClose();
      navigateTo(formHref(remedy));
      return undefined;
    },
  });
  useEffect(() => {
    mutate();
  }, [mutate]);
  return { run: data, error, isPending, retry: () => mutate() };
}
