import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TerminalSessionSummary } from '@deviceportal/contract/terminals';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { session as signIn } from '../session/session.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { isDarkNow } from '../ui/appearance.ts';
import { createScreen } from './create-screen.ts';
import { StateLine } from './state-line.tsx';
import { TerminalLink, type LinkState } from './terminal-link.ts';
import './terminals.css';

interface WatchPanelProps {
  readonly session: TerminalSessionSummary;
  /** Called when the session has ended. */
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** The open terminal of another user, which can only be watched. */
export function WatchPanel({ session, onEnded, onClose }: WatchPanelProps): ReactNode {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const label = t('terminals.watch.title', { user: session.username });
  const { place, state } = useWatched(session.id, label, onEnded);
  const end = useMutation(api.terminals.end.mutationOptions());
  const mayEnd = state.kind === 'watching' && may('terminal:end');
  return (
    <Container
      header={
        <Header
          variant="h2"
          info={<Badge>{t('terminals.watch.readOnly')}</Badge>}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              {mayEnd ? (
                <Button
                  loading={end.isPending}
                  onClick={() => end.mutate({ sessionId: session.id })}
                >
                  {t('terminals.end')}
                </Button>
              ) : null}
              <Button onClick={onClose}>{t('terminals.watch.stop')}</Button>
            </SpaceBetween>
          }
        >
          {label}
        </Header>
      }
    >
      <SpaceBetween size="s">
        <div role="status">
          <StateLine state={state} isWatched t={t} />
        </div>
        {end.error === null ? null : <ErrorView error={end.error} place="alert" />}
        <div ref={place} className="dp-recording" role="group" aria-label={label} />
      </SpaceBetween>
    </Container>
  );
}

function useWatched(sessionId: string, label: string, onEnded: () => void) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef({ label, onEnded });
  const [state, setState] = useState<LinkState>({ kind: 'connecting' });
  useEffect(() => {
    latest.current = { label, onEnded };
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const screen = createScreen({
      ...{ element, label: latest.current.label, isDark: isDarkNow() },
      size: { columns: 80, rows: 24 },
    });
    const link = new TerminalLink({
      sessionId,
      idToken: signIn.idToken,
      onOutput: (bytes, processed) => screen.write(bytes, processed),
      watched: screen,
      onState: (next) => {
        setState(next);
        if (next.kind === 'ended') latest.current.onEnded();
      },
    });
    link.start();
    element.scrollIntoView({ block: 'nearest' });
    return () => {
      link.close();
      screen[Symbol.dispose]();
    };
  }, [sessionId]);
  return { place, state };
}
