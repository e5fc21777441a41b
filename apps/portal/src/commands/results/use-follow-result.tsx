import { useEffect, useRef } from 'react';
import { isFinal, type InvocationState, type RunState } from '@deviceportal/contract/states';
import { translateNow } from '../../i18n/use-t.ts';
import { addFlash, removeFlash } from '../../ui/flash-store.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { followResult, stopFollowing } from './follow-results.ts';

export interface LeftResult {
  readonly id: string;
  readonly state: InvocationState | RunState;
  readonly command: string;
  /** A serial number, or "12 devices". */
  readonly target: string;
  readonly href: string;
  readonly ask: () => Promise<InvocationState | RunState>;
}

/** Reports the end of a result after its page was left, on whatever page is open. */
export function useFollowResult(id: string, result: LeftResult | undefined): void {
  const latest = useRef(result);
  useEffect(() => {
    latest.current = result;
  });
  useEffect(() => {
    stopFollowing(id, { removeFlash });
    return () => {
      const left = latest.current;
      if (left === undefined || isFinal(left.state)) return;
      followResult(
        {
          id,
          ask: left.ask,
          tell: (state) => ({
            type: state === 'Success' ? 'success' : state === 'Cancelled' ? 'info' : 'error',
            header: translateNow(`commands.ended.${wordOfEnd(state)}`, {
              command: left.command,
              target: left.target,
            }),
            action: <PortalLink href={left.href}>{translateNow('commands.ended.open')}</PortalLink>,
            dismissible: true,
          }),
        },
        { addFlash, removeFlash },
      );
    };
  }, [id]);
}

function wordOfEnd(
  state: InvocationState | RunState,
): 'success' | 'cancelled' | 'timedOut' | 'failed' {
  if (state === 'Success') return 'success';
  if (state === 'Cancelled') return 'cancelled';
  return state === 'TimedOut' ? 'timedOut' : 'failed';
}
