import { terminalCloseCodes } from '@deviceportal/contract/terminals';
import type { WebSocket } from 'ws';
import { maskUser } from '../people/mask-person.ts';
import type { Change } from '../platform/change-feed.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import type { RequestOrigin } from '../platform/viewer.ts';
import type { TerminalViewer } from './attached-terminal.ts';
import { findTerminal } from './data/terminal-queries.ts';
import type { EndDeps } from './end-terminal.ts';
import { joinWatchers } from './join-watchers.ts';
import { findWatcher, type FindViewer } from './session-rights.ts';
import { WatchedTerminal } from './watched-terminal.ts';

/** A part of the WebSockets of a server, so that there is room for those who type. */
const MOST_WATCHING = 200;
/** How often a user can begin to watch: each time is in the audit trail. */
const JOIN_QUOTA = { burst: 10, perSecond: 0.2 } as const;

export interface WatchRequest {
  readonly socket: Pick<WebSocket, 'close'>;
  readonly viewer: TerminalViewer;
  readonly sessionId: string;
  readonly findViewer: FindViewer;
  readonly origin: RequestOrigin;
}

/** The browsers of this server that watch sessions. */
export class TerminalWatchers implements Disposable {
  readonly #deps: Pick<EndDeps, 'database' | 'changes'> & { readonly logger: GatewayLogger };
  readonly #watching = new Map<string, Set<WatchedTerminal>>();
  readonly #quota = new TokenBuckets(JOIN_QUOTA);
  #count = 0;

  constructor(deps: Pick<EndDeps, 'database' | 'changes'> & { readonly logger: GatewayLogger }) {
    this.#deps = deps;
  }

  onChange(sessionId: string, change: Change): void {
    for (const watched of this.#watching.get(sessionId) ?? []) watched.onChange(change);
  }

  /** Undefined, and the connection closed, if the user may not watch, or too many do. */
  async join(request: WatchRequest): Promise<WatchedTerminal | undefined> {
    const { socket } = request;
    if (this.#count >= MOST_WATCHING) {
      socket.close(terminalCloseCodes.tooManyWatchers, 'too many');
      return undefined;
    }
    this.#count += 1;
    let watched: WatchedTerminal | undefined;
    try {
      watched = await this.#join(request);
      return watched;
    } finally {
      if (watched === undefined) this.#count -= 1;
    }
  }

  [Symbol.dispose](): void {
    for (const set of [...this.#watching.values()])
      for (const watched of [...set]) watched.release();
  }

  async #join({
    socket,
    viewer,
    sessionId,
    findViewer,
    origin,
  }: WatchRequest): Promise<WatchedTerminal | undefined> {
    const { database, logger } = this.#deps;
    const refuse = (): undefined => {
      socket.close(terminalCloseCodes.notPermitted, 'not permitted');
      return undefined;
    };
    const known = await findTerminal(database.orm, sessionId);
    if (known === undefined) return refuse();
    const user = await findWatcher(database, known, findViewer);
    if (user === undefined) return refuse();
    const answer = this.#quota.of(user.userId).take()
      ? await joinWatchers(this.#deps, { ...origin, viewer: user }, sessionId)
      : { kind: 'too-many' as const };
    if (answer.kind === 'too-many') {
      socket.close(terminalCloseCodes.tooManyWatchers, 'too many');
      return undefined;
    }
    // The recording of a session that has ended requires another permission.
    if (answer.kind === 'ended') {
      socket.close(terminalCloseCodes.notWatchable, 'ended');
      return undefined;
    }
    const watched: WatchedTerminal = new WatchedTerminal({
      ...this.#deps,
      ...{ session: answer.session, watcherId: answer.watcherId, viewer },
      username: maskUser(answer.session.username, user),
      isPermitted: async () => (await findWatcher(database, known, findViewer)) !== undefined,
      onNotPermitted: refuse,
      onError: (error) => logger.warn({ err: error, sessionId }, 'watched terminal failed'),
      onGone: () => this.#left(sessionId, watched),
    });
    const others = this.#watching.get(sessionId) ?? new Set();
    this.#watching.set(sessionId, others.add(watched));
    return watched;
  }

  #left(sessionId: string, watched: WatchedTerminal): void {
    const others = this.#watching.get(sessionId);
    if (others?.delete(watched) !== true) return;
    this.#count -= 1;
    if (others.size === 0) this.#watching.delete(sessionId);
  }
}
