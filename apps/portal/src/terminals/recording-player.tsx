import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { TerminalSessionSummary } from '@deviceportal/contract/terminals';
import { useApiClient } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { isDarkNow } from '../ui/appearance.ts';
import { createScreen, type Screen } from './create-screen.ts';
import { readRecording, type Recording } from './read-recording.ts';
import { RecordingClock } from './recording-clock.ts';
import { RecordingSearch } from './recording-search.tsx';
import './terminals.css';

const speeds = [1, 2, 4, 16] as const;

interface PlayerProps {
  readonly session: TerminalSessionSummary;
  /** Text whose first match is shown. */
  readonly text?: string | undefined;
  readonly onClose: () => void;
}

/** Plays the recording of a session. */
export function RecordingPlayer({ session, text = '', onClose }: PlayerProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const client = useApiClient();
  const query = useQuery({
    queryKey: ['terminal-recording', session.id],
    queryFn: async () => {
      const { url } = await client.terminals.recording.mutate({ sessionId: session.id });
      const response = await fetch(url);
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return readRecording(await response.text());
    },
    // Each view is recorded, so it is not repeated by itself.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0,
  });
  const title = t('terminals.player.title', {
    user: session.username,
    time: format.absolute(Date.parse(session.openedAt)),
  });
  return (
    <Container
      header={
        <Header variant="h2" actions={<Button onClick={onClose}>{t('terminals.close')}</Button>}>
          {title}
        </Header>
      }
    >
      {query.data === undefined ? (
        <StatusIndicator type={query.isError ? 'error' : 'loading'}>
          {t(query.isError ? 'terminals.player.failed' : 'terminals.player.loading')}
        </StatusIndicator>
      ) : (
        <Playback recording={query.data} label={title} text={text} />
      )}
    </Container>
  );
}

interface PlaybackProps {
  readonly recording: Recording;
  readonly label: string;
  readonly text: string;
}

function Playback({ recording, label, text }: PlaybackProps): ReactNode {
  const t = useT();
  const { place, clock, highlight, atSeconds, isPlaying, speed } = usePlayback(recording, label);
  const isOver = atSeconds >= recording.seconds;
  const act = isPlaying ? 'pause' : isOver ? 'restart' : 'play';
  return (
    <SpaceBetween size="s">
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <Button variant="primary" onClick={() => (isPlaying ? clock()?.pause() : clock()?.play())}>
          {t(`terminals.player.${act}`)}
        </Button>
        <SegmentedControl
          label={t('terminals.player.speed')}
          selectedId={String(speed)}
          options={speeds.map((each) => ({
            id: String(each),
            text: t('terminals.player.times', { speed: each }),
          }))}
          onChange={({ detail }) => clock()?.setSpeed(Number(detail.selectedId))}
        />
        <span>
          {t('terminals.player.position', {
            at: clockText(atSeconds),
            total: clockText(recording.seconds),
          })}
        </span>
      </SpaceBetween>
      <RecordingSearch
        recording={recording}
        initialText={text}
        onShow={({ event }, wanted) => {
          clock()?.jumpTo(event);
          highlight(wanted);
        }}
      />
      <div ref={place} className="dp-recording" role="group" aria-label={label} />
    </SpaceBetween>
  );
}

function usePlayback(recording: Recording, label: string) {
  const place = useRef<HTMLDivElement>(null);
  const clock = useRef<RecordingClock | null>(null);
  const shownOn = useRef<Screen | null>(null);
  const [shown, setShown] = useState({ atSeconds: 0, isPlaying: false, speed: 1 });
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const { columns, rows } = recording;
    const screen = createScreen({ element, label, isDark: isDarkNow(), size: { columns, rows } });
    const player = new RecordingClock(recording, {
      onStart: () => {
        screen.reset();
        screen.resize(columns, rows);
      },
      onOutput: (text) => screen.write(text),
      onSize: (newColumns, newRows) => screen.resize(newColumns, newRows),
      onChange: setShown,
    });
    clock.current = player;
    shownOn.current = screen;
    element.scrollIntoView({ block: 'nearest' });
    player.play();
    return () => {
      player.pause();
      screen[Symbol.dispose]();
    };
  }, [recording, label]);
  const highlight = (text: string): void =>
    // After the output that was written before.
    shownOn.current?.write('', () => shownOn.current?.highlight(text));
  return { place, clock: () => clock.current, highlight, ...shown };
}

function clockText(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
