import Box from '@cloudscape-design/components/box';
import LiveRegion from '@cloudscape-design/components/live-region';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { countdownText } from './countdown-text.ts';
import '../air-blast.css';

const RADIUS = 18;
const LENGTH = 2 * Math.PI * RADIUS;
const WARN_MS = 60_000;
/**
 * Remaining seconds at which a screen reader announces the time. Announcing every second would be
 * unusable.
 */
const toldSeconds = [60, 30, 10];

export interface CountdownProps {
  readonly label: string;
  /** Milliseconds. 0 if expired or never started. */
  readonly leftMs: number;
  readonly ofMs: number;
  /** The text to show after expiry. */
  readonly out: string;
  readonly action: ReactNode;
}

/** A countdown with a ring, the time in digits, and a button that starts it again. */
export function Countdown({ label, ofMs, out, action, ...props }: CountdownProps): ReactNode {
  const t = useT();
  // The browser’s estimate of the server clock can be off by the latency of a response.
  const leftMs = Math.min(props.leftMs, ofMs);
  const isOut = leftMs <= 0;
  const isLate = !isOut && leftMs <= WARN_MS;
  const seconds = Math.ceil(leftMs / 1_000);
  const told = isOut ? out : toldSeconds.findLast((at) => seconds <= at);
  return (
    <div className="dp-countdown" data-state={isOut ? 'out' : isLate ? 'late' : 'on'}>
      <svg viewBox="0 0 44 44" width="44" height="44" aria-hidden="true">
        <circle cx="22" cy="22" r={RADIUS} className="dp-countdown-track" />
        <circle
          cx="22"
          cy="22"
          r={RADIUS}
          className="dp-countdown-left"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - leftMs / ofMs)}
        />
      </svg>
      <div>
        <Box variant="awsui-key-label">{label}</Box>
        <Box
          fontSize="heading-m"
          fontWeight="bold"
          color={isOut ? 'text-body-secondary' : isLate ? 'text-status-warning' : 'inherit'}
        >
          <span className="dp-digits">{isOut ? out : countdownText(leftMs)}</span>
        </Box>
        <LiveRegion hidden>
          {typeof told === 'number' ? t('airBlast.secondsLeft', { label, seconds: told }) : told}
        </LiveRegion>
      </div>
      {action}
    </div>
  );
}
