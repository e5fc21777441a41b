import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { session } from '../session/session.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { isDarkNow } from '../ui/appearance.ts';
import { createScreen } from './create-screen.ts';
import { StateLine } from './state-line.tsx';
import { TerminalLink, type LinkState } from './terminal-link.ts';
import './terminals.css';

export interface TerminalPanelProps {
  readonly device: DeviceDetail;
  readonly sessionId: string;
  /** Called when the session has ended. */
  readonly onEnded: () => void;
  readonly onClose: () => void;
}

/** An open terminal. */
export function TerminalPanel({
  device,
  sessionId,
  onEnded,
  onClose,
}: TerminalPanelProps): ReactNode {
  const t = useT();
  const api = useApi();
  const label = t('terminals.screen', { device: device.serialNumber ?? device.name });
  const leave = useRef<HTMLDivElement>(null);
  const format = useFormat();
  const { place, state, watchers } = useTerminal(sessionId, {
    label,
    onLeave: () => leave.current?.querySelector('button')?.focus(),
    onEnded,
  });
  const end = useMutation(api.terminals.end.mutationOptions());
  const isOver = state.kind === 'ended';
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <div ref={leave}>
              {isOver ? (
                <Button onClick={onClose}>{t('terminals.close')}</Button>
              ) : (
                <Button loading={end.isPending} onClick={() => end.mutate({ sessionId })}>
                  {t(state.kind === 'asking' ? 'terminals.cancel' : 'terminals.end')}
                </Button>
              )}
            </div>
          }
        >
          {label}
        </Header>
      }
    >
      <SpaceBetween size="s">
        <div role="status">
          <StateLine state={state} t={t} />
        </div>
        <div role="status">
          {watchers.length === 0 || isOver ? null : (
            <Alert type="info">{t('terminals.watchers', { names: format.list(watchers) })}</Alert>
          )}
        </div>
        {end.error === null ? null : <ErrorView error={end.error} place="alert" />}
        <div ref={place} className="dp-terminal" role="group" aria-label={label} />
        <Box variant="small" color="text-body-secondary">
          {t('terminals.keys')}
        </Box>
      </SpaceBetween>
    </Container>
  );
}

interface TerminalWords {
  readonly label: string;
  readonly onLeave: () => void;
  readonly onEnded: () => void;
}

function useTerminal(sessionId: string, words: TerminalWords) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(words);
  const [state, setState] = useState<LinkState>({ kind: 'connecting' });
  const [watchers, setWatchers] = useState<readonly string[]>([]);
  useEffect(() => {
    latest.current = words;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let link: TerminalLink | undefined;
    const screen = createScreen({
      element,
      label: latest.current.label,
      isDark: isDarkNow(),
      onInput: (text) => link?.type(text),
      onResize: (columns, rows) => link?.resize(columns, rows),
      onLeave: () => latest.current.onLeave(),
    });
    const opened = new TerminalLink({
      sessionId,
      idToken: session.idToken,
      onOutput: (bytes, processed) => screen.write(bytes, processed),
      onWatchers: setWatchers,
      size: () => ({ columns: screen.columns, rows: screen.rows }),
      onState: (next) => {
        setState(next);
        // The dialog before it has returned the focus to its button.
        if (next.kind === 'open') screen.focus();
        if (next.kind === 'ended') latest.current.onEnded();
      },
    });
    link = opened;
    opened.start();
    return () => {
      opened.close();
      screen[Symbol.dispose]();
    };
  }, [sessionId]);
  return { place, state, watchers };
}
