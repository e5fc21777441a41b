import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import { TERMINAL_WATCHERS } from '@deviceportal/contract/terminals';
import type { Translate } from '../i18n/use-t.ts';
import type { LinkState, TerminalEnding } from './terminal-link.ts';

interface StateLineProps {
  readonly state: LinkState;
  readonly isWatched?: boolean;
  readonly t: Translate;
}

/** The state of a terminal in one line. */
export function StateLine({ state, isWatched = false, t }: StateLineProps): ReactNode {
  if (state.kind === 'ended') {
    const words = isWatched ? watchedEndingWords(state.ending, t) : endingWords(state.ending, t);
    return <StatusIndicator type="stopped">{words}</StatusIndicator>;
  }
  if (state.kind === 'too-many-watchers' || state.kind === 'not-watchable')
    return (
      <StatusIndicator type="stopped">
        {t(`terminals.watch.${state.kind}`, { most: TERMINAL_WATCHERS })}
      </StatusIndicator>
    );
  if (state.kind === 'watching')
    return (
      <StatusIndicator type="success">
        {t(state.isComplete ? 'terminals.watch.all' : 'terminals.watch.latest')}
      </StatusIndicator>
    );
  if (state.kind === 'open')
    return (
      <StatusIndicator type="success">
        {t('terminals.status.open', { account: state.account })}
      </StatusIndicator>
    );
  const type = state.kind === 'device-silent' ? 'warning' : 'loading';
  return <StatusIndicator type={type}>{t(`terminals.status.${state.kind}`)}</StatusIndicator>;
}

/** Why a session ended. */
function endingWords({ reason, exitCode, obstacle }: TerminalEnding, t: Translate): string {
  if (reason === 'refused' && obstacle !== null) return t(`terminals.offer.${obstacle}`);
  if (reason === 'exited' && exitCode === null) return t('terminals.status.ended');
  return t(`terminals.ended.${reason}`, { exitCode: exitCode ?? '' });
}

/** The same for those who watch, where “you” is another user. */
function watchedEndingWords(ending: TerminalEnding, t: Translate): string {
  if (ending.reason === 'closed') return t('terminals.watch.closed');
  if (ending.reason === 'ended-by-other') return t('terminals.watch.ended-by-other');
  return endingWords(ending, t);
}
